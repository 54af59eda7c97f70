// src/api/http/cors.ts — tills that run in a browser call from another origin. Terminal reference 1.6.
import type { Area } from '../operation.ts'

/** What such a till may send beside the plain headers. */
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

export interface Cors {
  /** Headers for an answer to a page of this origin; empty when it may not call, or the caller is no page. */
  headersFor(origin: string | undefined): Readonly<Record<string, string>>
  /** Headers for the answer to a browser that asks what it may do at an address with these methods. */
  preflight(origin: string | undefined, methods: readonly string[]): Readonly<Record<string, string>>
}

const NONE: Readonly<Record<string, string>> = {}

/** Callers are known by their key and never by a cookie, so answering any origin gives nothing away. */
export function createCors(origins: readonly string[] | '*'): Cors {
  const answerTo = (origin: string): Readonly<Record<string, string>> => ({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED_HEADERS,
    ...(origins === '*' ? {} : { vary: 'Origin' }),
  })
  const anyone = answerTo('*')
  const known = new Map(origins === '*' ? [] : origins.map(origin => [origin, answerTo(origin)]))
  const headersFor: Cors['headersFor'] = origin => {
    if (origin === undefined) return NONE
    return origins === '*' ? anyone : (known.get(origin) ?? NONE)
  }
  return {
    headersFor,
    preflight: (origin, methods) =>
      headersFor(origin) === NONE
        ? NONE
        : {
            ...headersFor(origin),
            'access-control-allow-methods': methods.join(', '),
            'access-control-allow-headers': ALLOWED_HEADERS,
            'access-control-max-age': PREFLIGHT_SECONDS,
          },
  }
}

/** Any page may call these with nothing but an access token. */
const FOR_ANY_PAGE = /^\/+cors\//

/**
 * Who may call an address from a page. The other online addresses are for servers, mobile kits and our own frames. Online
 * reference 15, row 39.
 */
export function corsAt(cors: Cors, area: Area, url: string): Cors {
  if (FOR_ANY_PAGE.test(url)) return ANY_PAGE
  return area === 'shop' || area === 'browser' ? NO_PAGE : cors
}

const ANY_PAGE = createCors('*')
const NO_PAGE: Cors = { headersFor: () => NONE, preflight: () => NONE }
