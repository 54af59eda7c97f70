// src/services/terminal-sink.ts — where terminals deliver: each delivery goes to the machine it is about.
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

/** Builds the one sink that all drivers deliver to. */
export function createSink({ terminals, transactions, reports, effects, waiters }: SinkParts): TerminalSink {
  return {
    async report(delivery) {
      await transactions.receive(delivery)
      // It is done: what was to be asked of it while it went on is asked at once.
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
      // What waits for this terminal is tried at once, not when its turn comes: also for a sale that has timed out, of
      // which only the terminal knows whether the customer has seen it approved.
      for (const id of await terminals.lastOn(account, tid))
        effects.hurry({ account, kind: TERMINAL_TRANSACTION.kind, id })
    },
  }
}
