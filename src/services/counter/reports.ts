// src/services/counter/reports.ts — starts reports on terminals and receives their progress.
import type { MerchantAccountId, RequestId, TerminalId } from '../../domain/ids.ts'
import type { Report, ReportEvent, ReportOrigin, ReportType } from '../../domain/reports/report.ts'
import type { Performers } from '../../engine/effects.ts'
import type { Engine, Executed } from '../../engine/engine.ts'
import { REPORT } from '../../engine/machines.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { Idempotency, StoredTimer } from '../../engine/ports/store.ts'
import type { ReportDelivery } from '../../engine/ports/terminal.ts'
import { servesTills, type Terminals } from './terminals.ts'

export interface ReportOrder {
  readonly requestId: RequestId
  readonly account: MerchantAccountId
  readonly tid: TerminalId
  readonly reportType: ReportType
  /** `terminal`: requested by a waiter at the terminal in table mode. Default: a till. */
  readonly origin?: ReportOrigin
  readonly idempotency?: Idempotency
}

export interface Reports {
  /** Starts a report on a terminal, or refuses. Resolves when the start is durable. */
  start(order: ReportOrder): Promise<Executed<Report, ReportEvent>>
  /** Receives a terminal's progress of a report. */
  receive(delivery: ReportDelivery): Promise<void>
  /** The terminal has lost this report: ends it. */
  forgotten(account: MerchantAccountId, requestId: RequestId): Promise<void>
  readonly performers: Performers
  fire(timer: StoredTimer): Promise<boolean>
}

/** Binds reports to their ports. `limitMs`: time limit of a report, in milliseconds. */
export function createReports({
  engine,
  terminals,
  log,
  limitMs,
}: {
  readonly engine: Engine
  readonly terminals: Terminals
  readonly log: Log
  readonly limitMs: number
}): Reports {
  async function factsFor({ account, tid, origin = 'till' }: ReportOrder, attempt: number) {
    const [terminal, live] = await Promise.all([
      terminals.connected(account, tid),
      terminals.liveOn(account, tid, attempt > 1),
    ])
    if (terminal === null || (origin === 'till' && !servesTills(terminal)))
      return { available: false, busy: false, limitMs }
    const waited = origin === 'till' && terminals.fleet.presence(terminal)?.inUse === true
    return { available: true, busy: live !== null || waited, limitMs }
  }
  return {
    start: order => {
      const { account, requestId, tid, reportType, origin, idempotency } = order
      return engine.execute(
        REPORT,
        { account, id: requestId },
        {
          ...{ type: 'request', requestId, merchantAccount: account, tid, reportType },
          ...(origin === undefined ? {} : { origin }),
        },
        { facts: (_none, attempt) => factsFor(order, attempt), ...(idempotency === undefined ? {} : { idempotency }) },
      )
    },
    async receive({ account, requestId, sequence, reports }) {
      const command = { type: 'terminal_reports', sequence, reports } as const
      const executed = await engine.execute(REPORT, { account, id: requestId }, command, { report: sequence })
      if ('refused' in executed) log.warn({ requestId, sequence }, 'progress of an unknown report')
    },
    async forgotten(account, requestId) {
      await engine.execute(REPORT, { account, id: requestId }, { type: 'terminal_forgot' })
    },
    performers: {
      async 'terminal.run_report'(effect) {
        const entry = await engine.read(REPORT, effect)
        if (entry === null || entry.record.progress === 'finished') return 'done'
        const terminal = await terminals.installed(effect.account, entry.record.tid)
        if (terminal === null) return 'done'
        await terminals.fleet
          .driverOf(terminal)
          .runReport({ effectId: effect.effectId, terminal, report: entry.record })
        return 'done'
      },
    },
    async fire({ account, id }) {
      const executed = await engine.execute(REPORT, { account, id }, { type: 'time_is_up' }, { timer: true })
      return 'events' in executed && executed.events.length > 0
    },
  }
}
