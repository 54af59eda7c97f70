// src/api/http/cors.ts — which pages may call an address, and what browsers are told about it. Terminal reference 1.6; ADR 50.
import type { Area, Headers } from '../operation.ts'

/** Headers a page may ask for: more than any client sends. */
const MOST_HEADERS = 50

/** RFC 9110 §5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i

/** What a page may read of an answer. */
const EXPOSED_HEADERS = [
  'ETag',
  'Location',
  'X-Request-Id',
  'Idempotency-Replayed',
  'Retry-After',
  'Preference-Applied',
].join(', ')

/** How long a browser need not ask again, in seconds: two hours is the most that Chromium remembers. */
const PREFLIGHT_SECONDS = '7200'

/** Any page may call these with nothing but an access token. */
const FOR_ANY_PAGE = /^\/+cors\//

/**
 * Headers for an answer to a page of this origin; null when it may not call. Callers are known by their key and never by a
 * cookie, so answering any origin gives nothing away. The online addresses are for servers, mobile kits and our own frames.
 * Online reference 15, row 39.
 * @param origins those that the operator lists
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
 * Headers for the answer to a browser that asks what a page may do at an address with these methods. A header that we do not
 * know means nothing to us, so a page may send any: libraries, caches and tracers add their own.
 */
export function preflightHeaders(methods: readonly string[], headersAsked = ''): Headers {
  const names = headersAsked.split(',', MOST_HEADERS).map(name => name.trim())
  const allowed = names.filter(name => HEADER_NAME.test(name)).join(', ')
  return {
    'access-control-allow-methods': methods.join(', '),
    ...(allowed === '' ? {} : { 'access-control-allow-headers': allowed }),
    'access-control-max-age': PREFLIGHT_SECONDS,
  }
}
