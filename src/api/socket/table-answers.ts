// src/api/socket/table-answers.ts — what tills answer about their tables, read leniently: names differ between tills, and a
// waiter stands at the table. Terminal socket reference 6.3 to 6.5.
import { LINE_FORMATS, type LineFormat } from '../../domain/receipt.ts'
import { BILL_LINE_TYPES, type BillLine } from '../../domain/tables/table.ts'
import type { TillLock, TillTables } from '../../services/tables/pos-connections.ts'

/** The value, or the member that is missing or wrong. */
export type Read<Value> = { readonly value: Value } | { readonly wrong: string }

/** A keypad shows a few at a time; nobody has more tables open than this. */
const MOST_TABLES = 1_000
/** As much as a REST bill may have. */
const MOST_LINES = 1_000
/** The largest amount that a table may have, minor units. */
const MOST_MINOR = 99_999_999

const TYPES: ReadonlySet<string> = new Set(BILL_LINE_TYPES)
const FORMATS: ReadonlySet<unknown> = new Set(LINE_FORMATS)

/** `{tables, currency}`; also `tableIds`, a bare list, and objects with `tableId` or `tableName` in it. */
export function readTables(result: unknown): Read<TillTables> {
  const list = Array.isArray(result) ? result : (memberOf(result, 'tables') ?? memberOf(result, 'tableIds'))
  if (!Array.isArray(list)) return { wrong: 'tables' }
  const names = list
    .slice(0, MOST_TABLES)
    .map(each => (isText(each) ? each : (memberOf(each, 'tableId') ?? memberOf(each, 'tableName'))))
  if (!names.every(isText)) return { wrong: 'tables' }
  const currency = memberOf(result, 'currency')
  return { value: { names: [...new Set(names)], currency: isText(currency) ? currency : null } }
}

/** A lock that is confirmed says how much is to be paid, and in what. */
export function readLock(result: unknown): Read<TillLock> {
  const confirmed = memberOf(result, 'confirmed')
  if (confirmed === false) return { value: { confirmed } }
  if (confirmed !== true) return { wrong: 'confirmed' }
  const amountMinor = memberOf(result, 'amount')
  const currency = memberOf(result, 'currency')
  if (typeof amountMinor !== 'number' || !Number.isInteger(amountMinor) || amountMinor < 0 || amountMinor > MOST_MINOR)
    return { wrong: 'amount' }
  return isText(currency) ? { value: { confirmed, amountMinor, currency } } : { wrong: 'currency' }
}

/** Whether an answer that cannot be used leaves the till in the belief that its table is locked. */
export function confirms(result: unknown): boolean {
  return memberOf(result, 'confirmed') === true
}

/** `{receiptLines}`; also a bare list, and plain strings in it. */
export function readBill(result: unknown): Read<readonly BillLine[]> {
  const list = Array.isArray(result) ? result : memberOf(result, 'receiptLines')
  if (!Array.isArray(list)) return { wrong: 'receiptLines' }
  const lines = list.slice(0, MOST_LINES).map(lineIn)
  return lines.every(line => line !== null) ? { value: lines } : { wrong: 'receiptLines' }
}

/** A line without a type is text, and one of a type that nobody knows is printed as text. */
function lineIn(line: unknown): BillLine | null {
  if (typeof line === 'string') return { value: line, type: 'TEXT' }
  const value = memberOf(line, 'value') ?? ''
  if (typeof line !== 'object' || line === null || typeof value !== 'string') return null
  const type = memberOf(line, 'type')
  const formats = memberOf(line, 'format')
  const format = Array.isArray(formats) ? formats.filter((each): each is LineFormat => FORMATS.has(each)) : []
  return {
    value,
    type: typeof type === 'string' && TYPES.has(type) ? (type as BillLine['type']) : 'TEXT',
    ...(format.length === 0 ? {} : { format }),
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** Own members only: a name such as `constructor` must not find anything. */
function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}
