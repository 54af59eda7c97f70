// src/domain/reports/report.ts — a report on a terminal; ends once, with totals or by time-out.
import type { MerchantAccountId, RequestId, TerminalId } from '../ids.ts'
import {
  accepts,
  type Decision,
  type Effect,
  type EventEnvelope,
  next,
  type Timer,
  type Transitions,
} from '../machine.ts'
import type { ReceiptLine } from '../receipt.ts'
import type { Refusal } from '../refusals.ts'
import type { Totals } from './totals.ts'

export const REPORT_TYPES = ['END_OF_DAY', 'BANKING', 'X_BALANCE', 'Z_BALANCE'] as const
export type ReportType = (typeof REPORT_TYPES)[number]
export type ReportProgress = 'requested' | 'running' | 'finished'
/** Who requested it: a till, or a waiter at the terminal in table mode. See docs/pay-at-table.md. */
export type ReportOrigin = 'till' | 'terminal'
export type ReportNotification = 'REPORT_STARTED' | 'REPORT_FINISHED'

export type ReportEvent =
  | {
      readonly type: 'requested'
      readonly requestId: RequestId
      readonly merchantAccount: MerchantAccountId
      readonly tid: TerminalId
      readonly reportType: ReportType
      /** Absent means a till. */
      readonly origin?: ReportOrigin
      readonly limitMs: number
    }
  | ReportReport
  | { readonly type: 'timed_out' }

/** Reports of a terminal about a report that it runs. */
export type ReportReport =
  | { readonly type: 'started' }
  | { readonly type: 'totals_read'; readonly totals: Totals; readonly lines: readonly ReceiptLine[] }

type EventType = ReportEvent['type']

export const TRANSITIONS: Transitions<ReportProgress, EventType> = {
  requested: { started: 'running', totals_read: 'finished', timed_out: 'finished' },
  running: { totals_read: 'finished', timed_out: 'finished' },
  finished: {},
}

export interface Report {
  readonly requestId: RequestId
  readonly merchantAccount: MerchantAccountId
  readonly tid: TerminalId
  readonly reportType: ReportType
  readonly origin?: ReportOrigin
  readonly progress: ReportProgress
  readonly version: number
  readonly limitMs: number
  readonly startedAt: number
  readonly finishedAt: number | null
  readonly lastReport: number
  readonly result: 'COMPLETE' | 'TIMED_OUT' | null
  readonly totals: Totals | null
  readonly lines: readonly ReceiptLine[]
}

export type ReportCommand =
  | {
      readonly type: 'request'
      readonly requestId: RequestId
      readonly merchantAccount: MerchantAccountId
      readonly tid: TerminalId
      readonly reportType: ReportType
      readonly origin?: ReportOrigin
    }
  | { readonly type: 'time_is_up' }
  | { readonly type: 'terminal_forgot' }
  | { readonly type: 'terminal_reports'; readonly sequence: number; readonly reports: readonly ReportReport[] }

/** Facts for the decision of a request. */
export interface ReportFacts {
  /** Whether the terminal is installed and connected. */
  readonly available: boolean
  /** Whether a transaction, a report or a signature check runs on it. */
  readonly busy: boolean
  readonly limitMs: number
}

export interface ReportEffect {
  readonly type: 'terminal.run_report'
}

/** Decides a command on the current record. A busy terminal runs no report, whatever it is busy with. */
export function decide(
  record: Report | null,
  command: ReportCommand,
  facts: ReportFacts | null,
): Decision<ReportEvent, Refusal> {
  if (command.type === 'request') {
    const { tid } = command
    if (facts === null || !facts.available) return { refused: { code: 'terminal_unavailable', tid } }
    if (facts.busy) return { refused: { code: 'terminal_busy', tid } }
    return { events: [{ ...command, type: 'requested', limitMs: facts.limitMs }] }
  }
  if (record === null) return { refused: { code: 'report_unknown' } }
  switch (command.type) {
    case 'time_is_up':
    case 'terminal_forgot':
      return { events: record.progress === 'finished' ? [] : [{ type: 'timed_out' }] }
    case 'terminal_reports':
      return { events: command.sequence <= record.lastReport ? [] : taken(record, command.reports) }
  }
}

/** The reports that the transitions accept, one after the other. */
function taken(record: Report, reports: readonly ReportReport[]): readonly ReportReport[] {
  const events: ReportReport[] = []
  let progress = record.progress
  for (const report of reports) {
    if (!accepts(TRANSITIONS, progress, report.type)) continue
    progress = next(TRANSITIONS, progress, report.type)
    events.push(report)
  }
  return events
}

/** Folds one event into the record. */
export function apply(before: Report | null, { event, at, report }: EventEnvelope<ReportEvent>): Report {
  if (event.type === 'requested') {
    const { type: _, ...given } = event
    return {
      ...given,
      progress: 'requested',
      version: 1,
      startedAt: at,
      finishedAt: null,
      lastReport: 0,
      result: null,
      totals: null,
      lines: [],
    }
  }
  if (before === null) throw new Error(`${event.type} before requested`)
  const record: Report = {
    ...before,
    version: before.version + 1,
    lastReport: Math.max(before.lastReport, report),
    progress: next(TRANSITIONS, before.progress, event.type),
  }
  switch (event.type) {
    case 'started':
      return record
    case 'totals_read':
      return { ...record, finishedAt: at, result: 'COMPLETE', totals: event.totals, lines: event.lines }
    case 'timed_out':
      return { ...record, finishedAt: at, result: 'TIMED_OUT' }
  }
}

/** Who requested a report. */
export function originOf({ origin = 'till' }: Report): ReportOrigin {
  return origin
}

/** Notifications for the till, oldest first. Never empty, because tills read element 0 of the first answer unchecked. */
export function notificationsOf(report: Report): readonly ReportNotification[] {
  return report.progress === 'finished' ? ['REPORT_STARTED', 'REPORT_FINISHED'] : ['REPORT_STARTED']
}

export function effectsOf(event: ReportEvent, record: Report): readonly Effect<ReportEffect>[] {
  if (event.type !== 'requested') return []
  const payload: ReportEffect = { type: 'terminal.run_report' }
  return [{ id: `${record.requestId}.${record.version}.${payload.type}`, type: payload.type, payload }]
}

export function timersOf(record: Report): readonly Timer[] {
  return record.progress === 'finished' ? [] : [{ name: 'limit', dueAt: record.startedAt + record.limitMs }]
}
