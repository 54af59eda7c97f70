// src/api/online/submission.ts — builds the submission of a payment from the request and the token's order.

import type { Card } from '../../domain/card-number.ts'
import { isLinked, NO_ADDRESS, type PostalAddress } from '../../domain/online/access-token.ts'
import type { OnlinePayment } from '../../domain/online/payment.ts'
import type { StoredCard, Submission, SubmittedBy } from '../../domain/online/payment-events.ts'
import type { PriorAuthentication } from '../../domain/online/three-d-secure.ts'
import type { Vault } from '../../engine/ports/vault.ts'
import type { WalletCard, WalletName } from '../../engine/ports/wallets.ts'
import { sealedProof } from '../../engine/sealed-proofs.ts'
import type { CardRequest, PayerDetails } from './card-request.ts'

/** Stores a card in the vault. Returns its reference with the card data that may be stored in clear. */
export async function storeCard(
  vault: Vault,
  { merchantAccount: account, id }: OnlinePayment,
  card: Card,
): Promise<StoredCard> {
  // The lookup comes first, so that its failure leaves no card behind.
  const lookup = await vault.lookupOf(account, card.number)
  const reference = await vault.storeCard(account, card, id)
  return {
    vault: reference,
    lookup,
    masked: card.number.masked,
    scheme: card.number.scheme,
    expiry: card.expiry,
    holder: card.holder,
  }
}

/** Stores a wallet's card and its cryptogram in the vault. Returns what may be stored in clear, with their references. */
export async function storeWalletCard(
  vault: Vault,
  payment: OnlinePayment,
  card: WalletCard,
): Promise<Pick<Submission, 'card' | 'walletProof'>> {
  const { merchantAccount: account, id } = payment
  // The cryptogram comes first: one that is left behind is deleted in time by itself.
  const walletProof = card.cryptogram && (await sealedProof(vault, account, id, card.cryptogram))
  return { card: await storeCard(vault, payment, card), walletProof }
}

/** Submission with a card that was typed in. A mail or telephone order has no payer to authenticate. */
export function cardSubmission(payment: OnlinePayment, request: CardRequest, card: StoredCard): Submission {
  return {
    ...common(payment, request, 'card_form', card),
    securityCodeGiven: request.securityCode !== null,
    authenticate: !payment.order.moto,
    saveCard: request.saveCard,
    mitConsentGiven: request.mitConsentGiven,
  }
}

/** Submission with the card of an earlier payment, the payer present. */
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

/** Submission with a wallet's card. A Google Pay card that is not bound to a device goes through 3-D Secure. */
export function walletSubmission(
  payment: OnlinePayment,
  request: PayerDetails,
  wallet: WalletName,
  { card, walletProof }: Pick<Submission, 'card' | 'walletProof'>,
): Submission {
  return {
    ...common(payment, request, wallet, card),
    authenticate: wallet === 'GOOGLE_PAY' && walletProof === null,
    walletProof,
  }
}

/**
 * Submission from server to server on an earlier payment. There is no payer; the issuer is asked without one where `prior` is
 * given.
 */
export function crossReferenceSubmission(
  payment: OnlinePayment,
  original: OnlinePayment & { readonly submission: Submission },
  securityCodeGiven: boolean,
  prior: PriorAuthentication | null,
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
    ...(prior !== null && { authenticate: true, prior }),
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

/** An address in the order replaces the original's as a whole. A new transaction without one has no address. */
function addressFrom(
  { order }: OnlinePayment,
  original: OnlinePayment & { readonly submission: Submission },
): PostalAddress {
  const fresh = order.newTransaction && !isLinked(order.transactionType)
  return order.billingAddress ?? (fresh ? NO_ADDRESS : original.submission.billingAddress)
}

function common({ order }: OnlinePayment, request: PayerDetails, by: SubmittedBy, card: StoredCard): Submission {
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
    // Metadata of the browser overrides that of the token.
    metaData: Object.keys(merged).length === 0 ? null : merged,
    saveCard: false,
    mitConsentGiven: false,
    walletProof: null,
  }
}
