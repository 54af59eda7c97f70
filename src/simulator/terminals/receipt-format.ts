// src/simulator/terminals/receipt-format.ts — lays out text on paper of 24 columns. Pure.
import { type LineFormat, RECEIPT_COLUMNS, type ReceiptLine } from '../../domain/receipt.ts'
import { memoise } from '../../engine/memoise.ts'

export const SEPARATOR: ReceiptLine = { value: '', type: 'LINE_SEPARATOR_SINGLE' }
export const TICKET_FEED: ReceiptLine = { value: '', type: 'TICKET_FEED' }

/** One line with text at both ends, or separate lines if they do not fit. */
export function row(left: string, right: string, format?: readonly LineFormat[]): readonly ReceiptLine[] {
  const blanks = RECEIPT_COLUMNS - left.length - right.length
  if (blanks < 1) return [...text(left, format), ...text(right, format)]
  return text(left + ' '.repeat(blanks) + right, format)
}

/** Wraps text at words; a longer word is broken. No lines for an empty text. */
export function text(value: string, format?: readonly LineFormat[]): readonly ReceiptLine[] {
  const lines: string[] = []
  let rest = value.trim()
  while (rest.length > RECEIPT_COLUMNS) {
    const blank = rest.lastIndexOf(' ', RECEIPT_COLUMNS)
    const cut = blank > 0 ? blank : RECEIPT_COLUMNS
    lines.push(rest.slice(0, cut).trimEnd())
    rest = rest.slice(cut).trimStart()
  }
  if (rest !== '') lines.push(rest)
  return lines.map(line => ({ value: line, type: 'TEXT', ...(format === undefined ? {} : { format }) }))
}

/** Creating a formatter costs more than the whole receipt. There are about 600 time zones. */
const CACHED_ZONES = 600

const formatterOf = memoise(
  CACHED_ZONES,
  timeZone => new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
)

/** Date and time in the shop's time zone. `at`: epoch milliseconds. */
export function siteTime(at: number, timeZone: string): { readonly date: string; readonly time: string } {
  const [date = '', time = ''] = formatterOf(timeZone).format(at).split(', ')
  return { date, time }
}
