// src/simulator/terminals/card-reader.ts — what a terminal can tell of a card in front of it.
import { type CardDetails, type CardholderVerificationMethod, maskOf, NO_CARD } from '../../domain/card.ts'
import type { TransactionRequest } from '../../domain/counter/transaction-events.ts'
import { type TestCard, testCardOf } from '../cards/test-cards.ts'
import type { Check, Reading } from '../scenarios/scenario.ts'
import type { Running } from './device.ts'

/** Above this a plain contactless card must go into the chip reader. The limit in the shops of the reference. */
export const CONTACTLESS_LIMIT_MINOR = 100_00

/** Failed tries at the chip after which a card may be swiped. */
export const INSERTS_BEFORE_SWIPE = 3

/** What stands in the way of a card at this terminal, or null. */
export function troubleWith(token: string, at: number): 'card_expired' | 'card_not_taken' | null {
  const card = testCardOf(token)
  if (card === null || !card.taken) return 'card_not_taken'
  const [month = '', year = ''] = card.dateOfExpiry.split('/')
  return `20${year}-${month}` < new Date(at).toISOString().slice(0, 7) ? 'card_expired' : null
}

/** How the owner of the card is checked in the end: nobody signs at the other end of a telephone. */
export function checkFor(request: TransactionRequest, reading: Reading, wanted: Check): Check {
  if (request.cardholderNotPresent || reading === 'KEYED') return 'NONE'
  // Money that comes back needs no PIN; only a signature is ever asked for. Terminal reference 6.2, row 20.
  return request.transactionType === 'REFUND' && wanted !== 'SIGNATURE' ? 'NONE' : wanted
}

/** How a person's card is checked when a person, and not a script, presents it. */
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

/** The card of a transaction as far as it has been read. */
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

/** A PIN counts from when it is asked for; before that nothing was verified. */
function verificationSoFar(check: Check, pinAsked: boolean): CardholderVerificationMethod {
  return check === 'PIN' && !pinAsked ? 'NONE' : check
}
