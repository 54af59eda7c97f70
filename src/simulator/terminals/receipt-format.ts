// src/simulator/terminals/receipt-format.ts — words on paper of 24 columns. Pure.
import { type LineFormat, RECEIPT_COLUMNS, type ReceiptLine } from '../../domain/receipt.ts'

export const SEPARATOR: ReceiptLine = { value: '', type: 'LINE_SEPARATOR_SINGLE' }
export const TICKET_FEED: ReceiptLine = { value: '', type: 'TICKET_FEED' }

/** One line with words at both ends, or two where they do not fit into one. */
export function row(left: string, right: string, format?: readonly LineFormat[]): readonly ReceiptLine[] {
  const blanks = RECEIPT_COLUMNS - left.length - right.length
  if (blanks < 1) return [...text(left, format), ...text(right, format)]
  return text(left + ' '.repeat(blanks) + right, format)
}

/** Words on as many lines as they need; a word longer than the paper is broken. Nothing for an empty text. */
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

/** Formats by time zone. To make one costs more than the whole receipt; there are some hundreds of zones. */
const CLOCKS = new Map<string, Intl.DateTimeFormat>()

/** Date and time as the shop's clock shows them. */
export function siteTime(at: number, timeZone: string): { readonly date: string; readonly time: string } {
  const known = CLOCKS.get(timeZone)
  const clock = known ?? new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  if (known === undefined) CLOCKS.set(timeZone, clock)
  const [date = '', time = ''] = clock.format(at).split(', ')
  return { date, time }
}
