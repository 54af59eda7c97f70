// src/simulator/terminals/receipt-printer.ts — lays out both copies of a receipt on paper of 24 columns, in the published
// order of lines. Pure.
import type { CardDetails, CardholderVerificationMethod, PaymentMethod } from '../../domain/card.ts'
import type { TransactionResult, TransactionType } from '../../domain/counter/transaction-events.ts'
import { type Amounts, decimalOf, type TerminalCurrency, totalOf } from '../../domain/money.ts'
import { NO_RECEIPTS, RECEIPT_COLUMNS, type ReceiptLine, type Receipts } from '../../domain/receipt.ts'
import type { Shop } from './device.ts'
import { row, SEPARATOR, siteTime, TICKET_FEED, text } from './receipt-format.ts'

/** Contents of a receipt. `result` is null on the slip to be signed. */
export interface Printout {
  readonly shop: Shop
  readonly tid: string
  readonly transactionType: Exclude<TransactionType, 'DUPLICATE'>
  readonly currency: TerminalCurrency
  readonly amounts: Amounts
  readonly card: CardDetails
  readonly result: TransactionResult | null
  /** The card or its issuer has refused the PIN. */
  readonly pinRefused: boolean
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

// No line may contain the name of the signature notification: unattended tills search the answer for it.
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

const EMPTY: ReceiptLine = { value: '', type: 'CARRIAGE_RETURN' }

/** Prints both copies. Before the end only the merchant's copy, for signature; nothing without a card. */
export function receiptsOf(printout: Printout): Receipts {
  if (printout.card.paymentMethod === 'UNKNOWN') return NO_RECEIPTS
  return {
    MERCHANT: copyOf(printout, 'MERCHANT'),
    CUSTOMER: printout.result !== null && printout.customerCopy ? copyOf(printout, 'CUSTOMER') : [],
  }
}

/** The receipts, marked as duplicates. */
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
  const { authCode, transactionNumber } = printout
  return [
    ...checkOf(printout, copy),
    ...outcomeOf(printout.result),
    ...(authCode === '' ? [] : row('AUTH CODE', authCode)),
    ...row('TXN', transactionNumber),
    ...text(copy === 'CUSTOMER' ? 'PLEASE RETAIN RECEIPT' : 'PLEASE KEEP THIS COPY'),
  ]
}

/** The verification, or the signature line on the merchant's copy. Nothing is claimed of what ended otherwise. */
function checkOf({ card, result, pinRefused }: Printout, copy: Copy): readonly ReceiptLine[] {
  const { cardholderVerificationMethod: method } = card
  switch (result) {
    case null:
    case 'SUCCESSFUL':
      return copy === 'MERCHANT' && method === 'SIGNATURE' ? SIGNATURE_LINE : text(VERIFIED_AS[method])
    case 'DECLINED':
      if (method === 'PIN' && pinRefused) return text('PIN NOT VERIFIED')
      // A declined payment is not signed.
      return text(VERIFIED_AS[method === 'SIGNATURE' ? 'NONE' : method])
    case 'VOID':
    case 'CANCELLED':
    case 'UNSUCCESSFUL':
    case 'TIMED_OUT':
      return []
  }
}

const SIGNATURE_LINE: readonly ReceiptLine[] = [
  ...text('SIGN BELOW', ['BOLD']),
  EMPTY,
  EMPTY,
  ...text('X'.padEnd(RECEIPT_COLUMNS, '_')),
]

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
