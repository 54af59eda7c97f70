// src/api/http/cors.ts — which pages may call an address, and what browsers are told about it. Terminal reference 1.6; ADR 50.
import type { Area, Headers } from '../operation.ts'

/** What a till in a browser may send beside the plain headers. */
const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Software-House-Id',
  'Installer-Id',
  'Idempotency-Key',
  'Prefer',
  'If-None-Match',
  'X-Request-Id',
  'Last-Event-ID',
  'Tollgate-Scenario',
].join(', ')

/** What it may read of an answer. */
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

/** Headers for the answer to a browser that asks what a page may do at an address with these methods. */
export function preflightHeaders(methods: readonly string[]): Headers {
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-max-age': PREFLIGHT_SECONDS,
  }
}
