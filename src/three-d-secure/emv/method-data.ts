// src/three-d-secure/emv/method-data.ts — the two texts of the 3DS method, by which issuers recognise browsers.
import { fromBase64url, toBase64url } from './base64url.ts'
import { isObject } from './members.ts'
import { parseStrictly } from './strict-json.ts'

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

export interface MethodData {
  readonly threeDSServerTransID: string
  /** Where the issuer's page posts that it is done. */
  readonly threeDSMethodNotificationURL: string
}

/** `threeDSMethodData` for the issuer's page. */
export function encodeMethodData({ threeDSServerTransID, threeDSMethodNotificationURL }: MethodData): string {
  return toBase64url(JSON.stringify({ threeDSServerTransID, threeDSMethodNotificationURL }))
}

/**
 * Reads `threeDSMethodData` of either direction. Null when it is none. Some issuers notify with the id in a member
 * `threeDSMethodData`.
 * @returns with the address when it goes to the issuer, without one when it is the issuer's notification
 */
export function decodeMethodData(
  encoded: string,
): (Partial<MethodData> & Pick<MethodData, 'threeDSServerTransID'>) | null {
  const text = fromBase64url(encoded)
  const json = text === null ? null : parseStrictly(text)
  if (json === null || 'problem' in json || json.duplicates.length > 0 || !isObject(json.value)) return null
  const { threeDSServerTransID, threeDSMethodData, threeDSMethodNotificationURL: address } = json.value
  const id = threeDSServerTransID ?? threeDSMethodData
  if (typeof id !== 'string' || !UUID.test(id)) return null
  return { threeDSServerTransID: id, ...(typeof address === 'string' && { threeDSMethodNotificationURL: address }) }
}
