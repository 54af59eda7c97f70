// src/services/webhooks/webhook-signature.ts — signs webhooks by the Standard Webhooks specification, version 1.0.
import { createHmac } from 'node:crypto'
import type { Random } from '../../engine/ports/random.ts'

const PREFIX = 'whsec_'
/** Bytes of a secret; the specification requires 24 to 64. */
const SECRET_BYTES = 32

/** Generates a secret in the format of Standard Webhooks libraries. */
export function freshSecret(random: Random): string {
  return `${PREFIX}${Buffer.from(random.bytes(SECRET_BYTES)).toString('base64')}`
}

/**
 * Headers for one webhook, with a signature of each secret; a receiver accepts it when one signature is valid.
 * @param at time of the attempt, not of the webhook; epoch milliseconds
 */
export function signedHeaders(
  message: { readonly id: string; readonly body: string },
  secrets: readonly string[],
  at: number,
): Readonly<Record<string, string>> {
  const seconds = Math.floor(at / 1_000)
  const signed = `${message.id}.${seconds}.${message.body}`
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map(secret => `v1,${signatureOf(secret, signed)}`).join(' '),
  }
}

function signatureOf(secret: string, text: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return createHmac('sha256', key).update(text, 'utf8').digest('base64')
}
