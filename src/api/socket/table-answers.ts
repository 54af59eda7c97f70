// src/api/socket/table-answers.ts — reads the answers of POS table providers leniently.
// Member names differ between tills, and a waiter is waiting. See docs/pay-at-table.md.
import { LINE_FORMATS, type LineFormat } from '../../domain/receipt.ts'
import { BILL_LINE_TYPES, type BillLine } from '../../domain/tables/table.ts'
import type { TillLock, TillTables } from '../../services/tables/pos-connections.ts'
import { faultIn, faultSaying, kindOf, nothingIn } from '../read/field-fault.ts'
import type { Schema } from '../read/schema.ts'
import type { Read } from '../read/schema-reader.ts'
import { withoutCard } from '../table-body.ts'

/** Tables read from an answer: more than a restaurant has open. */
const MOST_TABLES = 1_000
/** Lines read of a bill. */
const MOST_LINES = 1_000
/** Largest amount of a table, in minor units. */
const MOST_MINOR = 99_999_999

const AMOUNT: Schema = { type: 'integer', minimum: 0, maximum: MOST_MINOR, description: 'Minor units.' }
const LINES = 'a list of texts, or of lines with a value'

const TYPES: ReadonlySet<string> = new Set(BILL_LINE_TYPES)
const FORMATS: ReadonlySet<unknown> = new Set(LINE_FORMATS)

/** Reads `{tables, currency}`. Also accepts `tableIds`, a bare list, and objects with `tableId` or `tableName`. */
export function readTables(result: unknown): Read<TillTables> {
  const list = Array.isArray(result) ? result : (memberOf(result, 'tables') ?? memberOf(result, 'tableIds'))
  if (!Array.isArray(list)) return faultSaying('tables', kindOf(list), 'a list of table names')
  const names = list
    .slice(0, MOST_TABLES)
    .map(each => (isText(each) ? each : (memberOf(each, 'tableId') ?? memberOf(each, 'tableName'))))
  if (!names.every(isText)) return faultSaying('tables', 'has an item without a name', 'a list of table names')
  const currency = memberOf(result, 'currency')
  return { value: { names: [...new Set(names)], currency: isText(currency) ? currency : null } }
}

/** Reads `{confirmed, amount, currency}`. A confirmed lock must have amount and currency. */
export function readLock(result: unknown): Read<TillLock> {
  const confirmed = memberOf(result, 'confirmed')
  if (confirmed === false) return { value: { confirmed } }
  if (confirmed !== true) return faultSaying('confirmed', kindOf(confirmed), 'true or false')
  const amountMinor = memberOf(result, 'amount')
  const currency = memberOf(result, 'currency')
  if (typeof amountMinor !== 'number' || !Number.isInteger(amountMinor) || amountMinor < 0 || amountMinor > MOST_MINOR)
    return faultIn(AMOUNT, amountMinor, 'amount')
  return isText(currency)
    ? { value: { confirmed, amountMinor, currency } }
    : faultSaying('currency', nothingIn(currency) ?? kindOf(currency), 'a currency such as GBP')
}

/** Whether the till takes its table for locked after an unusable answer. */
export function confirms(result: unknown): boolean {
  return memberOf(result, 'confirmed') === true
}

/** Reads `{receiptLines}`. Also accepts a bare list, and strings as lines. */
export function readBill(result: unknown): Read<readonly BillLine[]> {
  const list = Array.isArray(result) ? result : memberOf(result, 'receiptLines')
  if (!Array.isArray(list)) return faultSaying('receiptLines', kindOf(list), LINES)
  const lines = list.slice(0, MOST_LINES).map(lineIn)
  return lines.every(line => line !== null)
    ? { value: lines.map(withoutCard) }
    : faultSaying('receiptLines', 'has an item that is not a line', LINES)
}

/** Reads a line of a bill. A missing or unknown type is read as text. */
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

/** Own members only, so that `constructor` does not resolve to the prototype's. */
function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}
