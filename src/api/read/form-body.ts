// src/api/read/form-body.ts — reads the fields of a URL-encoded form.
import type { IncomingHttpHeaders } from 'node:http'
import type { Refused } from './json-body.ts'
import type { SentBody } from './raw-body.ts'

export const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Longest form, in bytes. Forms between gateway and issuer have a few short fields. */
export const FORM_BYTES = 65_536

/** Reads the fields of a form. Refuses other content types with `media_type_unknown`. */
export function formIn(headers: IncomingHttpHeaders, sent: SentBody): { readonly value: URLSearchParams } | Refused {
  if ('refused' in sent) return sent
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type !== '' && type !== FORM_TYPE) return { refused: { code: 'media_type_unknown' } }
  return { value: new URLSearchParams(sent.bytes.toString('utf8')) }
}
