// test/unit/domain/report.test.ts — rules of a report: it starts on a free terminal and ends once.
import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { test } from 'vitest'
import {
  apply,
  decide,
  effectsOf,
  notificationsOf,
  originOf,
  type Report,
  type ReportCommand,
  type ReportEvent,
  type ReportFacts,
  type ReportProgress,
  type ReportReport,
  timersOf,
} from '../../../src/domain/reports/report.ts'

const REQUEST: ReportCommand = {
  ...{ type: 'request', requestId: 'x1', merchantAccount: 'demo', tid: '22160001', reportType: 'X_BALANCE' },
}
const FREE: ReportFacts = { available: true, busy: false, limitMs: 60_000 }
const TOTALS = { currency: 'GBP', balances: null, banking: null } as const
const LINES = [{ value: 'X BALANCE', type: 'TEXT' }] as const
const STARTED: ReportReport = { type: 'started' }
const READ: ReportReport = { type: 'totals_read', totals: TOTALS, lines: LINES }

function aReport(progress: ReportProgress = 'requested'): Report {
  const decision = decide(null, REQUEST, FREE)
  const [event] = 'events' in decision ? decision.events : []
  ok(event !== undefined)
  return { ...apply(null, { event, at: 0, report: 0 }), progress }
}

const follows = (record: Report | null, command: ReportCommand, facts: ReportFacts = FREE) => {
  const decision = decide(record, command, facts)
  return 'events' in decision ? decision.events.map(({ type }) => type) : [decision.refused.code]
}
const reported = (...reports: ReportReport[]): ReportCommand => ({ type: 'terminal_reports', sequence: 1, reports })

test('a report starts only on a connected, idle terminal', () => {
  deepEqual(follows(null, REQUEST), ['requested'])
  deepEqual(follows(null, REQUEST, { ...FREE, busy: true }), ['terminal_busy'])
  deepEqual(follows(null, REQUEST, { ...FREE, available: false }), ['terminal_unavailable'])
  deepEqual(follows(null, REQUEST, { ...FREE, available: false, busy: true }), ['terminal_unavailable'])
  deepEqual(follows(null, { type: 'time_is_up' }), ['report_unknown'])
})

test('a report ends once, with totals or at its time limit, and ignores later events', () => {
  const expected = {
    requested: { started: ['started'], read: ['totals_read'], timedOut: ['timed_out'] },
    running: { started: [], read: ['totals_read'], timedOut: ['timed_out'] },
    finished: { started: [], read: [], timedOut: [] },
  }
  for (const [progress, { started, read, timedOut }] of Object.entries(expected)) {
    const record = aReport(progress as ReportProgress)
    deepEqual(follows(record, reported(STARTED)), started, progress)
    deepEqual(follows(record, reported(READ)), read, progress)
    deepEqual(follows(record, { type: 'time_is_up' }), timedOut, progress)
    deepEqual(follows(record, { type: 'terminal_forgot' }), timedOut, progress)
  }
})

test('reports of one delivery are applied in order, and a repeated delivery is dropped', () => {
  deepEqual(follows(aReport(), reported(STARTED, STARTED, READ, READ)), ['started', 'totals_read'])
  deepEqual(follows({ ...aReport(), lastReport: 1 }, reported(READ)), [])
})

test('a finished report has its totals; a timed-out one has none', () => {
  const fold = (event: ReportEvent) => apply(aReport('running'), { event, at: 5, report: 3 })
  const read = fold(READ)
  deepEqual([read.result, read.totals, read.lines, read.finishedAt, read.lastReport], ['COMPLETE', TOTALS, LINES, 5, 3])
  const timedOut = fold({ type: 'timed_out' })
  deepEqual([timedOut.result, timedOut.totals, timedOut.finishedAt], ['TIMED_OUT', null, 5])
  throws(() => apply(aReport('finished'), { event: READ, at: 5, report: 0 }), /illegal move/)
  throws(() => apply(null, { event: READ, at: 5, report: 0 }), /totals_read before requested/)
})

test('a report calls its terminal once and has a time limit until it ends', () => {
  const record = aReport()
  const [event] = [{ ...REQUEST, type: 'requested', limitMs: 60_000 } as ReportEvent]
  deepEqual(
    effectsOf(event!, record).map(({ id }) => id),
    ['x1.1.terminal.run_report'],
  )
  for (const other of [STARTED, READ, { type: 'timed_out' }] as const) deepEqual(effectsOf(other, record), [])
  for (const progress of ['requested', 'running'] as const)
    deepEqual(timersOf(aReport(progress)), [{ name: 'limit', dueAt: 60_000 }], progress)
  deepEqual(timersOf(aReport('finished')), [])
})

test('a report has an origin, and notifications of its start and end', () => {
  equal(originOf(aReport()), 'till')
  equal(originOf({ ...aReport(), origin: 'terminal' }), 'terminal')
  deepEqual(notificationsOf(aReport('running')), ['REPORT_STARTED'])
  deepEqual(notificationsOf(aReport('finished')), ['REPORT_STARTED', 'REPORT_FINISHED'])
})
