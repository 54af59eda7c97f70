// src/api/list-filters.ts — reads the filters of the lists of the management API.
import { type TSchema, Type } from 'typebox'
import type { TransactionResult } from '../domain/counter/transaction-events.ts'
import { STATUS_NAMES } from '../domain/online/payment.ts'
import type { Report } from '../domain/reports/report.ts'
import type { WebhookDelivery } from '../domain/webhooks/webhook-delivery.ts'
import type { SearchQuery } from '../engine/ports/store.ts'
import { type SearchField, searchTerm } from '../engine/search-terms.ts'
import type { Refused } from './read/json-body.ts'
import { LARGEST_ID } from './socket/envelope.ts'

/** The filters of a request that the store can search by. */
export type Filters = Pick<SearchQuery, 'terms' | 'createdFrom' | 'createdBefore'>

/** A filter that is compared with a term. */
interface TermFilter {
  readonly field: SearchField
  readonly description: string
  /** The value as it is stored; null when the text is none. */
  read(text: string): string | null
  /** What the value must be. Ends the sentence of the refusal. */
  readonly allowed: string
}

const RESULTS = Object.keys({
  SUCCESSFUL: true,
  DECLINED: true,
  VOID: true,
  UNSUCCESSFUL: true,
  CANCELLED: true,
  TIMED_OUT: true,
} satisfies Record<TransactionResult, true>)
const REPORT_RESULTS = Object.keys({ COMPLETE: true, TIMED_OUT: true } satisfies Record<
  NonNullable<Report['result']>,
  true
>)
const DELIVERY_STATES = Object.keys({
  held: true,
  queued: true,
  sending: true,
  waiting: true,
  delivered: true,
  given_up: true,
} satisfies Record<WebhookDelivery['progress'], true>)

const LONGEST_ORDER_ID = 50

export const AMOUNT: TermFilter = {
  field: 'amount',
  description: 'Only those with this `amountMinor`: 2599 is 25.99.',
  read: text => (/^\d{1,9}$/.test(text) ? String(Number(text)) : null),
  allowed: 'It is an amount in minor units, digits only: 2599 is 25.99.',
}

export const LAST_FOUR: TermFilter = {
  field: 'lastFour',
  description: 'Only those with a card whose number ends with these four digits.',
  read: text => (/^\d{4}$/.test(text) ? text : null),
  allowed: 'It is the last four digits of a card number.',
}

export const RPC_ID: TermFilter = {
  field: 'rpcId',
  description: 'Only those started by a JSON-RPC request with this id. Tills reuse ids: filter by terminal too.',
  read: text => (/^\d{1,9}$/.test(text) && Number(text) <= LARGEST_ID ? String(Number(text)) : null),
  allowed: `It is the id of a JSON-RPC request, a whole number from 0 to ${LARGEST_ID}.`,
}

export const ORDER_ID: TermFilter = {
  field: 'orderId',
  description: 'Only those about this order.',
  read: text => (text.length >= 1 && text.length <= LONGEST_ORDER_ID ? text : null),
  allowed: `It is the id of an order, 1 to ${LONGEST_ORDER_ID} characters.`,
}

export const TRANSACTION_RESULT = oneOfWords('result', RESULTS, 'Only those that ended with this result.')
export const REPORT_RESULT = oneOfWords('result', REPORT_RESULTS, 'Only those that ended with this result.')
export const DELIVERY_STATUS = oneOfWords('status', DELIVERY_STATES, 'Only those with this `progress`.')
export const PAYMENT_STATUS = oneOfWords(
  'status',
  Object.keys(STATUS_NAMES),
  'Only those with this `statusCode`. Unused tokens have none.',
)

function oneOfWords(field: SearchField, words: readonly string[], description: string): TermFilter {
  return {
    field,
    description: `${description} One of ${words.join(', ')}.`,
    read: text => (words.includes(text) ? text : null),
    allowed: `It is one of ${words.join(', ')}.`,
  }
}

const A_TIME = 'RFC 3339, such as 2026-05-06T13:00:00Z, or a date alone, which means its start in UTC.'

/** Query parameters of a period. */
export const PERIOD_QUERY = {
  from: Type.Optional(Type.String({ description: `Only those created at this time or later. ${A_TIME}` })),
  to: Type.Optional(Type.String({ description: `Only those created before this time. ${A_TIME}` })),
}

/** Query parameters of filters, by their names. They are texts, so that no invalid one passes as absent. */
export function queryOf<const Names extends string>(filters: Readonly<Record<Names, TermFilter>>) {
  const entries = Object.entries<TermFilter>(filters).map(([name, { description }]): [string, TSchema] => [
    name,
    Type.Optional(Type.String({ description })),
  ])
  return Object.fromEntries(entries) as Record<Names, ReturnType<typeof optionalText>>
}

function optionalText() {
  return Type.Optional(Type.String())
}

/** Reads the filters of a query. Refuses the first invalid one, with what it must be. */
export function filtersIn<Names extends string>(
  filters: Readonly<Record<Names, TermFilter>>,
  query: Readonly<Partial<Record<NoInfer<Names> | 'from' | 'to', string | undefined>>>,
): { readonly filters: Filters } | Refused {
  const terms: string[] = []
  for (const [name, { field, read, allowed }] of Object.entries<TermFilter>(filters)) {
    const text = query[name as Names]
    if (text === undefined) continue
    const value = read(text.trim())
    if (value === null) return invalidFilter(name, allowed)
    terms.push(searchTerm(field, value))
  }
  const period = periodIn(query)
  return 'refused' in period ? period : { filters: { terms, ...period } }
}

function periodIn({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  const createdFrom = from === undefined ? undefined : timeIn(from)
  const createdBefore = to === undefined ? undefined : timeIn(to)
  if (createdFrom === null) return invalidFilter('from', `It is a time: ${A_TIME}`)
  if (createdBefore === null) return invalidFilter('to', `It is a time: ${A_TIME}`)
  if (createdFrom !== undefined && createdBefore !== undefined && createdBefore <= createdFrom)
    return invalidFilter('to', 'It must be later than `from`.')
  return {
    ...(createdFrom === undefined ? {} : { createdFrom }),
    ...(createdBefore === undefined ? {} : { createdBefore }),
  }
}

const TIME_TEXT = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(?:([Zz])|([+\- ])(\d\d:\d\d)))?$/

/** Epoch milliseconds of a time or a date; null when the text is neither. */
function timeIn(text: string): number | null {
  const [, date, time = '00:00:00', , sign, offset] = TIME_TEXT.exec(text.trim()) ?? []
  if (date === undefined) return null
  // `+` that is not encoded arrives as a space.
  const zone = offset === undefined ? 'Z' : `${sign === '-' ? '-' : '+'}${offset}`
  const at = Date.parse(`${date}T${time}${zone}`)
  // `Date` takes the 30th of February for the 2nd of March.
  const isInCalendar = new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date) === true
  return Number.isNaN(at) || !isInCalendar ? null : at
}

/** The refusal of a filter, with what it must be. */
export function invalidFilter(field: string, detail: string): Refused {
  return { refused: { code: 'filter_invalid', field, detail } }
}
