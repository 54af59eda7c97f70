// src/domain/counter/transaction.ts — a counter transaction: three small machines side by side. `progress` is the stage of
// the terminal, `cancel` the outcome of the till's cancel, `authorisation` the state of the money.

import { type CardDetails, NO_CARD } from '../card.ts'
import type { Closing } from '../closing.ts'
import type { EffectId, MerchantAccountId, RequestId, TerminalId } from '../ids.ts'
import { type EventEnvelope, moved, type SideBySide } from '../machine.ts'
import { type Amounts, NO_AMOUNTS, totalOf } from '../money.ts'
import { NO_RECEIPTS, type Receipts } from '../receipt.ts'
import type { Notification } from './notifications.ts'
import type {
  CardDataOnRecord,
  DeclineReason,
  Ending,
  Limits,
  Partner,
  Repeated,
  TransactionEvent,
  TransactionRequest,
  TransactionResult,
} from './transaction-events.ts'
import { notificationsOf } from './transaction-notifications.ts'
import type { TransactionMessage } from './user-messages.ts'

export type Progress =
  | 'accepted'
  | 'awaiting_card'
  | 'card_in_use'
  | 'online'
  | 'awaiting_signature'
  | 'applying_decision'
  | 'finishing'
  | 'finished'
export type Cancel = 'none' | 'requested' | 'stopping' | 'refused' | 'done'
export type Authorisation =
  | 'none'
  | 'requested'
  | 'unknown'
  | 'approved'
  | 'declined'
  | 'confirmed'
  | 'reversing'
  | 'reversed'

type EventType = TransactionEvent['type']

/** The members of a record that are states. */
export type TransactionStates = Pick<TerminalTransaction, 'progress' | 'cancel' | 'authorisation'>

/** Each event moves the machines that have it. `transaction-rules.ts` couples the three. */
export const TRANSITIONS: SideBySide<TransactionStates, EventType> = {
  /** Stage of the terminal. A report may be lost, so every row also accepts later stages. */
  progress: {
    accepted: {
      prompted: 'awaiting_card',
      card_read: 'card_in_use',
      pin_requested: 'card_in_use',
      linking: 'online',
      signature_requested: 'awaiting_signature',
      outcome_shown: 'finishing',
      ended: 'finished',
      timed_out: 'finished',
    },
    awaiting_card: {
      prompted: 'awaiting_card',
      card_read: 'card_in_use',
      pin_requested: 'card_in_use',
      linking: 'online',
      signature_requested: 'awaiting_signature',
      outcome_shown: 'finishing',
      ended: 'finished',
      timed_out: 'finished',
    },
    card_in_use: {
      card_read: 'card_in_use',
      pin_requested: 'card_in_use',
      card_removal_prompted: 'card_in_use',
      linking: 'online',
      signature_requested: 'awaiting_signature',
      outcome_shown: 'finishing',
      ended: 'finished',
      timed_out: 'finished',
    },
    online: {
      linking: 'online',
      signature_requested: 'awaiting_signature',
      outcome_shown: 'finishing',
      card_removal_prompted: 'finishing',
      ended: 'finished',
      timed_out: 'finished',
    },
    awaiting_signature: {
      signature_decided: 'applying_decision',
      signature_timed_out: 'applying_decision',
      ended: 'finished',
      timed_out: 'finished',
    },
    applying_decision: {
      signature_applied: 'applying_decision',
      signature_not_applied: 'applying_decision',
      linking: 'applying_decision',
      outcome_shown: 'finishing',
      card_removal_prompted: 'finishing',
      ended: 'finished',
      timed_out: 'finished',
    },
    finishing: {
      card_removal_prompted: 'finishing',
      ended: 'finished',
      timed_out: 'finished',
    },
    finished: {},
  },
  /** Outcome of the till's cancel. Each `cancel_requested` is followed by exactly one of refused and done. */
  cancel: {
    none: { cancel_requested: 'requested' },
    requested: { cancel_accepted: 'stopping', cancel_refused: 'refused', cancel_done: 'done' },
    stopping: { cancel_refused: 'refused', cancel_done: 'done' },
    refused: { cancel_requested: 'requested' },
    done: {},
  },
  /**
   * State of the money. `requested` and `unknown` may end either way; an approval ends confirmed or reversed. A terminal that
   * authorises by itself moves it only when it reports the outcome after the time limit, or when somebody says it.
   */
  authorisation: {
    none: {
      authorisation_requested: 'requested',
      found_successful: 'confirmed',
      found_unsuccessful: 'declined',
      closed_as_taken: 'confirmed',
      closed_as_not_taken: 'declined',
    },
    requested: {
      authorisation_approved: 'approved',
      authorisation_declined: 'declined',
      authorisation_unanswered: 'unknown',
      reversal_requested: 'reversing',
    },
    unknown: {
      authorisation_approved: 'approved',
      authorisation_declined: 'declined',
      reversal_requested: 'reversing',
    },
    approved: { authorisation_confirmed: 'confirmed', reversal_requested: 'reversing' },
    declined: {},
    confirmed: {},
    reversing: { reversed: 'reversed' },
    reversed: {},
  },
}

