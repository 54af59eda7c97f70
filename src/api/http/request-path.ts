// src/api/http/request-path.ts — normalises the path of a request for the router.
import type { IncomingMessage } from 'node:http'
import { areaOf } from '../socket/till-address.ts'

/** Replaces a malformed path. No route matches it. */
export const MALFORMED_PATH = '/\0/\0/\0'

export function pathToRoute({ url = '/', rawHeaders }: IncomingMessage): string {
  return isWellFormed(url) && hasOneHost(rawHeaders) ? pathOf(url) : MALFORMED_PATH
}

/** Returns the path of a request target. The absolute form, as sent to proxies, is reduced to its path. RFC 9112 §3.2.2. */
export function pathOf(url: string): string {
  const path = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/')
  // Some tills write the area in capitals.
  const area = areaOf(path)
  return area === null ? path : path.replace(/^\/+[a-z]+/i, `/${area}`)
}

/** Whether the percent-encoding of the path is valid. */
function isWellFormed(url: string): boolean {
  if (!url.includes('%')) return true
  try {
    decodeURI(url.replace(/[?#].*$/s, ''))
    return true
  } catch {
    return false
  }
}

/** Whether there is at most one Host header. With two, a proxy and the gateway may see different hosts. RFC 9112 §3.2. */
export function hasOneHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  return hosts < 2
}
