// src/api/operations/till/transaction-operations.ts — reads and cancels transactions, and answers signatures.
import { Type } from 'typebox'
import type { TerminalTransaction } from '../../../domain/counter/transaction.ts'
import type { Entry } from '../../../engine/cache.ts'
import type { Follower } from '../../../engine/follow.ts'
import { TERMINAL_TRANSACTION } from '../../../engine/machines.ts'
import {
  LONGEST_CANCEL_WAIT_MS,
  outcomeOfCancel,
  cancelTransaction as requestCancel,
} from '../../../services/counter/cancel-transaction.ts'
import { decideSignature } from '../../../services/counter/decide-signature.ts'
import { transactionAddress } from '../../addresses.ts'
import { answerPoll } from '../../http/polling.ts'
import { whileWaiting } from '../../http/waiting-caller.ts'
import { type AccountRequestContext, type Answer, accountOperation } from '../../operation.ts'
import { EXAMPLE } from '../../schemas.ts'
import { cancelTransaction as rpcCancelTransaction } from '../../socket/methods/cancel.ts'
import { TRANSACTION, transactionBody } from '../../transaction-body.ts'
import { findOnTerminal, type RecordParams } from './records-of-terminal.ts'

const PATH = '/pac/terminals/{tid}/transactions/{requestId}'
const NOT_THERE = ['terminal_unavailable', 'transaction_unknown'] as const

export const getTransaction = accountOperation({
  name: 'getTransaction',
  summary: 'Read a transaction',
  description:
    'Poll once a second until the newest notification is TRANSACTION_FINISHED. With `If-None-Match`, an unchanged transaction ' +
    'gives an empty 304; with `Prefer: wait=30` as well, the answer comes at the next change instead.',
  tag: 'Pay at counter',
  area: 'connect',
  method: 'GET',
  path: PATH,
  headers: ['If-None-Match', 'Prefer'],
  responses: {
    200: {
      description: 'The transaction.',
      schema: TRANSACTION,
      headers: ['ETag', 'Preference-Applied'],
      example: {
        requestId: EXAMPLE.requestId,
        location: EXAMPLE.location,
        notifications: ['PIN_ENTRY', 'PLEASE_WAIT', 'PRESENT_CARD', 'TRANSACTION_STARTED'],
      },
    },
    304: { description: 'Not changed.', headers: ['ETag', 'Preference-Applied'] },
  },
  refusals: NOT_THERE,
  run: (context, { params }) =>
    answerPoll(context, {
      key: keyOf(context, params),
      find: () => find(context, params),
      represent: entry => represent(context, entry),
      isFinished: record => record.progress === 'finished',
    }),
})

export const cancelTransaction = accountOperation({
  name: 'cancelTransaction',
  summary: 'Request to cancel a transaction',
  description: 'Answered at once; the notifications of the transaction have the outcome.',
  tag: 'Pay at counter',
  area: 'connect',
  method: 'DELETE',
  path: PATH,
  rpc: [rpcCancelTransaction],
  responses: { 202: { description: 'The request was accepted. Continue polling.' } },
  refusals: NOT_THERE,
  async run(context, { params }) {
    const entry = await find(context, params)
    if ('refused' in entry) return entry
    const cancelled = await requestCancel(context.api.transactions, keyOf(context, params))
    return 'refused' in cancelled ? cancelled : { status: 202, outcome: () => awaitCancel(context, params) }
  },
})

export const answerSignature = accountOperation({
  name: 'answerSignature',
  summary: 'Accept or refuse a signature',
  description: 'Within 80 seconds. Answered at once; a late decision has no effect, and `userMessage` says so.',
  tag: 'Pay at counter',
  area: 'connect',
  method: 'PUT',
  path: `${PATH}/signature`,
  body: {
    schema: Type.Object({ accepted: Type.Boolean({ description: 'False: the terminal reverses the payment.' }) }),
    examples: { accept: { accepted: true }, refuse: { accepted: false } },
  },
  responses: { 202: { description: 'The decision was accepted. Continue polling.' } },
  refusals: NOT_THERE,
  async run(context, { params, body }) {
    const entry = await find(context, params)
    if ('refused' in entry) return entry
    const read = await body()
    if ('refused' in read) return read
    const { transactions } = context.api
    const decided = await decideSignature(transactions, keyOf(context, params), read.value.accepted)
    if ('refused' in decided) return decided
    const { inTime } = decided
    return { status: 202, outcome: () => (inTime ? { status: 202 } : { refused: { code: 'signature_too_late' } }) }
  },
})

/** Waits for the outcome of a cancel, at most LONGEST_CANCEL_WAIT_MS. */
async function awaitCancel(context: AccountRequestContext, params: RecordParams): Promise<Answer> {
  const { api, response } = context
  const key = keyOf(context, params)
  const outcome = (whenGone: Follower['whenGone']) => outcomeOfCancel({ ...api, whenGone }, key, params.tid)
  const waited = await whileWaiting(context, LONGEST_CANCEL_WAIT_MS, async whenGone => ({
    refused: await outcome(whenGone),
  }))
  // When too many callers wait, the answer is the current state.
  const { refused } = waited ?? { refused: await outcome(goneAlready) }
  if (response.destroyed) return { taken: true }
  return refused === null ? { status: 202 } : { refused }
}

function goneAlready(listener: () => void): () => void {
  listener()
  return () => {}
}

function keyOf({ account }: AccountRequestContext, { requestId }: RecordParams) {
  return { account: account.id, kind: TERMINAL_TRANSACTION.kind, id: requestId }
}

function find(context: AccountRequestContext, params: RecordParams) {
  const { atCounter } = context.api.transactions
  return findOnTerminal(context, TERMINAL_TRANSACTION, params, 'transaction_unknown', atCounter)
}

function represent({ api, account, apiVersion, base }: AccountRequestContext, entry: Entry<TerminalTransaction>) {
  const { tid, requestId } = entry.record
  return api.representations.of(entry, { operation: 'getTransaction', apiVersion, base }, () =>
    transactionBody(entry.record, transactionAddress(base, tid, requestId), account.timeZone),
  )
}