export interface TerminalTransaction {
  readonly requestId: RequestId
  readonly merchantAccount: MerchantAccountId
  readonly tid: TerminalId
  readonly request: TransactionRequest
  readonly partner: Partner
  /** Id of the JSON-RPC request that started it. Absent over REST, and in records of 0.1. */
  readonly rpcId?: number
  readonly limits: Limits
  readonly authorisedBy: 'gateway' | 'terminal'
  readonly progress: Progress
  readonly cancel: Cancel
  readonly authorisation: Authorisation
  /** Number of events so far; the record is their fold. */
  readonly version: number
  readonly startedAt: number
  readonly finishedAt: number | null
  /** Oldest first. The wire shows the newest first. */
  readonly notifications: readonly Notification[]
  /** Sequence number of the last accepted terminal report; one that is not newer is a repetition. */
  readonly lastReport: number
  /** When the signature stage began and ended (epoch milliseconds); null when there was none. */
  readonly signature: { readonly askedAt: number; readonly answeredAt: number | null } | null
  /** Id of the effect that asked the acquirer. It is the order id at the acquirer. */
  readonly authorisationId: EffectId | null
  readonly acquirerReference: string
  readonly declineReason: DeclineReason | null
  readonly card: CardDetails
  readonly amounts: Amounts
  readonly authCode: string
  readonly transactionId: string
  readonly transactionNumber: string
  readonly receipts: Receipts
  readonly result: TransactionResult | null
  readonly messages: readonly TransactionMessage[]
  readonly repeated: Repeated | null
  /** Absent when the terminal has sent neither chip data nor a PIN block. */
  readonly cardData?: CardDataOnRecord
  /**
   * What a terminal that authorises by itself has reported after the time limit. The result that the till read stays; the verdict
   * follows this one. Absent otherwise.
   */
  readonly found?: Ending
  /** The word of a person who has looked, when the terminal did not answer any more. At: epoch milliseconds. Absent otherwise. */
  readonly closure?: Closing & { readonly at: number }
  /** It ended before a card was read, so the total is 0. Absent otherwise, and in records of 0.1: a finished body never changes. */
  readonly endedWithoutCard?: true
}

/** Folds one event into the record: first the states move, then the event adds its data. */
export function apply(
  before: TerminalTransaction | null,
  envelope: EventEnvelope<TransactionEvent>,
): TerminalTransaction {
  const { event, at } = envelope
  if (event.type === 'started') return started(event, at)
  if (before === null) throw new Error(`${event.type} before the start`)
  const record: TerminalTransaction = {
    ...before,
    ...moved<TransactionStates, EventType>(TRANSITIONS, before, event.type),
    version: before.version + 1,
    lastReport: Math.max(before.lastReport, envelope.report),
    notifications: [...before.notifications, ...notificationsOf(event, before.notifications)],
  }
  switch (event.type) {
    case 'card_read':
      return { ...record, card: event.card }
    case 'pin_requested':
      return { ...record, card: { ...record.card, cardholderVerificationMethod: 'PIN' } }
    case 'signature_requested':
      return {
        ...record,
        signature: { askedAt: at, answeredAt: null },
        card: event.card,
        authCode: event.authCode,
        receipts: event.receipts,
      }
    case 'signature_decided':
    case 'signature_timed_out':
      return {
        ...record,
        signature: record.signature === null ? null : { ...record.signature, answeredAt: at },
        messages: event.type === 'signature_timed_out' ? [...record.messages, 'signature_timed_out'] : record.messages,
      }
    case 'authorisation_requested':
      return {
        ...record,
        authorisationId: effectIdOf(record.requestId, record.version, 'acquirer.authorise'),
        amounts: event.amounts,
        card: event.card,
        ...(event.cardData === undefined ? {} : { cardData: event.cardData }),
      }
    case 'authorisation_approved':
      return {
        ...record,
        // The result that the till got never changes, so a late approval does not affect it.
        authCode: record.progress === 'finished' ? record.authCode : event.authCode,
        acquirerReference: event.reference,
      }
    case 'authorisation_declined':
      return { ...record, declineReason: event.reason }
    case 'ended':
      return {
        ...record,
        finishedAt: at,
        result: event.ending.result,
        // The authorised amount is what moved, whatever the terminal prints.
        amounts: record.authorisationId === null ? event.ending.amounts : record.amounts,
        card: event.ending.card,
        authCode: event.ending.authCode,
        transactionId: event.ending.transactionId,
        transactionNumber: event.ending.transactionNumber,
        receipts: event.ending.receipts,
        messages: [...record.messages, ...event.ending.messages],
        repeated: event.ending.repeated,
        ...withoutCard(event, event.ending.amounts, record),
      }
    case 'timed_out':
      return {
        ...record,
        finishedAt: at,
        result: 'TIMED_OUT',
        // The amounts stay: the authorised sum may have moved, and the verdict refers to it.
        receipts: NO_RECEIPTS,
        messages: [...record.messages, 'timed_out'],
        ...withoutCard(event, record.amounts, record),
      }
    case 'found_successful':
    case 'found_unsuccessful':
    case 'found_after_closing':
      return { ...record, found: event.ending }
    case 'closed_as_taken':
    case 'closed_as_not_taken': {
      const { type, ...said } = event
      return { ...record, closure: { outcome: type === 'closed_as_taken' ? 'taken' : 'not_taken', ...said, at } }
    }
    case 'prompted':
    case 'linking':
    case 'paper_ran_out':
    case 'signature_applied':
    case 'signature_not_applied':
    case 'outcome_shown':
    case 'card_removal_prompted':
    case 'cancel_requested':
    case 'cancel_accepted':
    case 'cancel_refused':
    case 'cancel_done':
    case 'asked_too_late':
    case 'authorisation_unanswered':
    case 'authorisation_confirmed':
    case 'reversal_requested':
    case 'reversed':
      return record
  }
}

