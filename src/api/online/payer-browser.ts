// src/api/online/payer-browser.ts — reads what 3-D Secure tells issuers of the payer's browser: from the body and the headers.
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { TokenOrder } from '../../domain/online/access-token.ts'
import type { PayerBrowser } from '../../domain/online/payer-browser.ts'
import { faultSaying } from '../read/field-fault.ts'
import type { JsonObject } from '../read/json-body.ts'
import type { Read } from '../read/schema-reader.ts'
import { type Fields, readFields, wrong } from './fields.ts'

/** Longest header that an issuer gets. */
const LONGEST_HEADER = 2048
const LONGEST_LANGUAGE = 35
/** Languages of a browser that anybody reads; the specification has room for 99. */
const MOST_LANGUAGES = 20
const MOST_PIXELS = 999_999
/** Zones are at most 14 hours from UTC. */
const MOST_MINUTES = 900

/**
 * Reads the member `browser`; null without one. A page that knows the header Accept of its own request may send it.
 * @param payer of the order: the shop knows the payer's address better than the proxies between
 */
export function readPayerBrowser(
  json: JsonObject,
  headers: IncomingHttpHeaders,
  { payer }: TokenOrder,
): Read<PayerBrowser | null> {
  return readFields(json, fields => {
    const browser = fields.object('browser')
    if (browser === null) return null
    const ip = isIP(payer.ipAddress) === 0 ? null : payer.ipAddress
    return {
      acceptHeader: cut(browser.text('acceptHeader', LONGEST_HEADER) || headers.accept || '*/*'),
      userAgent: cut(headers['user-agent'] || payer.userAgent || 'unknown'),
      acceptLanguage: languagesIn(headers['accept-language'] ?? ''),
      ...(ip !== null && { ip }),
      language: browser.required('language', LONGEST_LANGUAGE),
      javaEnabled: browser.boolean('javaEnabled'),
      colourDepth: whole(browser, 'colourDepth', 1, 64),
      screenHeight: whole(browser, 'screenHeight', 1, MOST_PIXELS),
      screenWidth: whole(browser, 'screenWidth', 1, MOST_PIXELS),
      timeZoneMinutes: whole(browser, 'timeZoneMinutes', -MOST_MINUTES, MOST_MINUTES),
    }
  })
}

function whole(fields: Fields, name: string, least: number, most: number): number {
  const value = fields.raw(name)
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  return wrong(
    faultSaying(`browser.${name}`, 'is missing or no such number', `a whole number from ${least} to ${most}`),
  )
}

/** What cannot be printed is not sent on. */
function cut(header: string): string {
  return header.replace(/[^\x20-\x7e]/g, '').slice(0, LONGEST_HEADER) || '*/*'
}

/** The tags without their weights. */
function languagesIn(header: string): readonly string[] {
  const tags = header.split(',').map(part => part.split(';')[0]?.trim() ?? '')
  return tags.filter(tag => /^(?:\*|[A-Za-z\d-]{1,35})$/.test(tag)).slice(0, MOST_LANGUAGES)
}
