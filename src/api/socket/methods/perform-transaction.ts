// src/api/socket/methods/perform-transaction.ts — the JSON-RPC methods that perform transactions, one for each type.

import { type TSchema, Type } from 'typebox'
import type { TerminalTransaction } from '../../../domain/counter/transaction.ts'
import type { TransactionType } from '../../../domain/counter/transaction-events.ts'
import { startAndFollow } from '../../../engine/follow.ts'
import { TERMINAL_TRANSACTION } from '../../../engine/machines.ts'
import { decideSignature } from '../../../services/counter/decide-signature.ts'
import { type Reserve, startTransaction, type TransactionStart } from '../../../services/counter/start-transaction.ts'
import type { SocketStart } from '../../interceptor.ts'
import { refusedFor } from '../../read/field-fault.ts'
import type { JsonObject } from '../../read/json-body.ts'
import {
  FIELD_NAMES,
  type FoundFields,
  optional,
  REQUEST_TYPES,
  requestedTransaction,
  ruleOf,
  TRANSACTION_FIELDS,
  type TransactionField,
} from '../../transaction-types.ts'
import { createConversation } from '../conversation.ts'
import { EXAMPLE_PAYMENT } from '../examples.ts'
import {
  type Caller,
  type MethodOutcome,
  type RpcAnswer,
  type RpcMethod,
  rpcMethod,
  type TillConnection,
} from '../method.ts'
import { exactly, PAYMENT, TID } from '../shapes.ts'
import { paymentOf } from '../transaction-result.ts'

export const sale = performing('SALE')
export const refund = performing('REFUND')
export const preAuth = performing('PRE_AUTH')
export const completion = performing('COMPLETION')
export const accountVerification = performing('ACCOUNT_VERIFICATION')

/** Defines the method for a transaction type. */
function performing(transactionType: Exclude<TransactionType, 'DUPLICATE'>): RpcMethod {
  const { method, summary } = REQUEST_TYPES[transactionType]
  const params = exactly({ tid: TID, ...membersOf(transactionType) })
  const used = FIELD_NAMES.filter(field => ['required', 'optional'].includes(ruleOf(transactionType, field, 'socket')))
  // Any text: nobody knows what tills write there, so it is not recorded.
  const unused = FIELD_NAMES.filter(field => ruleOf(transactionType, field, 'socket') === 'unused')
  return rpcMethod({
    name: method,
    summary,
    description:
      'Answered once, when the transaction ends: a decline, a cancel and a time-out are results. An error means that ' +
      'nothing was started. Wait at least 300 seconds, or 500 when the card number is keyed.',
    params,
    passedOver: FIELD_NAMES.filter(field => ruleOf(transactionType, field, 'socket') === 'refused'),
    result: PAYMENT,
    example: { params: exampleOf(params.required ?? []), result: { ...EXAMPLE_PAYMENT, transactionType } },
    refusals: ['terminal_unavailable', 'signature_pending', 'terminal_busy'],
    pushes: true,
    run: (caller, sent, rpcId) =>
      perform(caller, transactionType, { found: usedIn(sent, used), sent: without(sent, unused), rpcId }),
  })
}

/** Members of the params, by the rules of the transaction type. */
function membersOf(type: TransactionType): Readonly<Record<string, TSchema>> {
  const members = FIELD_NAMES.map(field => [field, memberOf(type, field)] as const)
  return Object.fromEntries(members.flatMap(([field, schema]) => (schema === null ? [] : [[field, schema]])))
}

/** Schema of a member. Null when the transaction type refuses it. */
function memberOf(type: TransactionType, field: TransactionField): TSchema | null {
  switch (ruleOf(type, field, 'socket')) {
    case 'required':
      return TRANSACTION_FIELDS[field]
    case 'optional':
      return optional(field)
    case 'refused':
      return null
    case 'unused':
      // Any text: nobody knows what tills write there, so it is not recorded.
      return Type.Optional(Type.String({ writeOnly: true, description: 'Ignored: existing tills send it.' }))
    case 'required unused':
      return Type.Integer({ minimum: 0, maximum: 99_999_999, description: 'Treated as 0: no money moves.' })
  }
}

