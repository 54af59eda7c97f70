// src/api/online/submission.ts — from what was sent and what the token says to what the payment is submitted with.

import type { Card } from '../../domain/card-number.ts'
import { isLinked, NO_ADDRESS, type PostalAddress } from '../../domain/online/access-token.ts'
import type { OnlinePayment } from '../../domain/online/payment.ts'
import type { KeptCard, Submission, SubmittedBy } from '../../domain/online/payment-events.ts'
import type { Vault } from '../../engine/ports/vault.ts'
import type { WalletCard } from '../../engine/ports/wallets.ts'
import type { CardRequest, PayerDetails } from './card-request.ts'

/** Keeps a card for a payment; what is noted beside it says nothing of its number. */
export async function keepCard(
  vault: Vault,
  { merchantAccount: account, id }: OnlinePayment,
  card: Card,
): Promise<KeptCard> {
  // The lookup first: whatever fails before the card is kept leaves none behind.
  const lookup = await vault.lookupOf(account, card.number)
  const reference = await vault.keepCard(account, card, id)
  return {
    vault: reference,
    lookup,
    masked: card.number.masked,
    scheme: card.number.scheme,
    expiry: card.expiry,
    holder: card.holder,
  }
}

/** A card that was typed in. Whoever takes an order by mail or telephone has no payer before him to authenticate. */
export function cardSubmission(payment: OnlinePayment, request: CardRequest, card: KeptCard): Submission {
  return {
    ...common(payment, request, 'card_form', card),
    securityCodeGiven: request.securityCode !== null,
    authenticate: !payment.order.moto,
    saveCard: request.saveCard,
    mitConsentGiven: request.mitConsentGiven,
  }
}

/** The card of an earlier payment, its payer present. */
export function savedCardSubmission(
  payment: OnlinePayment,
  request: PayerDetails,
  source: OnlinePayment & { readonly submission: Submission },
  securityCodeGiven: boolean,
): Submission {
  return {
    ...common(payment, request, 'saved_card', source.submission.card),
    billingAddress: request.billingAddress ?? addressFrom(payment, source),
    securityCodeGiven,
    authenticate: !payment.order.moto,
    original: source.id,
  }
}

/** A wallet's card. One that is not bound to a device goes through 3-D Secure. Online reference 9.6. */
export function walletSubmission(
  payment: OnlinePayment,
  request: PayerDetails,
  { wallet, cryptogram }: WalletCard,
  card: KeptCard,
): Submission {
  return {
    ...common(payment, request, wallet, card),
    authenticate: wallet === 'GOOGLE_PAY' && cryptogram === null,
    walletProof: cryptogram,
  }
}

/** Server to server, on an earlier payment. Nobody is there to be authenticated. */
export function crossReferenceSubmission(
  payment: OnlinePayment,
  original: OnlinePayment & { readonly submission: Submission },
  securityCodeGiven: boolean,
): Submission {
  const { order } = payment
  const fresh = order.newTransaction && !isLinked(order.transactionType)
  const before = fresh ? null : original.submission
  return {
    ...common(payment, NOTHING, 'cross_reference', original.submission.card),
    billingAddress: addressFrom(payment, original),
    shippingDetails: order.shippingDetails ?? before?.shippingDetails ?? null,
    emailAddress: order.payer.emailAddress || (before?.emailAddress ?? ''),
    phoneNumber: order.payer.phoneNumber || (before?.phoneNumber ?? ''),
    securityCodeGiven,
    original: original.id,
  }
}

const NOTHING: PayerDetails = {
  emailAddress: null,
  phoneNumber: null,
  billingAddress: null,
  shippingDetails: null,
  metaData: null,
}

/** One field of an address replaces the whole of the original's; none keeps it. Online reference 3.2 note 2. */
function addressFrom(
  { order }: OnlinePayment,
  original: OnlinePayment & { readonly submission: Submission },
): PostalAddress {
  const fresh = order.newTransaction && !isLinked(order.transactionType)
  return order.billingAddress ?? (fresh ? NO_ADDRESS : original.submission.billingAddress)
}

function common({ order }: OnlinePayment, request: PayerDetails, by: SubmittedBy, card: KeptCard): Submission {
  const { payer } = order
  const merged = { ...order.metaData, ...request.metaData }
  return {
    by,
    card,
    securityCodeGiven: false,
    authenticate: false,
    original: null,
    billingAddress: request.billingAddress ?? order.billingAddress ?? NO_ADDRESS,
    shippingDetails: request.shippingDetails ?? order.shippingDetails,
    emailAddress: request.emailAddress ?? payer.emailAddress,
    phoneNumber: request.phoneNumber ?? payer.phoneNumber,
    // What the browser says wins. Online reference 15 row 33.
    metaData: Object.keys(merged).length === 0 ? null : merged,
    saveCard: false,
    mitConsentGiven: false,
    walletProof: null,
  }
}
