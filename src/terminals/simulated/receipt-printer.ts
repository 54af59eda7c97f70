// src/terminals/simulated/receipt-printer.ts — both copies of a receipt, laid out for paper of 24 columns. The order of
// the lines is that of terminal reference 7. Pure.
import type { CardDetails, CardholderVerificationMethod, PaymentMethod } from '../../domain/card.ts'
import { type Amounts, decimalOf, type TerminalCurrency, totalOf } from '../../domain/money.ts'
import { type LineFormat, NO_RECEIPTS, RECEIPT_COLUMNS, type ReceiptLine, type Receipts } from '../../domain/receipt.ts'
import type { TransactionResult, TransactionType } from '../../domain/terminal-transaction-events.ts'
import type { Shop } from './device.ts'

/** What a receipt is printed from. `result` is null on the slip that is still to be signed. */
export interface Printout {
  readonly shop: Shop
  readonly tid: string
  readonly transactionType: Exclude<TransactionType, 'DUPLICATE'>
  readonly currency: TerminalCurrency
  readonly amounts: Amounts
  readonly card: CardDetails
  readonly result: TransactionResult | null
  readonly authCode: string
  readonly transactionNumber: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly customerCopy: boolean
}

type Copy = keyof Receipts

const READ_AS: Readonly<Record<PaymentMethod, string>> = {
  UNKNOWN: '',
  KEYED: 'KEYED',
  SWIPED: 'SWIPED',
  ICC_CHIP: 'ICC CHIP',
  CONTACTLESS: 'CONTACTLESS',
}

// No line may contain the name of the signature notification: unattended tills search answers for it.
const VERIFIED_AS: Readonly<Record<CardholderVerificationMethod, string>> = {
  UNKNOWN: '',
  NONE: 'NO VERIFICATION',
  PIN: 'PIN VERIFIED',
  SIGNATURE: 'VERIFIED BY SIGNATURE',
  DEVICE: 'VERIFIED ON DEVICE',
}

const TYPE_AS: Readonly<Record<Printout['transactionType'], string>> = {
  SALE: 'SALE',
  REFUND: 'REFUND',
  PRE_AUTH: 'PRE-AUTHORISATION',
  COMPLETION: 'COMPLETION',
  ACCOUNT_VERIFICATION: 'ACCOUNT VERIFICATION',
}

const SEPARATOR: ReceiptLine = { value: '', type: 'LINE_SEPARATOR_SINGLE' }
const EMPTY: ReceiptLine = { value: '', type: 'CARRIAGE_RETURN' }
const TICKET_FEED: ReceiptLine = { value: '', type: 'TICKET_FEED' }

/** Prints both copies. Before the end only the merchant's, to be signed; without a card nothing at all. */
export function receiptsOf(printout: Printout): Receipts {
  if (printout.card.paymentMethod === 'UNKNOWN') return NO_RECEIPTS
  return {
    MERCHANT: copyOf(printout, 'MERCHANT'),
    CUSTOMER: printout.result !== null && printout.customerCopy ? copyOf(printout, 'CUSTOMER') : [],
  }
}

/** The same receipts, marked as a second print. */
export function markedDuplicate(receipts: Receipts): Receipts {
  const marked = (lines: readonly ReceiptLine[]) =>
    lines.length === 0 ? [] : [...text('** DUPLICATE **', ['BOLD']), ...lines]
  return { MERCHANT: marked(receipts.MERCHANT), CUSTOMER: marked(receipts.CUSTOMER) }
}

function copyOf(printout: Printout, copy: Copy): readonly ReceiptLine[] {
  return [
    ...headOf(printout, copy),
    SEPARATOR,
    ...cardOf(printout.card),
    SEPARATOR,
    ...amountsOf(printout),
    SEPARATOR,
    ...footOf(printout, copy),
    TICKET_FEED,
  ]
}

