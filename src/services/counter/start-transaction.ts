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

/** What the till asks for, before it is known what the terminal is set up with. */
export interface AskedTransaction extends Omit<TransactionRequest, 'currency'> {
  /** Null: that of the terminal. */
  readonly currency: TerminalCurrency | null
}

export interface TransactionStart {
  /** Made for this request; nothing is known under it yet. */
  readonly requestId: RequestId
  readonly account: MerchantAccountId
  readonly tid: TerminalId
  /** Null: no terminal of this id is connected and serves tills. */
  readonly terminal: Terminal | null
  readonly asked: AskedTransaction
  readonly partner: Partner
  readonly idempotency?: Idempotency
}

/** Prepares the terminal for a transaction that is about to start. Without a simulator there is nothing to prepare. */
export type Reserve = (terminal: Terminal, requestId: RequestId) => Reserved | { readonly refused: Refusal }

export interface Reserved {
  /** The transaction was not started after all. */
  withdraw(): void
}

/** Starts a transaction, or refuses. When it resolves, the start is durable. */
export async function startTransaction(
  transactions: Transactions,
  { terminal, asked, ...start }: TransactionStart,
  reserve: Reserve,
): Promise<Executed<TerminalTransaction, TransactionEvent>> {
  if (terminal === null) return { refused: { code: 'terminal_unavailable', tid: start.tid } }
  const { currency } = terminal.settings
  if ((asked.currency ?? currency) !== currency) return { refused: { code: 'field_invalid', field: 'currency' } }
  const reserved = reserve(terminal, start.requestId)
  if ('refused' in reserved) return reserved
  const executed = await transactions.start({ ...start, request: { ...asked, currency } })
  if (!('record' in executed)) reserved.withdraw()
  return executed
}
