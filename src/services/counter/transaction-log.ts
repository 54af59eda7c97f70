// src/services/counter/transaction-log.ts — logs and counts counter transactions.
import { resultKnownOf } from '../../domain/counter/late-outcome.ts'
import type { TerminalTransaction } from '../../domain/counter/transaction.ts'
import type { Listener } from '../../engine/feed.ts'
import { TERMINAL_TRANSACTION } from '../../engine/machines.ts'
import type { Log, Meters } from '../../engine/ports/log.ts'

/** Writes one log line and one metric at the start and at the end of each transaction, and a line for an outcome that is found later. */
export function logTransactions(log: Log, meters: Meters): Listener {
  return ({ kind, record, events }) => {
    if (kind !== TERMINAL_TRANSACTION.kind) return
    const { requestId, tid, request, result, found } = record as TerminalTransaction
    const type = request.transactionType
    for (const event of events) {
      if (event.type === 'started') {
        meters.transactionStarted(type)
        log.info({ requestId, tid, type }, 'transaction started')
      }
      if (event.type === 'ended' || event.type === 'timed_out') {
        const outcome = result ?? 'TIMED_OUT'
        meters.transactionFinished(type, outcome)
        log.info({ requestId, tid, type, outcome }, 'transaction finished')
      }
      if (event.type === 'found_successful' || event.type === 'found_unsuccessful') {
        log.info({ requestId, tid, type, outcome: found?.result }, 'outcome found after the time limit')
      }
      if (event.type === 'found_after_closing' && resultKnownOf(record as TerminalTransaction) === 'TIMED_OUT')
        log.error({ requestId, tid, type, outcome: found?.result }, 'terminal contradicts who closed the transaction')
    }
  }
}
