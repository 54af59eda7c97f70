// src/api/transaction-types.ts — the transaction types, with the rules of their request fields.

import { type TSchema, Type } from 'typebox'
import { idHoldsCardNumber } from '../domain/card-numbers.ts'
import { TRANSACTION_TYPES, type TransactionType } from '../domain/counter/transaction-events.ts'
import type { TerminalCurrency } from '../domain/money.ts'
import { MAY_BE_CARD } from '../domain/refusals.ts'
import type { RequestedTransaction } from '../services/counter/start-transaction.ts'
import { faultIn } from './read/field-fault.ts'
import type { Schema } from './read/schema.ts'
import type { Read } from './read/schema-reader.ts'
import { CURRENCY } from './schemas.ts'

const AMOUNT = Type.Integer({ minimum: 1, maximum: 99_999_999, description: 'Minor units.' })
/** Without control characters and surrogates, because it is stored. */
const AUTH_CODE = { minLength: 1, maxLength: 20, pattern: '^[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]*$' }

/** The schema of each field, in the order in which fields are checked. */
export const TRANSACTION_FIELDS = {
  currency: CURRENCY,
  amount: AMOUNT,
  amountCashback: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: 'Minor units. SALE only. Cashback is attempted; the result has the amount given.',
  }),
  cardholderNotPresent: Type.Boolean({
    description: 'Keyed at the terminal without the card, which takes longer. SALE and REFUND only.',
  }),
  authCode: Type.String({
    ...AUTH_CODE,
    description: 'COMPLETION only: the code of the first pre-authorisation made on the card.',
  }),
  amountPreAuthorisedTotal: Type.Integer({
    minimum: 1,
    maximum: 99_999_999,
    description: 'COMPLETION only: the sum of all pre-authorisations on the card, minor units.',
  }),
}

export type TransactionField = keyof typeof TRANSACTION_FIELDS
export const FIELD_NAMES = Object.keys(TRANSACTION_FIELDS) as readonly TransactionField[]

/**
 * `refused`: accepted only when empty, zero or false. `unused`: accepted and ignored. `required unused`: required by the
 * published schema, and ignored.
 */
type Rule = 'required' | 'optional' | 'refused' | 'unused' | 'required unused'
export type Transport = 'rest' | 'socket'

interface TransactionTypeRow {
  /** The JSON-RPC method that starts it. */
  readonly method: string
  /** REST version that introduced the type. Absent when all versions have it. */
  readonly since?: 'v2'
  /** Summary for the generated documents. */
  readonly summary: string
  /** One rule for both transports, or one for each. */
  readonly fields: Readonly<Record<TransactionField, Rule | Readonly<Record<Transport, Rule>>>>
}

/** Types with a result of their own. A DUPLICATE repeats that of another transaction. */
export const RESULT_TYPES = TRANSACTION_TYPES.filter(type => type !== 'DUPLICATE')

export const REQUEST_TYPES: Readonly<Record<TransactionType, TransactionTypeRow>> = {
  SALE: {
    method: 'sale',
    summary: 'Take a payment',
    fields: {
      currency: 'required',
      amount: 'required',
      amountCashback: 'optional',
      cardholderNotPresent: 'optional',
      authCode: 'refused',
      amountPreAuthorisedTotal: 'refused',
    },
  },
  REFUND: {
    method: 'refund',
    summary: 'Refund a payment',
    fields: {
      currency: 'required',
      amount: 'required',
      amountCashback: 'refused',
      cardholderNotPresent: 'optional',
      // Tills in the field send it over the socket.
      authCode: { rest: 'refused', socket: 'unused' },
      amountPreAuthorisedTotal: 'refused',
    },
  },
  DUPLICATE: {
    method: 'duplicate',
    summary: 'Read the last transaction of a terminal',
    fields: {
      currency: 'optional',
      amount: 'refused',
      amountCashback: 'refused',
      cardholderNotPresent: 'refused',
      authCode: 'refused',
      amountPreAuthorisedTotal: 'refused',
    },
  },
  PRE_AUTH: {
    method: 'preAuth',
    since: 'v2',
    summary: 'Reserve an amount',
    fields: {
      currency: 'required',
      amount: 'required',
      amountCashback: 'refused',
      cardholderNotPresent: 'refused',
      authCode: 'refused',
      amountPreAuthorisedTotal: 'refused',
    },
  },
  COMPLETION: {
    method: 'completion',
    since: 'v2',
    summary: 'Capture a reserved amount',
    fields: {
      currency: 'required',
      amount: 'required',
      amountCashback: 'refused',
      cardholderNotPresent: 'refused',
      authCode: 'required',
      // Required by the setting `strictCompletion`.
      amountPreAuthorisedTotal: 'optional',
    },
  },
  ACCOUNT_VERIFICATION: {
    method: 'accountVerification',
    since: 'v2',
    summary: 'Check a card',
    fields: {
      currency: { rest: 'optional', socket: 'required' },
      amount: { rest: 'unused', socket: 'required unused' },
      amountCashback: 'refused',
      cardholderNotPresent: 'refused',
      authCode: 'refused',
      amountPreAuthorisedTotal: 'refused',
    },
  },
}

/** Types and methods that older versions do not have. */
export const NEWEST_TYPES: ReadonlySet<unknown> = namesOfNewest(([type]) => type)
export const NEWEST_METHODS: ReadonlySet<unknown> = namesOfNewest(([, { method }]) => method)

function namesOfNewest(nameOf: (entry: [string, TransactionTypeRow]) => string): ReadonlySet<unknown> {
  return new Set(
    Object.entries(REQUEST_TYPES)
      .filter(([, { since }]) => since !== undefined)
      .map(nameOf),
  )
}

/** The rule of a field for a type on a transport. */
export function ruleOf(type: TransactionType, field: TransactionField, transport: Transport): Rule {
  const rule = REQUEST_TYPES[type].fields[field]
  return typeof rule === 'string' ? rule : rule[transport]
}

/** Fields by name, valid by the schema of each field. */
export interface FoundFields {
  readonly currency?: TerminalCurrency
  readonly amount?: number
  readonly amountCashback?: number
  readonly cardholderNotPresent?: boolean
  readonly authCode?: string
  readonly amountPreAuthorisedTotal?: number
}

/**
 * Builds a request from its fields, or says what is wrong with one of them.
 * @param found only fields that the type uses
 * @param strictCompletion whether a COMPLETION must have `amountPreAuthorisedTotal`
 */
export function requestedTransaction(
  transactionType: TransactionType,
  found: FoundFields,
  strictCompletion: boolean,
): Read<RequestedTransaction> {
  const requested = {
    transactionType,
    currency: found.currency ?? null,
    amountMinor: found.amount ?? 0,
    cashbackMinor: found.amountCashback ?? 0,
    cardholderNotPresent: found.cardholderNotPresent ?? false,
    authCode: found.authCode ?? null,
    preAuthorisedTotalMinor: found.amountPreAuthorisedTotal ?? null,
  }
  // `authCode` is stored in clear, so a misplaced card number is refused.
  if (requested.authCode !== null && idHoldsCardNumber(requested.authCode))
    return { invalid: 'authCode', says: MAY_BE_CARD }
  if (strictCompletion && transactionType === 'COMPLETION' && requested.preAuthorisedTotalMinor === null)
    return faultIn(TRANSACTION_FIELDS.amountPreAuthorisedTotal as Schema, undefined, 'amountPreAuthorisedTotal')
  return { value: requested }
}

/** Schema of a field, made optional. */
export function optional(field: TransactionField): TSchema {
  return Type.Optional(TRANSACTION_FIELDS[field] as TSchema)
}
