// src/engine/sink.ts — where terminals deliver: each delivery goes to the machine it is about.
import type { Effects } from './effects.ts'
import { REPORT, TERMINAL_TRANSACTION } from './machines.ts'
import type { TerminalSink } from './ports.ts'
import type { Reports } from './reports.ts'
import type { Terminals } from './terminals.ts'
import type { Transactions } from './transactions.ts'
import type { Waiters } from './waiters.ts'

export interface SinkParts {
  readonly terminals: Terminals
  readonly transactions: Transactions
  readonly reports: Reports
  readonly effects: Effects
  readonly waiters: Waiters
}

/** Builds the one sink that all drivers deliver to. */
export function createSink({ terminals, transactions, reports, effects, waiters }: SinkParts): TerminalSink {
  return {
    report: transactions.receive,
    reportProgress: reports.receive,
    atTable: waiters.ask,
    async reconnected(account, tid) {
      const live = await terminals.liveOn(account, tid, true)
      const terminal = live === null ? null : await terminals.installed(account, tid)
      if (live === null || terminal === null) return
      const kind = live.kind === 'report' ? REPORT.kind : TERMINAL_TRANSACTION.kind
      const { requestId } = live.kind === 'report' ? live.report : live.transaction
      const memory = await terminals.fleet.driverOf(terminal).lastTransaction(terminal, requestId)
      if (memory.state === 'forgotten')
        await (live.kind === 'report' ? reports : transactions).forgotten(account, requestId)
      // What waits for this terminal is tried at once, not when its turn comes.
      effects.hurry({ account, kind, id: requestId })
    },
  }
}
