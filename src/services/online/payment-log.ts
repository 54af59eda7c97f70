// src/services/online/payment-log.ts — counts online payments.
import { type OnlinePayment, STATUS_NAMES, statusOf } from '../../domain/online/payment.ts'
import type { Listener } from '../../engine/feed.ts'
import { ONLINE_PAYMENT } from '../../engine/online-machine.ts'
import type { Meters } from '../../engine/ports/log.ts'

/** Counts each submission, and each end by its type and status: `successful`, `declined`, … */
export function countPayments(meters: Meters): Listener {
  return ({ kind, record, events }) => {
    if (kind !== ONLINE_PAYMENT.kind) return
    const payment = record as OnlinePayment
    const type = payment.order.transactionType
    for (const event of events) {
      if (event.type === 'submitted') meters.paymentStarted(type)
      if (event.type === 'ended' || event.type === 'revoked') meters.paymentFinished(type, resultOf(payment))
    }
  }
}

function resultOf(payment: OnlinePayment): string {
  const status = statusOf(payment)
  return status === null ? 'unknown' : STATUS_NAMES[status].toLowerCase().replaceAll(/[^a-z]+/g, '_')
}
