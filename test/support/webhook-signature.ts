// test/support/webhook-signature.ts — verifies the signatures of webhooks as a receiver does.
import { Webhook } from 'standardwebhooks'
import type { Message } from './webhook-outbox.ts'

/** The error of a message without a valid signature. */
export const UNSIGNED = /No matching signature found/

/** Verifies a signature with the receiver's library, at the time at which the message was sent. */
export function verify(secret: string, { headers, body }: Message): unknown {
  const at = Number(headers['webhook-timestamp']) * 1_000
  const now = Date.now
  Date.now = () => at
  try {
    return new Webhook(secret).verify(body, { ...headers })
  } finally {
    Date.now = now
  }
}
