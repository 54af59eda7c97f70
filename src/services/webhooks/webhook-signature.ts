// src/services/webhooks/webhook-signature.ts — the headers of the Standard Webhooks specification, version 1.0.
import { createHmac } from 'node:crypto'
import type { Random } from '../../engine/ports/random.ts'

const PREFIX = 'whsec_'
/** The specification asks for 24 to 64. */
const SECRET_BYTES = 32

/** A new secret, as receivers' libraries take it. */
export function freshSecret(random: Random): string {
  return `${PREFIX}${Buffer.from(random.bytes(SECRET_BYTES)).toString('base64')}`
}

/**
 * Headers for one message, signed with every secret in force; a receiver takes it when one signature is right.
 * @param at epoch milliseconds, of the try and not of the message
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
