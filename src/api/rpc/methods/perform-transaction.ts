// src/api/rpc/methods/perform-transaction.ts — a till asks a terminal to take a payment, and is told everything on the way
// to its end. The name of the method is the type of the transaction. Terminal socket reference 5.3.
import { type Static, type TSchema, Type } from 'typebox'
import { isCardNumber } from '../../../domain/card.ts'
import type { Terminal } from '../../../domain/terminal.ts'
import type { TerminalTransaction } from '../../../domain/terminal-transaction.ts'
import type { TransactionRequest, TransactionType } from '../../../domain/terminal-transaction-events.ts'
import { TERMINAL_TRANSACTION } from '../../../engine/machines.ts'
import type { SocketStart } from '../../interceptor.ts'
import { createConversation } from '../conversation.ts'
import { EXAMPLE_PAYMENT } from '../examples.ts'
import { startAndFollow } from '../follow.ts'
import { type Caller, type Line, type RpcMethod, rpcMethod, type Taken } from '../method.ts'
import { paymentOf } from '../payment.ts'
import { CURRENCY, exactly, PAYMENT, TID } from '../shapes.ts'

const AMOUNT = Type.Integer({ minimum: 1, maximum: 99_999_999, description: 'Minor units.' })
/** Readable: it is kept. */
const AUTH_CODE = { minLength: 1, maxLength: 20, pattern: '^[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]*$' }

const ALWAYS = { tid: TID, currency: CURRENCY, amount: AMOUNT }
const WITHOUT_CARD = Type.Optional(
  Type.Boolean({ description: 'The number is keyed in at the terminal; takes longer than with a card.' }),
)

/** Every member that one of these methods takes: where it is not taken, saying nothing with it is allowed. */
const SOMETIMES = ['amountCashback', 'cardholderNotPresent', 'authCode', 'amountPreAuthorisedTotal']

type Asked = Static<typeof ASKED>
const ASKED = Type.Object({
  ...ALWAYS,
  amountCashback: Type.Optional(Type.Integer()),
  cardholderNotPresent: WITHOUT_CARD,
  authCode: Type.Optional(Type.String()),
  amountPreAuthorisedTotal: Type.Optional(Type.Integer()),
})

export const sale = performing('sale', 'SALE', 'Take a payment', {
  ...ALWAYS,
  amountCashback: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 10_000, description: 'Only attempted: the result tells what was given.' }),
  ),
  cardholderNotPresent: WITHOUT_CARD,
})

export const refund = performing('refund', 'REFUND', 'Give money back', {
  ...ALWAYS,
  cardholderNotPresent: WITHOUT_CARD,
  authCode: Type.Optional(Type.String({ description: 'Passed over; tills in the field send it.' })),
})

export const preAuth = performing('preAuth', 'PRE_AUTH', 'Reserve money', ALWAYS)

export const completion = performing('completion', 'COMPLETION', 'Take money that was reserved', {
  ...ALWAYS,
  authCode: Type.String({ ...AUTH_CODE, description: 'Of the first pre-authorisation made on the card. Seed §2.2.' }),
  amountPreAuthorisedTotal: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 99_999_999, description: 'The sum of all pre-authorisations, minor units.' }),
  ),
})

export const accountVerification = performing('accountVerification', 'ACCOUNT_VERIFICATION', 'Check a card', {
  ...ALWAYS,
  amount: Type.Integer({ minimum: 0, maximum: 99_999_999, description: 'Counts as 0: no money moves.' }),
})

function performing(
  name: string,
  transactionType: TransactionType,
  summary: string,
  members: Readonly<Record<string, TSchema>>,
): RpcMethod {
  return rpcMethod({
    name,
    summary,
    description:
      'Answered once, when the transaction is over: a decline, a cancel and a time-out are results. An error means ' +
      'that nothing was started. Wait at least 300 seconds, and 500 where the number is keyed in.',
    params: exactly(members),
    passedOver: SOMETIMES.filter(member => !(member in members)),
    result: PAYMENT,
    example: { params: exampleOf(members), result: { ...EXAMPLE_PAYMENT, transactionType } },
    refusals: ['terminal_unavailable', 'signature_pending', 'terminal_busy'],
    pushes: true,
    // The params are as the members say, each of which is as ASKED says.
    run: (caller, params) => perform(caller, transactionType, params as Asked),
  })
}