async function perform(
  caller: Caller,
  type: TransactionType,
  { found, sent, rpcId }: { readonly found: FoundFields; readonly sent: JsonObject; readonly rpcId: number },
): Promise<MethodOutcome> {
  const { api, account, partner } = caller
  const tid = String(sent['tid'])
  const terminal = await api.transactions.atCounter(account.id, tid)
  if (terminal === null) return { refused: { code: 'terminal_unavailable', tid } }
  const requested = requestedTransaction(type, found, api.settings.strictCompletion)
  if ('invalid' in requested) return refusedFor(requested)
  const start = {
    requestId: api.random.uuid(),
    account: account.id,
    tid,
    terminal,
    requested: requested.value,
    partner,
    rpcId,
  }
  return api.interceptor.start(socketCall(caller), terminal, reserve => begin(caller, start, reserve, sent))
}

function without(sent: JsonObject, names: readonly TransactionField[]): JsonObject {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !names.some(each => each === name)))
}

/** Returns the fields that the transaction type uses. Their values are valid. */
function usedIn(sent: JsonObject, used: readonly TransactionField[]): FoundFields {
  return Object.fromEntries(used.flatMap(field => (Object.hasOwn(sent, field) ? [[field, sent[field]]] : [])))
}

async function begin(
  caller: Caller,
  start: TransactionStart,
  reserve: Reserve,
  params: JsonObject,
): Promise<SocketStart> {
  const { api, account, connection } = caller
  const { requestId, tid, requested } = start
  if (connection === null) throw new Error('a transaction needs a connection to its till')
  const at = api.clocks.of(account.id).now()
  const conversation = conversationWith(caller, api.interceptor.connection(caller, requestId, connection), requestId)
  const started = await startAndFollow<TerminalTransaction>(
    { feed: api.feed, whenGone: caller.whenGone },
    { account: account.id, kind: TERMINAL_TRANSACTION.kind, id: requestId },
    conversation.look,
    () => startTransaction(api.transactions, start, reserve),
  )
  if ('refused' in started) return started
  const answered = api.interceptor.record(caller, requestId, { what: requested.transactionType, params, beganAt: at })
  const end = started.end.finally(conversation.end).then(record => endOf(caller, record, { tid, requestId }))
  void end.then(answered, () => {})
  return { underWay: end, requestId }
}

/** Applies connection faults to a WebSocket caller. */
function socketCall(caller: Caller) {
  return {
    account: caller.account,
    request: null,
    cut(outcome: SocketStart | null): MethodOutcome {
      caller.cut()
      return outcome ?? { abandoned: true }
    },
    // Only the answer is delayed. The till gets its notifications in time.
    later: (outcome: SocketStart, wait: () => Promise<void>): MethodOutcome => ({
      ...outcome,
      underWay: answerLater(outcome, wait),
    }),
  }
}

async function answerLater(outcome: SocketStart, wait: () => Promise<void>): Promise<RpcAnswer> {
  const answer = 'underWay' in outcome ? await outcome.underWay : outcome
  await wait()
  return answer
}

function conversationWith(caller: Caller, connection: TillConnection, id: string) {
  const { api, account } = caller
  return createConversation(connection, caller, accepted => {
    // The transaction reports the outcome. A late decision changes nothing.
    void decideSignature(api.transactions, { account: account.id, id }, accepted).catch(error =>
      api.log.error({ requestId: id, error }, 'signature decision failed'),
    )
  })
}

function endOf(caller: Caller, record: TerminalTransaction | null, about: { tid: string; requestId: string }) {
  const { api, account } = caller
  if (record !== null) return { result: paymentOf(record, caller) }
  // The till has disconnected and finds the outcome by `duplicate` later, or the simulator has restored a snapshot of the
  // account.
  api.log.warn({ account: account.id, ...about }, 'transaction result not delivered to till')
  return { refused: { code: 'terminal_silent', tid: about.tid } } as const
}

function exampleOf(required: readonly string[]) {
  const known = { tid: '22160001', currency: 'GBP', amount: 1250, authCode: 'Q4R8T1' }
  return Object.fromEntries(Object.entries(known).filter(([name]) => required.includes(name)))
}
