// src/terminals/nexo/wire/receipts.ts — turns the receipts of an answer into lines of 24 columns. Pure.

import { LONGER_THAN_A_REFERENCE, maskCardNumbers } from '../../../domain/card-numbers.ts'
import type { TransactionResult } from '../../../domain/counter/transaction-events.ts'
import { type LineFormat, RECEIPT_COLUMNS, type ReceiptLine, type Receipts } from '../../../domain/receipt.ts'
import { pairsOf } from './additional-response.ts'
import { flagOf, listOf, memberAt, textOf } from './lenient.ts'

const BLANK: ReceiptLine = { value: '', type: 'CARRIAGE_RETURN' }
const TICKET_FEED: ReceiptLine = { value: '', type: 'TICKET_FEED' }

/** Both copies of `PaymentReceipt`. A copy that the terminal did not send is empty: no receipt is ever made up. */
export function receiptsOf(paymentReceipt: unknown, result: TransactionResult): Receipts {
  const copies = listOf(paymentReceipt)
  const linesOf = (qualifier: string): readonly ReceiptLine[] => {
    const outputs = copies.filter(copy => textOf(memberAt(copy, 'DocumentQualifier')) === qualifier)
    const lines = outputs.flatMap(copy => linesOfOutput(memberAt(copy, 'OutputContent')))
    return lines.length === 0 ? [] : [...lines, ...boxOf(result), TICKET_FEED]
  }
  return { MERCHANT: linesOf('CashierReceipt'), CUSTOMER: linesOf('CustomerReceipt') }
}

/** Values of the receipts by their keys; the first of equal keys counts. */
export function receiptKeysOf(paymentReceipt: unknown): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  for (const copy of listOf(paymentReceipt))
    for (const output of listOf(memberAt(copy, 'OutputContent', 'OutputText'))) {
      const pairs = pairsOf(textOf(memberAt(output, 'Text')))
      const key = pairs.get('key') ?? ''
      if (key !== '' && !keys.has(key)) keys.set(key, pairs.get('value') ?? '')
    }
  return keys
}

/** The receipts with a line that says that they are a copy. */
export function duplicated({ MERCHANT, CUSTOMER }: Receipts): Receipts {
  const marked = (lines: readonly ReceiptLine[]): readonly ReceiptLine[] =>
    lines.length === 0 ? [] : [{ value: centred('** DUPLICATE **'), type: 'TEXT', format: ['BOLD'] }, ...lines]
  return { MERCHANT: marked(MERCHANT), CUSTOMER: marked(CUSTOMER) }
}

/** Text at both ends of a line, or on two lines when it does not fit. */
export function rowOf(left: string, right: string, format: readonly LineFormat[] = []): readonly ReceiptLine[] {
  const columns = columnsOf(format)
  const blanks = columns - left.length - right.length
  if (blanks >= 1) return [textLine(left + ' '.repeat(blanks) + right, format)]
  return [...wrapped(left, columns), ...wrapped(right, columns).map(line => line.padStart(columns))].map(line =>
    textLine(line, format),
  )
}

/** The box is set from the result, never from words on the receipt. */
function boxOf(result: TransactionResult): readonly ReceiptLine[] {
  if (result === 'DECLINED') return [{ value: 'DECLINED', type: 'BOX_DECLINE' }]
  return result === 'VOID' ? [{ value: 'VOID', type: 'BOX_VOID' }] : []
}

function linesOfOutput(content: unknown): readonly ReceiptLine[] {
  const format = textOf(memberAt(content, 'OutputFormat'))
  if (format === 'XHTML') return linesOfXhtml(textOf(memberAt(content, 'OutputXHTML')))
  // Bar codes and references to texts of the terminal have no line.
  if (format !== 'Text') return []
  return linesOfTexts(listOf(memberAt(content, 'OutputText')))
}

