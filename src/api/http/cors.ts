// src/api/http/cors.ts — CORS headers: which origins may call an operation. ADR 50.
import type { Area, Headers } from '../operation.ts'

/** Headers read from a preflight request: more than any client sends. */
const MOST_HEADERS = 50

/** A header name is a token of RFC 9110 §5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i

/** Response headers that a page may read. */
const EXPOSED_HEADERS = [
  'ETag',
  'Location',
  'X-Request-Id',
  'Idempotency-Replayed',
  'Retry-After',
  'Preference-Applied',
].join(', ')

/** How long a browser caches a preflight answer, in seconds. Chromium caps it at two hours. */
const PREFLIGHT_SECONDS = '7200'

/** Operations that any page may call with an access token. */
const FOR_ANY_PAGE = /^\/+cors\//

/**
 * Headers for an answer to a page of this origin. Null when it may not call the operation. Authentication never uses cookies,
 * so allowing any origin exposes nothing. The online areas are for servers, mobile SDKs and our own frames.
 * @param origins the origins that the operator allows
 */
export function corsHeaders(
  origins: readonly string[] | '*',
  origin: string,
  { area, path }: { readonly area: Area; readonly path: string },
): Headers | null {
  const forAnyPage = FOR_ANY_PAGE.test(path)
  if (!forAnyPage && (area === 'shop' || area === 'browser')) return null
  const exposed = { 'access-control-expose-headers': EXPOSED_HEADERS }
  if (forAnyPage || origins === '*') return { 'access-control-allow-origin': '*', ...exposed }
  return origins.includes(origin) ? { 'access-control-allow-origin': origin, ...exposed, vary: 'Origin' } : null
}

/**
 * Headers of a preflight answer. Every valid request header is allowed: libraries, caches and tracers add their own, and
 * the gateway ignores unknown ones.
 */
export function preflightHeaders(methods: readonly string[], requestedHeaders = ''): Headers {
  const names = requestedHeaders.split(',', MOST_HEADERS).map(name => name.trim())
  const allowed = names.filter(name => HEADER_NAME.test(name)).join(', ')
  return {
    'access-control-allow-methods': methods.join(', '),
    ...(allowed === '' ? {} : { 'access-control-allow-headers': allowed }),
    'access-control-max-age': PREFLIGHT_SECONDS,
  }
}
