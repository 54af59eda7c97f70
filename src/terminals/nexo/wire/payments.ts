// src/terminals/nexo/wire/payments.ts — the ending of a transaction by the response of its payment. Pure.
import { idHoldsCardNumber } from '../../../domain/card-numbers.ts'
import type { ShownOutcome } from '../../../domain/counter/notifications.ts'
import type { Ending, TransactionRequest } from '../../../domain/counter/transaction-events.ts'
import type { TransactionMessage } from '../../../domain/counter/user-messages.ts'
import { type Amounts, NO_AMOUNTS } from '../../../domain/money.ts'
import { type AdditionalResponse, additionalResponseOf } from './additional-response.ts'
import { minorOf } from './amounts.ts'
import { cardOf } from './card-details.ts'
import { countOf, type Members, memberAt, textOf } from './lenient.ts'
import { receiptKeysOf, receiptsOf } from './receipts.ts'
import type { Verdict } from './results.ts'

/** The terminal's names of a payment, which a reversal would need. */
export interface PaymentReference {
  readonly transactionId: string
  readonly timeStamp: string
}

/** A payment that has ended, as it is stored. Without card numbers. */
export interface PaymentEnd {
  readonly ending: Ending
  readonly shown: ShownOutcome | null
  readonly reference: PaymentReference | null
  /** The terminal's period in which it was made, by the terminal's count; null when it does not say. */
  readonly period: string | null
  /** What an operator should look at, for the log. */
  readonly remarks: readonly string[]
}

export interface PaymentFacts {
  readonly request: TransactionRequest
  /** Counted per terminal, 1 to 9999. */
  readonly number: number
}

type Ended = Extract<Verdict, { readonly verdict: 'ended' }>

/** The ending of a payment by its `PaymentResponse`. */
export function paymentEndOf(response: Members, { result, shown }: Ended, facts: PaymentFacts): PaymentEnd {
  const paid = memberAt(response, 'PaymentResult')
  const additional = additionalResponseOf(memberAt(response, 'Response', 'AdditionalResponse'))
  const receipt = memberAt(response, 'PaymentReceipt')
  const moved = result === 'SUCCESSFUL' ? movedIn(paid, additional, facts.request) : nothingMoved(facts.request)
  const reference = referenceIn(response)
  const approvalCode =
    textOf(memberAt(paid, 'PaymentAcquirerData', 'ApprovalCode')) || (additional.get('authCode') ?? '')
  return {
    ending: {
      ...{ result, amounts: moved.amounts, messages: moved.messages, repeated: null },
      card: cardOf(paid, additional, receiptKeysOf(receipt)),
      authCode: result === 'SUCCESSFUL' && /^[\w-]{1,12}$/.test(approvalCode) ? approvalCode : '',
      transactionId: digitsOf(reference) ?? String(facts.number),
      transactionNumber: numberOf(facts),
      receipts: receiptsOf(receipt, result),
    },
    ...{ shown, reference, period: periodIn(response) },
    remarks: [...moved.remarks, ...remarksOn(response, paid)],
  }
}

/** An ending without an answer of the terminal: it has not taken the payment, and never will. */
export function endWithoutPayment(
  facts: PaymentFacts,
  result: 'UNSUCCESSFUL' | 'CANCELLED',
  messages: readonly TransactionMessage[],
): PaymentEnd {
  const none = paymentEndOf({}, { verdict: 'ended', result, shown: null }, facts)
  return { ...none, ending: { ...none.ending, messages } }
}

/** Four digits. */
function numberOf({ number }: PaymentFacts): string {
  return String(number).padStart(4, '0')
}

/** A date and time with its zone. */
const LONGEST_TIME = 40

interface Moved {
  readonly amounts: Amounts
  readonly messages: readonly TransactionMessage[]
  readonly remarks: readonly string[]
}

function nothingMoved({ amountMinor }: TransactionRequest): Moved {
  return { amounts: { ...NO_AMOUNTS, baseMinor: amountMinor }, messages: [], remarks: [] }
}

/** The amounts that moved, split by what was asked for. */
function movedIn(paid: unknown, additional: AdditionalResponse, request: TransactionRequest): Moved {
  const amounts = memberAt(paid, 'AmountsResp')
  const asked = askedIn(request)
  const inMinorUnits = countOf(additional.get('posAuthAmountValue'))
  const total = minorOf(memberAt(amounts, 'AuthorizedAmount')) ?? inMinorUnits
  // The terminal has approved, so money has moved: what was asked for is the best that is known of it.
  if (total === null) return { amounts: asked, messages: [], remarks: ['the approved amount is missing or no amount'] }
  const gratuityMinor = minorOf(memberAt(amounts, 'TipAmount')) || asked.gratuityMinor
  const granted = minorOf(memberAt(amounts, 'CashBackAmount')) ?? 0
  const isRefused = asked.cashbackMinor > 0 && granted === 0 && total - gratuityMinor === asked.baseMinor
  const cashbackMinor = isRefused ? 0 : granted === 0 ? asked.cashbackMinor : granted
  const baseMinor = total - gratuityMinor - cashbackMinor
  const differs = inMinorUnits !== null && inMinorUnits !== total ? ['two approved amounts that differ'] : []
  return {
    // Less than tip and cashback: how a part is split is not known.
    amounts: baseMinor < 0 ? { ...NO_AMOUNTS, baseMinor: total } : { baseMinor, cashbackMinor, gratuityMinor },
    messages: isRefused ? ['cashback_refused'] : [],
    remarks: differs,
  }
}

function askedIn({ amountMinor, cashbackMinor, table }: TransactionRequest): Amounts {
  return { baseMinor: amountMinor, cashbackMinor, gratuityMinor: table?.gratuityMinor ?? 0 }
}

function referenceIn(response: Members): PaymentReference | null {
  const reference = memberAt(response, 'POIData', 'POITransactionID')
  const transactionId = textOf(memberAt(reference, 'TransactionID'))
  if (transactionId === '' || idHoldsCardNumber(transactionId)) return null
  return { transactionId, timeStamp: textOf(memberAt(reference, 'TimeStamp')).slice(0, LONGEST_TIME) }
}

function periodIn(response: Members): string | null {
  const period = textOf(memberAt(response, 'POIData', 'POIReconciliationID'))
  return /^[\w-]{1,12}$/.test(period) ? period : null
}

/** The digits of a tender reference, such as `4r7i001556529591000.…`. */
function digitsOf(reference: PaymentReference | null): string | null {
  return /^[A-Za-z\d]{4}(\d{15})(?:\.|$)/.exec(reference?.transactionId ?? '')?.[1] ?? null
}

function remarksOn(response: Members, paid: unknown): readonly string[] {
  const result = textOf(memberAt(response, 'Response', 'Result'))
  const online = memberAt(paid, 'OnlineFlag')
  return [
    ...(result === 'Partial' ? ['a part of the amount was approved'] : []),
    ...(result !== 'Failure' && String(online) === 'false' ? ['approved offline; it may still fail'] : []),
  ]
}
