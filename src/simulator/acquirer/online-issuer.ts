// src/simulator/acquirer/online-issuer.ts — the simulated issuer of online cards: decides by amount, then by test card.
import { isExpired } from '../../domain/card-number.ts'
import type { OnlineCard } from '../../engine/ports/acquirer.ts'
import { onlineTestCardOf } from '../cards/online-test-cards.ts'
import { declined, type IssuerAnswer, issuerAnswerByAmount } from './issuer.ts'

/** Amounts of exactly 90,000.65 produce "authenticate the cardholder first" (response code 65) until a challenge succeeds. */
const SOFT_DECLINE_MINOR = 90_000_65

/** Decides on an amount (minor units) and a card. `at`: epoch milliseconds. Pure. */
export function onlineAnswerFor(
  { card, securityCode, proof }: OnlineCard,
  amountMinor: number,
  at: number,
): IssuerAnswer {
  const known = onlineTestCardOf(card.number.reveal(), card.holder)
  if (known === null) return declined('card_not_supported')
  if (isExpired(card.expiry, at)) return declined('expired_card')
  // The address is not checked: a shop may leave it out.
  if (securityCode !== null && securityCode.reveal() !== known.securityCode) return declined('security_code_differs')
  if (amountMinor === SOFT_DECLINE_MINOR && proof?.challenged !== true) return declined('authentication_required')
  const byAmount = issuerAnswerByAmount(amountMinor)
  if (byAmount !== null) return byAmount
  switch (known.expected) {
    case 0:
      return { answer: 'approved' }
    case 4:
      return declined('refer_to_issuer')
    case 5:
      return declined('do_not_honour')
  }
}
