// src/simulator/acquirer/issuer.ts — the simulated issuer: decides by amount, then by card.
import type { DeclineReason } from '../../domain/counter/transaction-events.ts'
import { testCardOf } from '../cards/test-cards.ts'

export type IssuerAnswer =
  | { readonly answer: 'approved' }
  | { readonly answer: 'declined'; readonly reason: DeclineReason; readonly responseCode: string }
  /** No answer, now or later. No money moves. */
  | { readonly answer: 'silent' }
  /** Approved, but the first answer is lost. Only a repeated request gets it. */
  | { readonly answer: 'approved_late' }

/** Amounts of exactly 90,000.NN produce the response code NN (ISO 8583, field 39). */
const FIRST_CODED_MINOR = 90_000_00
const LAST_CODED_MINOR = FIRST_CODED_MINOR + 99

/** Issuer answer for each response code. Other codes leave the decision to the card. */
const ANSWER_BY_RESPONSE_CODE: Readonly<Record<string, IssuerAnswer>> = {
  '01': declined('refer_to_issuer', '01'),
  '02': declined('refer_to_issuer', '02'),
  '05': declined('do_not_honour', '05'),
  '14': declined('card_not_supported', '14'),
  '41': declined('lost_or_stolen', '41'),
  '43': declined('lost_or_stolen', '43'),
  '51': declined('insufficient_funds', '51'),
  '54': declined('expired_card', '54'),
  '55': declined('incorrect_pin', '55'),
  // "Response received too late" and "issuer unavailable" are the two codes without an answer.
  '68': { answer: 'approved_late' },
  '91': { answer: 'silent' },
}

/** Response code for each reason, when the amount does not select one. */
export const RESPONSE_CODE: Readonly<Record<DeclineReason, string>> = {
  do_not_honour: '05',
  insufficient_funds: '51',
  expired_card: '54',
  lost_or_stolen: '41',
  incorrect_pin: '55',
  refer_to_issuer: '01',
  card_not_supported: '14',
  no_pre_authorisation: '12',
  pre_authorisation_differs: '13',
  security_code_differs: 'N7',
  authentication_required: '65',
}

/** Decides on an amount (minor units) and a card. An unknown card is declined. Pure. */
export function issuerAnswerFor(cardToken: string, amountMinor: number): IssuerAnswer {
  const byAmount = issuerAnswerByAmount(amountMinor)
  if (byAmount !== null) return byAmount
  const issuer = testCardOf(cardToken)?.issuer ?? 'card_not_supported'
  return issuer === 'approves' ? { answer: 'approved' } : declined(issuer)
}

/** Answer that the amount (minor units) selects, whatever the card. Null when the card decides. */
export function issuerAnswerByAmount(amountMinor: number): IssuerAnswer | null {
  if (amountMinor < FIRST_CODED_MINOR || amountMinor > LAST_CODED_MINOR) return null
  return ANSWER_BY_RESPONSE_CODE[String(amountMinor - FIRST_CODED_MINOR).padStart(2, '0')] ?? null
}

/** A decline, with the default code of its reason unless another is given. */
export function declined(reason: DeclineReason, responseCode = RESPONSE_CODE[reason]): IssuerAnswer {
  return { answer: 'declined', reason, responseCode }
}
