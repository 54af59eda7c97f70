// src/api/management-views.ts — transactions and events as the management API shows them, without secrets.

import { type Static, Type } from 'typebox'
import { paymentKnownOf, type TerminalTransaction } from '../domain/counter/transaction.ts'
import { NEXT_STEPS, type NextStep, verdictOf } from '../domain/counter/transaction-verdict.ts'
import { decodeAnyEvent } from '../engine/all-machines.ts'
import { API_KEY } from '../engine/machines.ts'
import { ONLINE_PAYMENT } from '../engine/online-machine.ts'
import type { StoredEvent } from '../engine/ports/store.ts'
import { utcTimeOf } from './local-time.ts'
import { nullable, oneOf, TIME, TRANSACTION_TYPE } from './schemas.ts'
import { TRANSACTION, type TransactionBody } from './transaction-body.ts'

const NEXT_STEP_NAMES = Object.keys(NEXT_STEPS) as readonly NextStep[]

export const VERDICT = Type.Object(
  {
    final: Type.Boolean({ description: 'The outcome and the money can no longer change.' }),
    moneyTaken: oneOf(['yes', 'no', 'unknown']),
    safeToRetry: Type.Boolean({ description: 'A retry cannot lead to a second charge.' }),
    nextStep: oneOf(NEXT_STEP_NAMES, {
      description: Object.entries(NEXT_STEPS)
        .map(([name, meaning]) => `\`${name}\`: ${meaning}`)
        .join(' '),
    }),
  },
  { $id: 'Verdict' },
)

const NAME = nullable(Type.String())
const MINOR = nullable(Type.Integer({ description: 'Minor units; null until the end.' }))

export const MANAGED_TRANSACTION = Type.Object(
  {
    requestId: Type.String(),
    tid: Type.String(),
    transactionType: TRANSACTION_TYPE,
    amountMinor: Type.Integer({ description: 'As requested, minor units.' }),
    totalMinor: nullable(
      Type.Integer({
        description:
          'Asked of the card, with gratuity and cashback, minor units; 0 if none was read; null until the end.',
      }),
    ),
    gratuityMinor: MINOR,
    cashbackMinor: MINOR,
    currency: Type.String(),
    scheme: nullable(Type.String({ description: 'Of the card; null until the end, and if none was read.' })),
    verdict: VERDICT,
    result: nullable(Type.String()),
    progress: Type.String({ description: 'Progress on the terminal.' }),
    cancel: Type.String({ description: 'Outcome of the till’s cancel request.' }),
    authorisation: Type.String({ description: 'State of the money.' }),
    table: nullable(Type.Object({ tableId: Type.String(), paymentId: Type.String() })),
    partner: Type.Object({ softwareHouseId: NAME, installerId: NAME }),
    rpcId: Type.Optional(
      Type.Integer({ description: 'Id of the JSON-RPC request that started it; absent over REST.' }),
    ),
    startedAt: TIME,
    finishedAt: nullable(TIME),
    version: Type.Integer({ description: 'Number of events so far.' }),
  },
  { $id: 'TransactionRecord' },
)

export const MANAGED_TRANSACTION_IN_FULL = Type.Object(
  {
    ...MANAGED_TRANSACTION.properties,
    record: Type.Unsafe<TerminalTransaction>({ type: 'object', description: 'The stored record.' }),
    connect: TRANSACTION,
  },
  { $id: 'TransactionRecordInFull' },
)

/** The view of a transaction in a list. */
export function managedTransaction(record: TerminalTransaction): Static<typeof MANAGED_TRANSACTION> {
  const { requestId, tid, request, result, progress, cancel, authorisation, partner, rpcId, version } = record
  const { transactionType, amountMinor, currency, table } = request
  return {
    ...{ requestId, tid, transactionType, amountMinor },
    ...spentFields(record),
    currency,
    verdict: verdictOf(record),
    table: table === undefined ? null : { tableId: table.tableId, paymentId: table.paymentId },
    ...{ result, progress, cancel, authorisation, partner: { ...partner } },
    ...(rpcId === undefined ? {} : { rpcId }),
    startedAt: utcTimeOf(record.startedAt),
    finishedAt: record.finishedAt === null ? null : utcTimeOf(record.finishedAt),
    version,
  }
}

/** What the till reads at the end, too. */
function spentFields(record: TerminalTransaction) {
  if (record.progress !== 'finished')
    return { totalMinor: null, gratuityMinor: null, cashbackMinor: null, scheme: null }
  const { amounts, card, totalMinor } = paymentKnownOf(record)
  const { gratuityMinor, cashbackMinor } = amounts
  const { cardSchemeName } = card
  return {
    totalMinor,
    ...{ gratuityMinor, cashbackMinor, scheme: cardSchemeName === '' ? null : cardSchemeName },
  }
}

/** The full view of a transaction. @param connect the transaction as the till sees it */
export function managedTransactionInFull(
  record: TerminalTransaction,
  connect: TransactionBody,
): Static<typeof MANAGED_TRANSACTION_IN_FULL> {
  return { ...managedTransaction(record), record, connect }
}

export const EVENT = Type.Object(
  {
    cursor: Type.Integer({ description: 'Position in the event feed of the account, increasing.' }),
    kind: Type.String({ description: 'Kind of the record: terminal-transaction, terminal, …' }),
    id: Type.String({ description: 'Id of the record.' }),
    version: Type.Integer({ description: 'Version of the record after this event.' }),
    at: TIME,
    type: Type.String(),
    data: Type.Object({}, { additionalProperties: true, description: 'Other members of the event.' }),
  },
  { $id: 'Event' },
)

/** Members of events that are never shown: the acquirer's card token and the hash of an API key. */
const SECRET: ReadonlySet<string> = new Set(['cardToken', 'hash'])
/** Never shown at any depth of an online payment: vault reference, look-up hash, proofs of authentication. */
const SECRET_ONLINE: ReadonlySet<string> = new Set(['vault', 'lookup', 'value', 'walletProof', 'payload'])

/** Whose key it is: names by which people sign in are in no feed of a merchant. */
const OF_PEOPLE: ReadonlySet<string> = new Set(['user', 'session'])

/** The view of a stored event. */
export function eventView(stored: StoredEvent): Static<typeof EVENT> {
  const { cursor, kind, id, version, at, type } = stored
  const withoutSecrets = (name: string, value: unknown) => (SECRET_ONLINE.has(name) ? undefined : value)
  const { event } = decodeAnyEvent(stored, kind === ONLINE_PAYMENT.kind ? withoutSecrets : undefined)
  const isHidden = (name: string) => SECRET.has(name) || (kind === API_KEY.kind && OF_PEOPLE.has(name))
  const data = Object.fromEntries(Object.entries(event).filter(([name]) => name !== 'type' && !isHidden(name)))
  return { cursor, kind, id, version, at: utcTimeOf(at), type, data }
}