async function perform(caller: Caller, transactionType: TransactionType, asked: Asked): Promise<Taken> {
  const { api, account } = caller
  const { tid } = asked
  const terminal = await api.transactions.atCounter(account.id, tid)
  if (terminal === null) return { refused: { code: 'terminal_unavailable', tid } }
  const request = requestOf(transactionType, asked)
  // What is kept in clear must not be a card number, whoever put it there.
  if (request.authCode !== null && isCardNumber(request.authCode))
    return { refused: { code: 'field_invalid', field: 'authCode' } }
  if (lacksTotal(request, api.settings.strictCompletion))
    return { refused: { code: 'field_invalid', field: 'amountPreAuthorisedTotal' } }

  const requestId = api.random.uuid()
  const begin = () => start(caller, requestId, terminal, request, asked)
  return api.interceptor.socketStart(caller, terminal, requestId, begin)
}

async function start(
  caller: Caller,
  requestId: string,
  { settings }: Terminal,
  request: TransactionRequest,
  asked: Asked,
): Promise<SocketStart> {
  const { api, account, partner, line } = caller
  const { tid } = asked
  if (line === null) throw new Error('a transaction needs a line to its till')
  if (request.currency !== settings.currency) return { refused: { code: 'field_invalid', field: 'currency' } }
  const key = { account: account.id, kind: TERMINAL_TRANSACTION.kind, id: requestId }
  const cameAt = api.clocks.of(account.id).now()
  const conversation = conversationWith(caller, api.interceptor.line(caller, requestId, line), requestId)
  const started = await startAndFollow<TerminalTransaction>(caller, key, conversation.hear, () =>
    api.transactions.start({ requestId, account: account.id, tid, request, partner }),
  )
  if ('refused' in started) return started
  const answered = api.interceptor.startCall(caller, requestId, {
    what: request.transactionType,
    params: asked,
    at: cameAt,
  })
  const end = started.end.finally(conversation.end).then(record => endOf(caller, record, { tid, requestId }))
  void end.then(answered, () => {})
  return { underWay: end }
}

function conversationWith({ api, account }: Caller, line: Line, id: string) {
  return createConversation(line, accepted => {
    // What comes of it, the transaction tells; and what comes too late changes nothing.
    void api.transactions
      .execute({ account: account.id, id }, { type: 'decide_signature', accepted })
      .catch(error => api.log.error({ requestId: id, error }, 'signature decision failed'))
  })
}

function endOf(
  { api, account }: Caller,
  record: TerminalTransaction | null,
  about: { tid: string; requestId: string },
) {
  if (record !== null) return { result: paymentOf(record, account.timeZone) }
  // The terminal goes on without the till, which finds the outcome by `duplicate` when it is back; or the simulator has
  // put the account back to another state.
  api.log.warn({ account: account.id, ...about }, 'a till will not hear how its transaction ends')
  return { refused: { code: 'terminal_silent', tid: about.tid } } as const
}

function requestOf(transactionType: TransactionType, asked: Asked): TransactionRequest {
  return {
    transactionType,
    currency: asked.currency,
    amountMinor: transactionType === 'ACCOUNT_VERIFICATION' ? 0 : asked.amount,
    cashbackMinor: asked.amountCashback ?? 0,
    cardholderNotPresent: asked.cardholderNotPresent ?? false,
    authCode: transactionType === 'COMPLETION' ? (asked.authCode ?? null) : null,
    preAuthorisedTotalMinor: asked.amountPreAuthorisedTotal ?? null,
  }
}

function lacksTotal({ transactionType, preAuthorisedTotalMinor }: TransactionRequest, strict: boolean): boolean {
  return strict && transactionType === 'COMPLETION' && preAuthorisedTotalMinor === null
}

function exampleOf(members: Readonly<Record<string, TSchema>>) {
  const known = { tid: '22160001', currency: 'GBP', amount: 1250, authCode: 'Q4R8T1' }
  const required = new Set(exactly({ ...members }).required)
  return Object.fromEntries(Object.entries(known).filter(([name]) => required.has(name)))
}
