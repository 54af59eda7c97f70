// test/support/payment-states.ts — online payments in each combination of states, and one event of each type.
import { NO_ADDRESS, type OnlineType, type TokenOrder } from '../../src/domain/online/access-token.ts'
import {
  type MoneyState,
  type OnlinePayment,
  type PaymentProgress,
  type ReservationState,
  TRANSITIONS,
} from '../../src/domain/online/payment.ts'
import type { OnlinePaymentEvent, Submission } from '../../src/domain/online/payment-events.ts'
import type { AuthenticationState } from '../../src/domain/online/three-d-secure.ts'

export const ORDER: TokenOrder = {
  ...{ transactionType: 'SALE', amountMinor: 1_000, currencyCode: '826', orderId: 'O', orderDescription: '' },
  ...{ merchantTransactionId: null, moto: false, billingAddress: null, shippingDetails: null, newTransaction: false },
  payer: { userAgent: '', emailAddress: '', phoneNumber: '', ipAddress: '' },
  ...{ crossReference: null, webHook: null, metaData: null, waitPreExecute: false, customerId: null },
  ...{ paymentMethodId: null, previousTransactionId: null, cofSetup: null },
}

export const SUBMISSION: Submission = {
  by: 'card_form',
  card: {
    ...{ vault: 'v', lookup: 'l', masked: '520000******0056', scheme: 'MASTERCARD', holder: 'A' },
    expiry: { month: 12, year: 2030 },
  },
  ...{ securityCodeGiven: true, authenticate: true, original: null, shippingDetails: null },
  billingAddress: NO_ADDRESS,
  ...{ emailAddress: '', phoneNumber: '', metaData: null, saveCard: false, mitConsentGiven: false, walletProof: null },
}

export const NAMES = { crossReference: '1234567890123456789012', paymentMethodId: 'pm_1' }
export const CHALLENGE = { version: '2.0', md: 'm', acsUrl: '/acs', payload: 'p' } as const
export const PROOF = {
  version: '2.0',
  status: 'Y',
  challenged: true,
  eci: '05',
  value: 'v',
  directoryServerTransactionId: 'd',
} as const

export const EXEMPTED = {
  ...PROOF,
  status: 'I',
  challenged: false,
  eci: '07',
  value: '',
  exemption: 'low_value',
} as const

/** A sale of 10.00 GBP whose token was issued at time 0, with the given changes. */
export function aPayment(changes: Partial<OnlinePayment> = {}): OnlinePayment {
  return {
    ...{ id: 'p', merchantAccount: 'demo', order: ORDER, version: 1, token: 'issued', progress: 'none' },
    ...{ authentication: 'none', reservation: 'none', money: 'none', createdAt: 0, submission: null },
    ...{ submittedAt: null, waitingSince: 0, challenge: null, mustChallenge: false, proof: null },
    ...{ authenticationFailure: null, authorisationId: null, authCode: '', acquirerReference: '' },
    ...{ declineReason: null, statusCode: null, message: '', finishedAt: null, crossReference: '' },
    ...{ paymentMethodId: null, entries: [] },
    ...changes,
  }
}

/** A submitted payment. */
export function aSubmitted(changes: Partial<OnlinePayment> = {}): OnlinePayment {
  return aPayment({ token: 'used', progress: 'processing', submission: SUBMISSION, submittedAt: 0, ...changes })
}

const PROGRESSES = Object.keys(TRANSITIONS.progress) as PaymentProgress[]
const AUTHENTICATIONS = Object.keys(TRANSITIONS.authentication) as AuthenticationState[]
const RESERVATIONS = Object.keys(TRANSITIONS.reservation) as ReservationState[]
export const MONEY_STATES = Object.keys(TRANSITIONS.money) as MoneyState[]

/** Each combination of progress, authentication, reservation and money, for this type of order. Built once for each type. */
export function everyPayment(transactionType: OnlineType = 'SALE'): readonly OnlinePayment[] {
  const records = BUILT.get(transactionType) ?? combinations(transactionType)
  BUILT.set(transactionType, records)
  return records
}

