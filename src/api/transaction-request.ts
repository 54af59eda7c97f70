// src/api/transaction-request.ts — which fields each kind of transaction takes, and what may be in them. Terminal
// reference 5.3.

import { type TSchema, Type } from 'typebox'
import { isCardNumber } from '../domain/card.ts'
import type { TerminalCurrency } from '../domain/money.ts'
import {
  TRANSACTION_TYPES,
  type TransactionRequest,
  type TransactionType,
} from '../domain/terminal-transaction-events.ts'
import type { JsonObject } from './read/json-body.ts'
import { type Read, readAs, saysNothing } from './read/lenient.ts'
import { CURRENCY, oneOf } from './schemas.ts'

const AMOUNT = Type.Integer({ minimum: 1, maximum: 99_999_999, description: 'Minor units.' })

const FIELDS = {
  transactionType: oneOf(TRANSACTION_TYPES),
  currency: CURRENCY,
  amount: AMOUNT,
  amountCashback: Type.Integer({ minimum: 0, maximum: 10_000, description: 'Minor units. SALE only.' }),
  cardholderNotPresent: Type.Boolean({ description: 'Keyed at the terminal without the card. SALE and REFUND only.' }),
  authCode: Type.String({
    minLength: 1,
    maxLength: 20,
    description: 'COMPLETION only: the code of the first pre-authorisation made on the card.',
  }),
  amountPreAuthorisedTotal: Type.Integer({
    minimum: 1,
    maximum: 99_999_999,
    description: 'COMPLETION only: the sum of all pre-authorisations on the card, minor units.',
  }),
}

export const TRANSACTION_REQUEST = Type.Object(
  {
    transactionType: FIELDS.transactionType,
    currency: Type.Optional(FIELDS.currency),
    amount: Type.Optional(FIELDS.amount),
    amountCashback: Type.Optional(FIELDS.amountCashback),
    cardholderNotPresent: Type.Optional(FIELDS.cardholderNotPresent),
    authCode: Type.Optional(FIELDS.authCode),
    amountPreAuthorisedTotal: Type.Optional(FIELDS.amountPreAuthorisedTotal),
  },
  { $id: 'TransactionRequest' },
)

type Field = Exclude<keyof typeof FIELDS, 'transactionType'>

/** `R` required, `O` optional, `N` not accepted unless it says nothing, `I` never looked at. */
type Rule = 'R' | 'O' | 'N' | 'I'

const RULES: Readonly<Record<TransactionType, Readonly<Record<Field, Rule>>>> = {
  SALE: rules('R', 'R', 'O', 'O', 'N', 'N'),
  REFUND: rules('R', 'R', 'N', 'O', 'N', 'N'),
  PRE_AUTH: rules('R', 'R', 'N', 'N', 'N', 'N'),
  COMPLETION: rules('R', 'R', 'N', 'N', 'R', 'O'),
  ACCOUNT_VERIFICATION: rules('O', 'I', 'N', 'N', 'N', 'N'),
  DUPLICATE: rules('O', 'N', 'N', 'N', 'N', 'N'),
}

function rules(
  currency: Rule,
  amount: Rule,
  amountCashback: Rule,
  cardholderNotPresent: Rule,
  authCode: Rule,
  amountPreAuthorisedTotal: Rule,
): Readonly<Record<Field, Rule>> {
  return { currency, amount, amountCashback, cardholderNotPresent, authCode, amountPreAuthorisedTotal }
}

/** What the till asks for, before it is known what the terminal is set up with. */
export interface AskedTransaction extends Omit<TransactionRequest, 'currency'> {
  /** Null: that of the terminal. */
  readonly currency: TerminalCurrency | null
}

/**
 * Reads a request body in the newest version, or names the first field at fault.
 * @param strictCompletion a COMPLETION must bear `amountPreAuthorisedTotal`
 */
export function readTransactionRequest(body: JsonObject, strictCompletion: boolean): Read<AskedTransaction> {
  const type = readAs(FIELDS.transactionType, own(body, 'transactionType'), 'transactionType')
  if ('invalid' in type) return type
  const found: Partial<Record<Field, unknown>> = {}
  for (const [field, rule] of RULES_OF[strictCompletion ? 'strict' : 'lenient'][type.value]) {
    const read = readField(field, rule, own(body, field))
    if ('invalid' in read) return read
    found[field] = read.value
  }
  // It is kept in clear, so whoever mistakes the fields is told before that.
  if (typeof found.authCode === 'string' && isCardNumber(found.authCode)) return { invalid: 'authCode' }
  // Each value has just been read by the schema of its field.
  return { value: asked(type.value, found as FoundFields) }
}

interface FoundFields {
  readonly currency?: TerminalCurrency
  readonly amount?: number
  readonly amountCashback?: number
  readonly cardholderNotPresent?: boolean
  readonly authCode?: string
  readonly amountPreAuthorisedTotal?: number
}

function asked(transactionType: TransactionType, found: FoundFields): AskedTransaction {
  return {
    transactionType,
    currency: found.currency ?? null,
    amountMinor: found.amount ?? 0,
    cashbackMinor: found.amountCashback ?? 0,
    cardholderNotPresent: found.cardholderNotPresent ?? false,
    authCode: found.authCode ?? null,
    preAuthorisedTotalMinor: found.amountPreAuthorisedTotal ?? null,
  }
}

/** The rules as lists, in the order in which fields are looked at. */
const RULES_OF = {
  lenient: listed(RULES),
  strict: listed({ ...RULES, COMPLETION: rules('R', 'R', 'N', 'N', 'R', 'R') }),
}

function listed(table: typeof RULES): Readonly<Record<TransactionType, readonly (readonly [Field, Rule])[]>> {
  const list = (type: TransactionType) => Object.entries(table[type]) as [Field, Rule][]
  return {
    SALE: list('SALE'),
    REFUND: list('REFUND'),
    PRE_AUTH: list('PRE_AUTH'),
    COMPLETION: list('COMPLETION'),
    ACCOUNT_VERIFICATION: list('ACCOUNT_VERIFICATION'),
    DUPLICATE: list('DUPLICATE'),
  }
}

function readField(field: Field, rule: Rule, sent: unknown): Read<unknown> {
  switch (rule) {
    case 'R':
      return readAs(FIELDS[field] as TSchema, sent, field)
    case 'O': {
      const read = readAs(FIELDS[field] as TSchema, sent, field)
      return 'invalid' in read && saysNothing(sent) ? { value: undefined } : read
    }
    case 'N':
      return saysNothing(sent) ? { value: undefined } : { invalid: field }
    case 'I':
      return { value: undefined }
  }
}

/** Names are case-sensitive, and a name such as `constructor` must not find anything. */
function own(body: JsonObject, name: string): unknown {
  return Object.hasOwn(body, name) ? body[name] : undefined
}
