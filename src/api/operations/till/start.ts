// src/api/operations/till/start.ts — starts a transaction on a terminal.

import { Type } from 'typebox'
import type { Refusal } from '../../../domain/refusals.ts'
import {
  type RequestedTransaction,
  type Reserve,
  startTransaction as startOnTerminal,
  type TransactionStart,
} from '../../../services/counter/start-transaction.ts'
import { transactionAddress } from '../../addresses.ts'
import { idempotencyKeyOf, startedAnswer, startOnce } from '../../http/start-once.ts'
import { callOverHttp } from '../../interceptor.ts'
import { type AccountRequestContext, type Answer, accountOperation } from '../../operation.ts'
import { refusedFor } from '../../read/field-fault.ts'
import type { JsonObject, Refused } from '../../read/json-body.ts'
import { EXAMPLE } from '../../schemas.ts'
import { duplicate } from '../../socket/methods/duplicate.ts'
import { accountVerification, completion, preAuth, refund, sale } from '../../socket/methods/perform-transaction.ts'
import { readTransactionRequest, TRANSACTION_REQUEST } from '../../transaction-request.ts'

const EXAMPLES = {
  sale: { transactionType: 'SALE', amount: 2599, currency: 'GBP' },
  'sale with cashback': { transactionType: 'SALE', amount: 2599, currency: 'GBP', amountCashback: 1000 },
  'card not present': { transactionType: 'SALE', amount: 2599, currency: 'GBP', cardholderNotPresent: true },
  refund: { transactionType: 'REFUND', amount: 500, currency: 'GBP' },
  'pre-authorisation': { transactionType: 'PRE_AUTH', amount: 10000, currency: 'GBP' },
  completion: {
    transactionType: 'COMPLETION',
    amount: 8150,
    currency: 'GBP',
    authCode: 'AB12C3',
    amountPreAuthorisedTotal: 10000,
  },
  'account verification': { transactionType: 'ACCOUNT_VERIFICATION' },
  duplicate: { transactionType: 'DUPLICATE' },
}

export const startTransaction = accountOperation({
  name: 'startTransaction',
  summary: 'Start a transaction on a terminal',
  description:
    'The transaction is stored before the answer. Send an `Idempotency-Key` to repeat the request safely after a lost answer: ' +
    'the same key with the same request starts nothing twice and gets the first answer.',
  tag: 'Pay at counter',
  area: 'connect',
  method: 'POST',
  path: '/pac/terminals/{tid}/transactions',
  rpc: [sale, refund, preAuth, completion, accountVerification, duplicate],
  headers: ['Idempotency-Key', 'Tollgate-Scenario'],
  body: { schema: TRANSACTION_REQUEST, examples: EXAMPLES },
  responses: {
    201: {
      description: 'The transaction runs. Poll its location.',
      schema: Type.Object({ requestId: Type.String(), location: Type.String({ format: 'uri' }) }),
      headers: ['Location', 'Idempotency-Replayed'],
      example: { requestId: EXAMPLE.requestId, location: EXAMPLE.location },
    },
  },
  refusals: [
    'terminal_unavailable',
    'header_invalid',
    'scenario_unplayable',
    'idempotency_key_reused',
    'signature_pending',
    'terminal_busy',
  ],
  async run(context, { params: { tid }, json }) {
    const terminal = await context.api.transactions.atCounter(context.account.id, tid)
    // A repeated idempotency key gets the first answer even if the terminal is unavailable now, so the request is read.
    if (terminal === null && idempotencyKeyOf(context) === undefined) return unavailable(tid)
    const requested = requestedIn(await json(), context.api.settings.strictCompletion)
    if ('refused' in requested) return terminal === null ? unavailable(tid) : requested
    const { account, request, response } = context
    const call = { account, request, ...callOverHttp(response) }
    const begin = (reserve: Reserve) => start(context, { tid, terminal, requested: requested.value }, reserve)
    return context.api.interceptor.start(call, terminal, begin)
  },
})

function requestedIn(
  body: { readonly value: JsonObject } | Refused,
  strictCompletion: boolean,
): { readonly value: RequestedTransaction } | Refused {
  if ('refused' in body) return body
  const read = readTransactionRequest(body.value, strictCompletion)
  return 'invalid' in read ? refusedFor(read) : read
}

async function start(
  context: AccountRequestContext,
  order: Pick<TransactionStart, 'tid' | 'terminal' | 'requested'>,
  reserve: Reserve,
): Promise<Answer> {
  const { api, account, partner } = context
  const { tid } = order
  const outcome = await startOnce(context, ['startTransaction', tid, order.requested], under =>
    startOnTerminal(api.transactions, { ...order, ...under, account: account.id, partner }, reserve),
  )
  if ('refused' in outcome) return refusalAnswer(context, outcome.refused)
  const { requestId, replayed } = outcome.answer
  return startedAnswer(requestId, transactionAddress(context.base, tid, requestId), replayed)
}

function unavailable(tid: string): { readonly refused: Refusal } {
  return { refused: { code: 'terminal_unavailable', tid } }
}

/** Adds the address of the transaction to `signature_pending`, so that the till can answer the signature. */
function refusalAnswer({ base }: AccountRequestContext, refused: Refusal): Answer {
  const { tid, requestId } = refused
  return tid !== undefined && requestId !== undefined
    ? { refused, location: transactionAddress(base, tid, requestId) }
    : { refused }
}
