// src/api/read/form-body.ts — a form as browsers send it, from bytes on a socket to fields.
import type { IncomingMessage } from 'node:http'
import { collect, type Refused } from './json-body.ts'

/** Forms between gateway and issuer hold a few short fields. */
const FORM_BYTES = 65_536

/** The fields of a form. What is sent twice counts once, the first time. Other content types give no fields. */
export async function readForm(request: IncomingMessage): Promise<{ readonly value: URLSearchParams } | Refused> {
  if (Number(request.headers['content-length'] ?? 0) > FORM_BYTES) return { refused: { code: 'body_too_large' } }
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  const bytes = await collect(request, FORM_BYTES)
  if (bytes === null) return { refused: { code: 'body_too_large' } }
  if (type !== '' && type !== 'application/x-www-form-urlencoded') return { refused: { code: 'media_type_unknown' } }
  return { value: new URLSearchParams(bytes.toString('utf8')) }
}
