// src/services/counter/start-transaction.ts — starts a transaction on a terminal, for every transport.

import type { Terminal } from '../../domain/accounts/terminal.ts'
import type { TerminalTransaction } from '../../domain/counter/transaction.ts'
import type { Partner, TransactionEvent, TransactionRequest } from '../../domain/counter/transaction-events.ts'
import type { MerchantAccountId, RequestId, TerminalId } from '../../domain/ids.ts'
import type { TerminalCurrency } from '../../domain/money.ts'
import type { Refusal } from '../../domain/refusals.ts'
import type { Executed } from '../../engine/engine.ts'
import type { Idempotency } from '../../engine/ports/store.ts'
import type { Transactions } from './transactions.ts'

/** A till's request before the currency is resolved from the terminal's settings. */
export interface RequestedTransaction extends Omit<TransactionRequest, 'currency'> {
  /** Null for the terminal's currency. */
  readonly currency: TerminalCurrency | null
}

export interface TransactionStart {
  /** Generated for this request; no record has it yet. */
  readonly requestId: RequestId
  readonly account: MerchantAccountId
  readonly tid: TerminalId
  /** Null when no connected terminal that serves tills has this id. */
  readonly terminal: Terminal | null
  readonly requested: RequestedTransaction
  readonly partner: Partner
  /** Id of the JSON-RPC request. */
  readonly rpcId?: number
  readonly idempotency?: Idempotency
}

/** Prepares a simulated terminal for a transaction that is about to start, or refuses. Without a simulator it does nothing. */
export type Reserve = (terminal: Terminal, requestId: RequestId) => Reserved | { readonly refused: Refusal }

export interface Reserved {
  /** Undoes the preparation, because the transaction was not started. */
  withdraw(): void
}

/** Starts a transaction, or refuses. Resolves when the start is durable. */
export async function startTransaction(
  transactions: Transactions,
  { terminal, requested, ...start }: TransactionStart,
  reserve: Reserve,
): Promise<Executed<TerminalTransaction, TransactionEvent>> {
  if (terminal === null) return { refused: { code: 'terminal_unavailable', tid: start.tid } }
  const { currency } = terminal.settings
  if ((requested.currency ?? currency) !== currency) return { refused: otherCurrency(start.tid, currency) }
  const reserved = reserve(terminal, start.requestId)
  if ('refused' in reserved) return reserved
  const executed = await transactions.start({ ...start, request: { ...requested, currency } })
  if (!('record' in executed)) reserved.withdraw()
  return executed
}

function otherCurrency(tid: TerminalId, currency: string): Refusal {
  const detail = `is not the currency of terminal ${tid}. It must be ${currency}.`
  return { code: 'field_invalid', field: 'currency', detail }
}
