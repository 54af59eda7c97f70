// src/simulator/terminals/card-reader.ts — what a terminal reads from the presented card.
import { type CardDetails, type CardholderVerificationMethod, maskOf, NO_CARD } from '../../domain/card.ts'
import type { TransactionRequest } from '../../domain/counter/transaction-events.ts'
import { type TestCard, testCardOf } from '../cards/test-cards.ts'
import type { Check, Reading } from '../scenarios/scenario.ts'
import type { Running } from './device.ts'

/** Contactless limit: above it a contactless card must be inserted. A phone or watch has no limit. */
export const CONTACTLESS_LIMIT_MINOR = 100_00

/** Failed inserts after which a card may be swiped. */
export const INSERTS_BEFORE_SWIPE = 3

/** Reason why this terminal refuses a card, or null. `at`: epoch milliseconds. */
export function troubleWith(token: string, at: number): 'card_expired' | 'card_not_taken' | null {
  const card = testCardOf(token)
  if (card === null || !card.taken) return 'card_not_taken'
  const [month = '', year = ''] = card.dateOfExpiry.split('/')
  return `20${year}-${month}` < new Date(at).toISOString().slice(0, 7) ? 'card_expired' : null
}

/** Verification of the cardholder. None for a card that is not present: no signature is possible over the telephone. */
export function checkFor(request: TransactionRequest, reading: Reading, wanted: Check): Check {
  if (request.cardholderNotPresent || reading === 'KEYED') return 'NONE'
  // A refund needs no PIN, at most a signature (docs/scenarios.md, row 20).
  return request.transactionType === 'REFUND' && wanted !== 'SIGNATURE' ? 'NONE' : wanted
}

/** Verification of the cardholder when a person presents the card with keys. */
export function checkByHand(card: TestCard, request: TransactionRequest, reading: Reading): Check {
  switch (reading) {
    case 'ICC_CHIP':
      return card.pin === null || request.transactionType === 'REFUND' ? 'SIGNATURE' : 'PIN'
    case 'CONTACTLESS':
      return card.device ? 'DEVICE' : 'NONE'
    case 'SWIPED':
      return 'SIGNATURE'
    case 'KEYED':
      return 'NONE'
  }
}

/** The card of a transaction, as far as it has been read. */
export function cardDetailsOf(running: Running): CardDetails {
  const { presented } = running
  const card = presented === null || !running.cardRead ? null : testCardOf(presented.token)
  if (presented === null || card === null) return NO_CARD
  const byChip = presented.reading === 'ICC_CHIP' || presented.reading === 'CONTACTLESS'
  return {
    paymentMethod: presented.reading,
    cardholderVerificationMethod: verificationSoFar(presented.check, running.pinAsked),
    primaryAccountNumber: maskOf(card.number),
    primaryAccountNumberSequence: byChip ? card.sequence : '',
    applicationId: byChip ? card.applicationId : '',
    applicationLabel: byChip ? card.applicationLabel : '',
    cardSchemeName: card.cardSchemeName,
    dateOfExpiry: card.dateOfExpiry,
    dateOfStart: presented.reading === 'KEYED' ? '' : card.dateOfStart,
  }
}

/** A PIN counts as verification only once it is requested. */
function verificationSoFar(check: Check, pinAsked: boolean): CardholderVerificationMethod {
  return check === 'PIN' && !pinAsked ? 'NONE' : check
}
