// src/engine/search-terms.ts — the terms by which lists find records. ADR 55.
import type { TerminalTransaction } from '../domain/counter/transaction.ts'
import { type OnlinePayment, statusOf } from '../domain/online/payment.ts'
import type { Report } from '../domain/reports/report.ts'
import type { WebhookDelivery } from '../domain/webhooks/webhook-delivery.ts'
import type { TermChanges } from './ports/store.ts'

export type SearchField = 'amount' | 'result' | 'status' | 'lastFour' | 'rpcId' | 'orderId'

/** A term as it is stored: its form never changes, see ADR 55. */
export function searchTerm(field: SearchField, value: string | number): string {
  return `${field}=${value}`
}

/** `rpcId` changes never, `result` once. Progress is no term, because it changes at each step of the terminal. */
export function transactionTerms({ request, result, rpcId, card }: TerminalTransaction): readonly string[] {
  return [
    searchTerm('amount', request.amountMinor),
    ...(rpcId === undefined ? [] : [searchTerm('rpcId', rpcId)]),
    ...(result === null ? [] : [searchTerm('result', result)]),
    ...lastFourOf(card.primaryAccountNumber),
  ]
}

export function paymentTerms(record: OnlinePayment): readonly string[] {
  const status = statusOf(record)
  return [
    searchTerm('amount', record.undoesMinor ?? record.order.amountMinor),
    ...(status === null ? [] : [searchTerm('status', status)]),
    ...lastFourOf(record.submission?.card.masked ?? ''),
  ]
}

export function reportTerms({ result }: Report): readonly string[] {
  return result === null ? [] : [searchTerm('result', result)]
}

export function deliveryTerms({ orderId, progress }: WebhookDelivery): readonly string[] {
  return [searchTerm('orderId', orderId), searchTerm('status', progress)]
}

function lastFourOf(masked: string): readonly string[] {
  const [, digits] = /(\d{4})$/.exec(masked) ?? []
  return digits === undefined ? [] : [searchTerm('lastFour', digits)]
}

/** How the terms of a record change. */
export function termChanges(before: readonly string[], after: readonly string[]): TermChanges {
  return {
    added: after.filter(term => !before.includes(term)),
    removed: before.filter(term => !after.includes(term)),
  }
}
