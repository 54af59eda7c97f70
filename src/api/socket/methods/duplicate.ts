// src/api/socket/methods/duplicate.ts — the JSON-RPC method that reads a terminal's last transaction.
import type { TerminalTransaction } from '../../../domain/counter/transaction.ts'
import { startAndFollow } from '../../../engine/follow.ts'
import { TERMINAL_TRANSACTION } from '../../../engine/machines.ts'
import { startTransaction } from '../../../services/counter/start-transaction.ts'
import { EXAMPLE_PAYMENT } from '../examples.ts'
import { type Caller, type MethodOutcome, type RpcAnswer, rpcMethod } from '../method.ts'
import { REPEATED_PAYMENT, TID_ONLY } from '../shapes.ts'
import { repeatedPaymentOf } from '../transaction-result.ts'

const EXAMPLE = {
  ...EXAMPLE_PAYMENT,
  receiptLines: { CUSTOMER: [{ value: '** DUPLICATE **', type: 'TEXT', format: ['BOLD'] }] },
}

export const duplicate = rpcMethod({
  name: 'duplicate',
  summary: 'Read the last transaction of a terminal',
  description:
    'The last transaction that was processed there, also if another client started it: compare amount, currency, type and ' +
    'time to be sure that it is yours. Needs no card. Each call asks the terminal, which takes seconds.',
  params: TID_ONLY,
  result: REPEATED_PAYMENT,
  example: { params: { tid: EXAMPLE.tid }, result: EXAMPLE },
  refusals: ['terminal_unavailable', 'signature_pending', 'terminal_busy', 'nothing_to_repeat', 'terminal_silent'],
  run: performDuplicate,
})

/** Queries the terminal, not the store: only the terminal knows what happened while it was offline. ADR 10. */
async function performDuplicate(
  caller: Caller,
  { tid }: { readonly tid: string },
  rpcId: number,
): Promise<MethodOutcome> {
  const { api, account, partner } = caller
  const terminal = await api.transactions.atCounter(account.id, tid)
  const requestId = api.random.uuid()
  const start = { requestId, account: account.id, tid, terminal, requested: REQUEST, partner, rpcId }
  const started = await startAndFollow<TerminalTransaction>(
    { feed: api.feed, whenGone: caller.whenGone },
    { account: account.id, kind: TERMINAL_TRANSACTION.kind, id: requestId },
    ({ progress }) => progress === 'finished',
    () => startTransaction(api.transactions, start, () => ({ withdraw() {} })),
  )
  if ('refused' in started) return started
  return { underWay: started.end.then(record => answerOf(record, tid, caller)) }
}

const REQUEST = {
  transactionType: 'DUPLICATE',
  currency: null,
  amountMinor: 0,
  cashbackMinor: 0,
  cardholderNotPresent: false,
  authCode: null,
  preAuthorisedTotalMinor: null,
} as const

function answerOf(record: TerminalTransaction | null, tid: string, caller: Caller): RpcAnswer {
  if (record?.repeated) return { result: repeatedPaymentOf(record, caller) }
  const silent = record === null || record.result === 'TIMED_OUT'
  return { refused: { code: silent ? 'terminal_silent' : 'nothing_to_repeat', tid } }
}