/** Amounts when no card was read: the base stays as requested, the others are 0. */
function withoutCard(
  event: { readonly withoutCard?: true },
  reported: Amounts,
  { request }: TerminalTransaction,
): Pick<TerminalTransaction, 'endedWithoutCard'> & Partial<Pick<TerminalTransaction, 'amounts'>> {
  if (event.withoutCard === undefined) return {}
  // A DUPLICATE reports the base amount of the transaction that it repeats.
  const baseMinor = request.transactionType === 'DUPLICATE' ? reported.baseMinor : request.amountMinor
  return { endedWithoutCard: true, amounts: { ...NO_AMOUNTS, baseMinor } }
}

/** What was asked of the card in the end, with cashback and gratuity: 0 when none was read. Minor units. */
export function totalMinorOf({ endedWithoutCard, amounts }: TerminalTransaction): number {
  return endedWithoutCard ? 0 : totalOf(amounts)
}

/** The payment as it is now known: as the till has read it, unless its success was found or said after the time limit. */
export function paymentKnownOf(
  record: TerminalTransaction,
): Pick<Ending, 'amounts' | 'card' | 'authCode'> & { readonly totalMinor: number } {
  const { found, closure, request, card } = record
  if (found?.result === 'SUCCESSFUL') {
    const { amounts, authCode } = found
    return { amounts, card: found.card, authCode, totalMinor: totalOf(amounts) }
  }
  if (closure?.outcome === 'taken') {
    // Nobody has said more than that it was taken, so it is what was asked for.
    const { amountMinor: baseMinor, cashbackMinor, table } = request
    const amounts = { baseMinor, cashbackMinor, gratuityMinor: table?.gratuityMinor ?? 0 }
    return { amounts, card, authCode: closure.authCode, totalMinor: totalOf(amounts) }
  }
  return { amounts: record.amounts, card, authCode: record.authCode, totalMinor: totalMinorOf(record) }
}

/** Id of the effect of event number `version`: `<record id>.<version>.<type>`. */
export function effectIdOf(recordId: string, version: number, type: string): string {
  return `${recordId}.${version}.${type}`
}

/** Messages at the start. */
const NO_MESSAGES: readonly TransactionMessage[] = []

function started(event: Extract<TransactionEvent, { type: 'started' }>, at: number): TerminalTransaction {
  return {
    requestId: event.requestId,
    merchantAccount: event.merchantAccount,
    tid: event.tid,
    request: event.request,
    partner: event.partner,
    ...(event.rpcId === undefined ? {} : { rpcId: event.rpcId }),
    limits: event.limits,
    authorisedBy: event.authorisedBy,
    progress: 'accepted',
    cancel: 'none',
    authorisation: 'none',
    version: 1,
    startedAt: at,
    finishedAt: null,
    notifications: notificationsOf(event, []),
    lastReport: 0,
    signature: null,
    authorisationId: null,
    acquirerReference: '',
    declineReason: null,
    card: NO_CARD,
    amounts: { ...NO_AMOUNTS, baseMinor: event.request.amountMinor },
    authCode: '',
    transactionId: '',
    transactionNumber: '',
    receipts: NO_RECEIPTS,
    result: null,
    messages: NO_MESSAGES,
    repeated: null,
  }
}
