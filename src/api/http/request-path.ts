// src/api/http/request-path.ts — finds the path that a request asks for, and sees whether it makes sense.
import type { IncomingMessage } from 'node:http'
import { areaOf } from '../socket/till-address.ts'

/** Stands for a path that makes no sense. No route takes it. */
export const MALFORMED_PATH = '/\0/\0/\0'

export function pathToRoute({ url = '/', rawHeaders }: IncomingMessage): string {
  return isWellFormed(url) && hasOneHost(rawHeaders) ? pathOf(url) : MALFORMED_PATH
}

/** An absolute address, as it is sent to proxies, means its path. RFC 9112 §3.2.2. */
export function pathOf(url: string): string {
  const path = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/')
  // There are tills that write it in capitals. Terminal socket reference 1.1.
  const area = areaOf(path)
  return area === null ? path : path.replace(/^\/+[a-z]+/i, `/${area}`)
}

/** Whether every percent sign in the path begins a character. */
function isWellFormed(url: string): boolean {
  if (!url.includes('%')) return true
  try {
    decodeURI(url.replace(/[?#].*$/s, ''))
    return true
  } catch {
    return false
  }
}

/** Two Host headers are a way to have a proxy and a server see two addresses. RFC 9112 §3.2. */
export function hasOneHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  return hosts < 2
}