function headOf({ shop, tid, at }: Printout, copy: Copy): readonly ReceiptLine[] {
  const { date, time } = siteTime(at, shop.timeZone)
  return [
    ...text(shop.name, ['BOLD']),
    ...text(shop.address),
    ...text(`${copy} COPY`),
    ...row(date, time),
    ...row('TERMINAL', tid),
    ...row('MERCHANT', shop.merchantNumber.replace(/.(?=.{4})/g, '*')),
  ]
}

function cardOf(card: CardDetails): readonly ReceiptLine[] {
  return [
    ...text(card.cardSchemeName),
    ...(card.applicationId === '' ? [] : row('AID', card.applicationId)),
    ...row('CARD', card.primaryAccountNumber),
    ...text(READ_AS[card.paymentMethod]),
  ]
}

function amountsOf({ transactionType, currency, amounts }: Printout): readonly ReceiptLine[] {
  const money = (amountMinor: number) => `${currency} ${decimalOf(amountMinor)}`
  return [
    ...text(TYPE_AS[transactionType]),
    ...row('AMOUNT', money(amounts.baseMinor)),
    ...(amounts.gratuityMinor === 0 ? [] : row('GRATUITY', money(amounts.gratuityMinor))),
    ...(amounts.cashbackMinor === 0 ? [] : row('CASHBACK', money(amounts.cashbackMinor))),
    ...row('TOTAL', money(totalOf(amounts)), ['BOLD', 'DOUBLE_HEIGHT']),
  ]
}

function footOf(printout: Printout, copy: Copy): readonly ReceiptLine[] {
  const { card, authCode, transactionNumber } = printout
  return [
    ...(printout.result === null || printout.result === 'SUCCESSFUL' ? checkOf(card, copy) : []),
    ...outcomeOf(printout.result),
    ...(authCode === '' ? [] : row('AUTH CODE', authCode)),
    ...row('TXN', transactionNumber),
    ...text(copy === 'CUSTOMER' ? 'PLEASE RETAIN RECEIPT' : 'PLEASE KEEP THIS COPY'),
  ]
}

/** How the owner was checked, or the line for the signature on the copy that is signed. */
function checkOf(card: CardDetails, copy: Copy): readonly ReceiptLine[] {
  return copy === 'MERCHANT' && card.cardholderVerificationMethod === 'SIGNATURE'
    ? [...text('SIGN BELOW', ['BOLD']), EMPTY, EMPTY, ...text('X'.padEnd(RECEIPT_COLUMNS, '_'))]
    : text(VERIFIED_AS[card.cardholderVerificationMethod])
}

function outcomeOf(result: TransactionResult | null): readonly ReceiptLine[] {
  switch (result) {
    case null:
      return []
    case 'SUCCESSFUL':
      return text('APPROVED')
    case 'DECLINED':
      return [{ value: 'DECLINED', type: 'BOX_DECLINE' }]
    case 'VOID':
      return [{ value: 'VOID', type: 'BOX_VOID' }]
    case 'CANCELLED':
      return text('CANCELLED', ['BOLD'])
    case 'UNSUCCESSFUL':
    case 'TIMED_OUT':
      return text('NOT COMPLETED', ['BOLD'])
  }
}

/** One line with words at both ends, or two where they do not fit into one. */
function row(left: string, right: string, format?: readonly LineFormat[]): readonly ReceiptLine[] {
  const blanks = RECEIPT_COLUMNS - left.length - right.length
  if (blanks < 1) return [...text(left, format), ...text(right, format)]
  return text(left + ' '.repeat(blanks) + right, format)
}

/** Words on as many lines as they need; a word longer than the paper is broken. Nothing for an empty text. */
function text(value: string, format?: readonly LineFormat[]): readonly ReceiptLine[] {
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
function siteTime(at: number, timeZone: string): { readonly date: string; readonly time: string } {
  const known = CLOCKS.get(timeZone)
  const clock = known ?? new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  if (known === undefined) CLOCKS.set(timeZone, clock)
  const [date = '', time = ''] = clock.format(at).split(', ')
  return { date, time }
}
