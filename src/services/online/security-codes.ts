// src/services/online/security-codes.ts — security codes on their way to the acquirer: in memory only, and only until the
// issuer has said its last word on the payment.

import type { SecurityCode } from '../../domain/card-number.ts'
import type { PaymentId } from '../../domain/ids.ts'

/** Payments under way at once; the oldest code goes when there are more, and its payment with it. */
const CACHED_CODES = 50_000

export interface SecurityCodes {
  keep(paymentId: PaymentId, code: SecurityCode): void
  /** Null: it was never given, or this process has never heard it. */
  of(paymentId: PaymentId): SecurityCode | null
  forget(paymentId: PaymentId): void
  readonly count: number
}

export function createSecurityCodes(): SecurityCodes {
  const codes = new Map<string, SecurityCode>()
  return {
    keep(paymentId, code) {
      if (codes.size >= CACHED_CODES) {
        const oldest = codes.keys().next()
        if (!oldest.done) codes.delete(oldest.value)
      }
      codes.set(paymentId, code)
    },
    of: paymentId => codes.get(paymentId) ?? null,
    forget: paymentId => void codes.delete(paymentId),
    get count() {
      return codes.size
    },
  }
}
