// src/domain/webhooks/webhook.ts — what a merchant's server is told of a payment, and who may ask for it to be told.
import type { Effect } from '../machine.ts'

/** Online reference 6.1. The outcome is left out on purpose: the receiver asks for the payment. */
export interface WebhookBody {
  /** The access token. */
  readonly id: string
  readonly orderId: string
  /** As given when the token was made; left out when it was not. */
  readonly merchantTransactionId?: string
}

/** Where the body stands. A token that is not kept in clear lies in the vault until the message is made. */
export interface WebhookOrder {
  readonly url: string
  /** Messages about the same subject are delivered one after the other; the payment's own id. */
  readonly subject: string
  readonly orderId: string
  readonly merchantTransactionId: string | null
  /** The access token in clear, or what the vault gave for it (`keepText` with purpose `access-token`). */
  readonly token: { readonly clear: string } | { readonly vault: string }
}

export interface WebhookEffect extends WebhookOrder {
  readonly type: 'webhook.announce'
}

/**
 * The effect by which a commit asks for a webhook; at most one for an event. Name it in the machine's `effectsOf` and
 * it is written with the change that it tells of.
 * @param id `<record id>.<version>.webhook.announce`
 */
export function webhookEffect(
  record: { readonly id: string; readonly version: number },
  order: WebhookOrder,
): Effect<WebhookEffect> {
  const payload: WebhookEffect = { type: 'webhook.announce', ...order }
  return { id: `${record.id}.${record.version}.${payload.type}`, type: payload.type, payload }
}

/** Longer addresses are refused: they are kept with every delivery. */
const LONGEST_URL = 2_048

/** What is wrong with an address for webhooks, as the end of a sentence, or null. */
export function webhookUrlProblem(text: string): string | null {
  if (text.length > LONGEST_URL) return `must not be longer than ${LONGEST_URL} characters`
  if (!URL.canParse(text)) return 'must be an address'
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https:// or http://'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password'
  return null
}
