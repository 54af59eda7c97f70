// src/wallets/google-sheet.ts — data for opening Google Pay's sheet in a browser.
import { createPublicKey } from 'node:crypto'
import type { GooglePaySheet } from '../engine/ports/wallets.ts'
import type { GooglePaySettings } from './google-pay.ts'

/** Null when only tokens are accepted (no `sheet`). Source: Google Pay API, `PaymentMethodTokenizationSpecification`. */
export function googleSheet(
  { sheet, recipient, privateKeys }: GooglePaySettings,
  account: string,
): GooglePaySheet | null {
  const [newest] = privateKeys
  if (sheet === undefined || newest === undefined) return null
  const gateway = /^gateway:(.*)$/s.exec(recipient)?.[1]
  return {
    ...sheet,
    tokenization:
      gateway === undefined
        ? { type: 'DIRECT', parameters: { protocolVersion: 'ECv2', publicKey: pointOf(newest) } }
        : { type: 'PAYMENT_GATEWAY', parameters: { gateway, gatewayMerchantId: account } },
  }
}

/** The public key as an uncompressed point, base64. */
function pointOf(privateKey: GooglePaySettings['privateKeys'][number]): string {
  const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString('base64')
}
