// src/domain/webhooks/webhook.ts — the webhook body, the effect that requests one, and the rules for its address.
import type { Effect } from '../machine.ts'

/** The body of a webhook. It omits the outcome on purpose: the receiver reads the payment. See docs/webhooks.md. */
export interface WebhookBody {
  /** The access token. */
  readonly id: string
  readonly orderId: string
  /** As given with the order of the token; absent when it was not given. */
  readonly merchantTransactionId?: string
}

/** Data for a webhook. A token that is not stored in clear is in the vault until the webhook is created. */
export interface WebhookOrder {
  readonly url: string
  /** Id of the payment. Webhooks of the same subject are delivered one after the other. */
  readonly subject: string
  readonly orderId: string
  readonly merchantTransactionId: string | null
  /** The access token in clear, or its vault reference (`keepText` with purpose `access-token`). */
  readonly token: { readonly clear: string } | { readonly vault: string }
}

export interface WebhookEffect extends WebhookOrder {
  readonly type: 'webhook.announce'
}

/**
 * The effect that requests a webhook; at most one per event. Return it from the machine's `effectsOf`, so that it is written
 * in the same commit as the change.
 * @param id `<record id>.<version>.webhook.announce`
 */
export function webhookEffect(
  record: { readonly id: string; readonly version: number },
  order: WebhookOrder,
): Effect<WebhookEffect> {
  const payload: WebhookEffect = { type: 'webhook.announce', ...order }
  return { id: `${record.id}.${record.version}.${payload.type}`, type: payload.type, payload }
}

/** Limit of an address, because it is stored with every delivery. */
const LONGEST_URL = 2_048

/** What is wrong with a webhook address, as the end of a sentence; null when it is valid. */
export function webhookUrlProblem(text: string): string | null {
  if (text.length > LONGEST_URL) return `must not be longer than ${LONGEST_URL} characters`
  if (!URL.canParse(text)) return 'must be an address'
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https:// or http://'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password'
  return null
}
