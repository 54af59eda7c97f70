// src/api/read/form-body.ts — turns the bytes of a form, as browsers send it, into fields.
import type { IncomingHttpHeaders } from 'node:http'
import type { Refused } from './json-body.ts'
import type { SentBody } from './raw-body.ts'

export const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Forms between gateway and issuer hold a few short fields. */
export const FORM_BYTES = 65_536

/** The fields of a form. What is sent twice counts once, the first time. Other content types give no fields. */
export function formIn(headers: IncomingHttpHeaders, sent: SentBody): { readonly value: URLSearchParams } | Refused {
  if ('refused' in sent) return sent
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type !== '' && type !== FORM_TYPE) return { refused: { code: 'media_type_unknown' } }
  return { value: new URLSearchParams(sent.bytes.toString('utf8')) }
}