const BUILT = new Map<OnlineType, readonly OnlinePayment[]>()

function combinations(transactionType: OnlineType): readonly OnlinePayment[] {
  const records: OnlinePayment[] = []
  for (const progress of PROGRESSES)
    for (const authentication of AUTHENTICATIONS)
      for (const reservation of RESERVATIONS)
        for (const money of MONEY_STATES)
          records.push(
            aSubmitted({ progress, authentication, reservation, money, order: { ...ORDER, transactionType } }),
          )
  return records
}

/** One event of each type except `issued`. A new type must be added here, or this does not compile. */
const EVENT_OF: {
  readonly [Type in Exclude<OnlinePaymentEvent['type'], 'issued'>]: Extract<OnlinePaymentEvent, { type: Type }>
} = {
  expired: { type: 'expired' },
  revoked: { type: 'revoked' },
  submitted: { type: 'submitted', submission: SUBMISSION },
  lookup_requested: { type: 'lookup_requested', mustChallenge: false },
  not_enrolled: { type: 'not_enrolled' },
  challenge_requested: { type: 'challenge_requested', challenge: CHALLENGE },
  authenticated: { type: 'authenticated', proof: PROOF },
  exempted: { type: 'exempted', proof: EXEMPTED },
  authentication_failed: { type: 'authentication_failed', status: 'N', reason: 'not_authenticated' },
  paused: { type: 'paused' },
  resumed: { type: 'resumed' },
  reservation_requested: { type: 'reservation_requested' },
  reserved: { type: 'reserved' },
  reservation_refused: { type: 'reservation_refused', reason: 'no' },
  reservation_settled: { type: 'reservation_settled' },
  reservation_released: { type: 'reservation_released' },
  authorisation_requested: { type: 'authorisation_requested' },
  authorisation_approved: { type: 'authorisation_approved', authCode: '123456', reference: 'r' },
  authorisation_declined: { type: 'authorisation_declined', reason: 'do_not_honour', responseCode: '05' },
  authorisation_unanswered: { type: 'authorisation_unanswered' },
  reversal_requested: { type: 'reversal_requested', why: 'unanswered' },
  reversed: { type: 'reversed' },
  closed_as_taken: { type: 'closed_as_taken', operator: 'Ann', reason: 'It says so.', authCode: '654321' },
  closed_as_not_taken: { type: 'closed_as_not_taken', operator: 'Ann', reason: 'It says so.' },
  answered_late: { type: 'answered_late', answer: 'approved', agrees: true, authCode: '123456', responseCode: '' },
  link_reserved: {
    type: 'link_reserved',
    reservation: { by: 'l', type: 'REFUND', amountMinor: 1, currencyCode: '826' },
  },
  link_settled: { type: 'link_settled', by: 'l' },
  link_released: { type: 'link_released', by: 'l' },
  link_refunded: { type: 'link_refunded', by: 'l' },
  ended: { type: 'ended', statusCode: 0, message: 'AuthCode: 123456', crossReference: '1', paymentMethodId: null },
}
export const PAYMENT_EVENTS = Object.values(EVENT_OF)

/** Short form of an event, with the fields that money depends on. */
export function paymentEventInShort(event: OnlinePaymentEvent): string {
  switch (event.type) {
    case 'ended':
      return `ended ${event.statusCode}`
    case 'reversal_requested':
      return `reverse ${event.why}`
    case 'lookup_requested':
      return event.mustChallenge ? 'lookup to challenge' : 'lookup'
    case 'answered_late':
      return `answered_late ${event.answer}${event.agrees ? '' : ', against it'}`
    case 'authorisation_requested':
      return 'authorise'
    default:
      return event.type
  }
}

/** Name of a record in failed assertions: its states and order type. */
export function nameOfPayment({ progress, authentication, reservation, money, order }: OnlinePayment): string {
  return [order.transactionType, progress, authentication, reservation, money].join(' ')
}