/** One line for each output; those without an end of line are joined with the next. */
function linesOfTexts(outputs: readonly unknown[]): readonly ReceiptLine[] {
  const lines: ReceiptLine[] = []
  let begun = ''
  for (const output of outputs) {
    const text = textOf(memberAt(output, 'Text'))
    if (!flagOf(memberAt(output, 'EndOfLineFlag'), true)) {
      begun += plainOf(pairsIn(text))
      continue
    }
    lines.push(...linesOfText(output, text, begun))
    begun = ''
  }
  return begun === '' ? lines : [...lines, textLine(begun, [])]
}

interface Named {
  readonly name: string
  readonly value: string
}

/** Name and value of a text; one that is not form-encoded is a name. */
function pairsIn(text: string): Named {
  const pairs = pairsOf(text)
  return pairs.has('key')
    ? { name: clean(pairs.get('name') ?? ''), value: clean(pairs.get('value') ?? '') }
    : { name: clean(text), value: '' }
}

function plainOf({ name, value }: Named): string {
  return [name, value].filter(each => each !== '').join(' ')
}

function linesOfText(output: unknown, text: string, begun: string): readonly ReceiptLine[] {
  const format = formatOf(output)
  const { name, value } = pairsIn(text)
  if (begun !== '')
    return wrapped(`${begun}${plainOf({ name, value })}`, columnsOf(format)).map(line => textLine(line, format))
  if (name === '' && value === '') return [BLANK]
  if (name !== '' && value !== '') return rowOf(name, value, format)
  const lines = wrapped(name === '' ? value : name, columnsOf(format))
  const isCentred = textOf(memberAt(output, 'Alignment')) === 'Centred'
  return lines.map(line => textLine(isCentred ? centred(line, columnsOf(format)) : line, format))
}

function formatOf(output: unknown): readonly LineFormat[] {
  const is = (name: string, value: string) => textOf(memberAt(output, name)) === value
  return [
    ...(is('CharacterStyle', 'Bold') ? (['BOLD'] as const) : []),
    ...(is('CharacterHeight', 'DoubleHeight') ? (['DOUBLE_HEIGHT'] as const) : []),
    ...(is('CharacterWidth', 'DoubleWidth') ? (['DOUBLE_WIDTH'] as const) : []),
  ]
}

/** Text of a page: one line for each block, without its tags. */
function linesOfXhtml(base64: string): readonly ReceiptLine[] {
  const page = Buffer.from(base64, 'base64').toString('utf8')
  const blocks = page.replace(/<(?:\/?(?:p|div|tr|li|h\d|table|ul)|br)\b[^>]*>/gi, '\n').replace(/<[^>]*>/g, '')
  return blocks
    .split('\n')
    .map(clean)
    .filter(line => line !== '')
    .flatMap(line => wrapped(line, RECEIPT_COLUMNS))
    .map(line => textLine(line, []))
}

/**
 * Without no-break blanks, control characters and card numbers. The name of the notification that asks a till for a signature
 * check must not be on a receipt: a terminal of this make checks signatures itself.
 */
function clean(text: string): string {
  const visible = text.replace(/[\u00a0\s]/g, ' ').replace(/\p{Cc}/gu, '')
  return maskCardNumbers(visible, LONGER_THAN_A_REFERENCE)
    .replace(/SIGNATURE VERIFICATION/gi, 'SIGNATURE')
    .trimEnd()
}

function textLine(value: string, format: readonly LineFormat[]): ReceiptLine {
  return { value, type: 'TEXT', ...(format.length === 0 ? {} : { format }) }
}

function columnsOf(format: readonly LineFormat[]): number {
  return format.includes('DOUBLE_WIDTH') ? RECEIPT_COLUMNS / 2 : RECEIPT_COLUMNS
}

function centred(text: string, columns: number = RECEIPT_COLUMNS): string {
  return ' '.repeat(Math.max(0, Math.floor((columns - text.length) / 2))) + text
}

/** Breaks a text at blanks; a longer word is broken too. */
function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = []
  let rest = text.trim()
  while (rest.length > columns) {
    const blank = rest.lastIndexOf(' ', columns)
    const cut = blank > 0 ? blank : columns
    lines.push(rest.slice(0, cut).trimEnd())
    rest = rest.slice(cut).trimStart()
  }
  return rest === '' ? lines : [...lines, rest]
}
