// src/peers/acquirer-host/request.ts — a message as the host sees it: what it is, who sends it, and what makes it the same again.
import type { Fields, Message } from './codec.ts'
import { type Dialect, formOf, type MessageForm, type MessageName, unrepeated } from './dialect.ts'
import type { MoneyKind } from './ledger.ts'
import type { Concern } from './scenario-queue.ts'

export interface Request {
  readonly message: Message
  readonly fields: Fields
  /** Type without the mark of a repeat. */
  readonly mti: string
  readonly isAdvice: boolean
  readonly concern: Concern
  /** Null for a kind of message that the host does not serve. */
  readonly name: MessageName | null
  /** Form in the dialect; null when the dialect describes no such message. */
  readonly form: MessageForm | null
  readonly terminal: string
  readonly merchant: string
  readonly stan: string
  /** Key in the ledger. */
  readonly key: string
  readonly content: string
  /** Null without a card number. */
  readonly card: string | null
  readonly amountMinor: number
  readonly currency: string
}

const CONCERNS: Readonly<Record<string, Concern>> = { 4: 'reversal', 5: 'reconciliation', 8: 'network' }

/** Reads what the host needs to know of a message. */
export function requestIn(message: Message, dialect: Dialect): Request {
  const { fields } = message
  const mti = unrepeated(message.mti)
  const form = formOf(message, dialect)
  const card = cardIn(fields)
  const [terminal, merchant, stan] = [fields[41] ?? '', fields[42] ?? '', fields[11] ?? '']
  return {
    ...{ message, fields, mti, form, terminal, merchant, stan },
    isAdvice: mti.charAt(2) === '2',
    concern: CONCERNS[mti.charAt(1)] ?? 'payment',
    name: form?.name ?? nameByStandard(mti, fields),
    key: keyOf(mti.charAt(1), { terminal, merchant, stan, moment: momentOf(fields) }),
    content: [mti, card ?? '', ...[3, 4, 49, 56, 90, 95].map(number => fields[number] ?? '')].join('|'),
    card,
    amountMinor: Number(fields[4] ?? 0),
    currency: fields[49] ?? '',
  }
}

/** Key of an entry: of the same class of messages, terminal, merchant, number and local time. */
export function keyOf(
  messageClass: string,
  of: { readonly terminal: string; readonly merchant: string; readonly stan: string; readonly moment: string },
): string {
  return [messageClass, of.terminal.trim(), of.merchant.trim(), of.stan, of.moment].join('|')
}

/** Local time and date; 1993 has both in field 12. */
export function momentOf(fields: Fields): string {
  const time = fields[12] ?? ''
  return time.length > 6 ? time : `${fields[13] ?? ''}${time}`
}

/** The kind of money that a message moves. */
export function moneyKind(name: MessageName): MoneyKind | null {
  switch (name) {
    case 'charge':
    case 'hold':
    case 'capture':
    case 'refund':
    case 'verify':
      return name
    case 'reverse':
    case 'reconcile':
    case 'upload':
    case 'signOn':
    case 'signOff':
    case 'echo':
      return null
  }
}

/** What a message is that the dialect does not describe, by type, processing code and function code. */
function nameByStandard(mti: string, fields: Fields): MessageName | null {
  switch (mti.charAt(1)) {
    case '1':
    case '2':
      return moneyName(mti, fields)
    case '3':
      return mti.charAt(2) === '2' ? 'upload' : null
    case '4':
      return 'reverse'
    case '5':
      return 'reconcile'
    case '8':
      return networkName(fields)
    default:
      return null
  }
}

function moneyName(mti: string, fields: Fields): MessageName | null {
  const isFinancial = mti.charAt(1) === '2'
  const isCompletion = fields[24] === '201' || fields[24] === '202' || fields[25] === '06'
  switch (fields[3]?.slice(0, 2)) {
    case '00':
    case '01':
    case '09':
      if (!isFinancial) return Number(fields[4] ?? 0) === 0 ? 'verify' : 'hold'
      return isCompletion || (mti.charAt(2) === '2' && fields[38] !== undefined) ? 'capture' : 'charge'
    case '20':
    case '22':
      return 'refund'
    case '33':
    case '38':
      return isFinancial ? null : 'verify'
    default:
      return null
  }
}

/** Network management codes of 1987 (field 70) and 1993 (field 24). */
const NETWORK: Readonly<Record<string, MessageName>> = {
  ...{ '001': 'signOn', '801': 'signOn', '002': 'signOff', '802': 'signOff', '301': 'echo', '831': 'echo' },
}

function networkName(fields: Fields): MessageName | null {
  return NETWORK[fields[70] ?? fields[24] ?? ''] ?? null
}

/** First six and last four digits of the card number, in field 2 or a track. */
function cardIn(fields: Fields): string | null {
  // Where lengths count bytes, an odd number has a zero before it, with which no card number begins.
  const number = (fields[2] || fields[35]?.split('=')[0] || '').replace(/^0/, '')
  return number === '' ? null : maskedCard(number)
}

/** First six and last four digits of a card number; no digit of one that is too short for that. */
function maskedCard(number: string): string {
  if (number.length < 13) return '*'.repeat(number.length)
  return `${number.slice(0, 6)}${'*'.repeat(number.length - 10)}${number.slice(-4)}`
}
