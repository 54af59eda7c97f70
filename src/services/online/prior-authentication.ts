// src/services/online/prior-authentication.ts — whether the issuer is asked about a payment without its payer (3RI). ADR 98.
import { isLinked } from '../../domain/online/access-token.ts'
import type { OnlinePayment } from '../../domain/online/payment.ts'
import type { Submission } from '../../domain/online/payment-events.ts'
import type { PriorAuthentication } from '../../domain/online/three-d-secure.ts'
import type { DirectoryServer } from '../../engine/ports/three-d-secure.ts'

/** A payment whose card a later one uses again. */
export type Original = OnlinePayment & { readonly submission: Submission }

/**
 * The authentication with which the issuer is asked about a later payment; null when it is not asked: the payer was never
 * authenticated, the account has not chosen it, or the payment only refers to money of the original.
 */
export async function priorAuthenticationFor(
  directoryServer: DirectoryServer,
  { merchantAccount: account, order }: OnlinePayment,
  original: Original,
): Promise<PriorAuthentication | null> {
  if (isLinked(order.transactionType) || order.moto) return null
  const prior = original.submission.prior ?? authenticationIn(original)
  if (prior === null) return null
  const { scheme } = original.submission.card
  return (await directoryServer.authenticatesLater?.(account, scheme)) === true ? prior : null
}

/** Proofs of 0.1, of version 1.0 and of exempted payments name no authentication. */
function authenticationIn({ proof, submittedAt }: Original): PriorAuthentication | null {
  if (proof === null || proof.status === 'I' || submittedAt === null) return null
  const { challenged, acsTransactionId, directoryServerTransactionId } = proof
  if (acsTransactionId === undefined) return null
  return { challenged, acsTransactionId, directoryServerTransactionId, at: submittedAt }
}
