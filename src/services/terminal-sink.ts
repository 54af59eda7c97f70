// src/services/terminal-sink.ts — receives deliveries of terminals and passes each to its use case.
import type { Effects } from '../engine/effects.ts'
import { REPORT, TERMINAL_TRANSACTION } from '../engine/machines.ts'
import type { TerminalSink } from '../engine/ports/terminal.ts'
import type { Reports } from './counter/reports.ts'
import type { Terminals } from './counter/terminals.ts'
import type { Transactions } from './counter/transactions.ts'
import type { Waiters } from './tables/waiters.ts'

export interface SinkParts {
  readonly terminals: Terminals
  readonly transactions: Transactions
  readonly reports: Reports
  readonly effects: Effects
  readonly waiters: Waiters
}

/** Creates the sink of all drivers. */
export function createSink({ terminals, transactions, reports, effects, waiters }: SinkParts): TerminalSink {
  return {
    async report(delivery) {
      await transactions.receive(delivery)
      // The transaction has ended: effects that waited for that are retried at once.
      const { account, requestId: id, reports: told } = delivery
      if (told.some(({ type }) => type === 'ended')) effects.hurry({ account, kind: TERMINAL_TRANSACTION.kind, id })
    },
    reportProgress: reports.receive,
    atTable: waiters.ask,
    async reconnected(account, tid) {
      const live = await terminals.liveOn(account, tid, true)
      const terminal = await terminals.installed(account, tid)
      if (terminal === null) return
      if (live !== null) {
        const { requestId } = live.kind === 'report' ? live.report : live.transaction
        const memory = await terminals.fleet.driverOf(terminal).lastTransaction(terminal, requestId)
        if (memory.state === 'forgotten')
          await (live.kind === 'report' ? reports : transactions).forgotten(account, requestId)
        if (live.kind === 'report') effects.hurry({ account, kind: REPORT.kind, id: requestId })
      }
      // Effects that wait for this terminal are retried at once, not after their delay. That includes a timed-out sale, of
      // which only the terminal knows whether it was completed.
      for (const id of await terminals.lastOn(account, tid))
        effects.hurry({ account, kind: TERMINAL_TRANSACTION.kind, id })
    },
  }
}
