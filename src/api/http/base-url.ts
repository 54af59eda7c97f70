// src/api/http/base-url.ts — determines the base address of a request, used in every `location`.
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { memoise } from '../../engine/memoise.ts'

/** A name, an IPv4 address or a bracketed IPv6 address, with an optional port. Container networks use underscores. */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9._-]{0,252}[a-z0-9_])?\.?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/** Cached hosts: a gateway has a handful of names. */
const CACHED_HOSTS = 256

/** Returns the base address of a request, without a slash at the end; null when its Host header is not valid. */
export type BaseUrlOf = (request: IncomingMessage) => string | null

/**
 * @param publicUrl overrides the headers of every request
 * @param trustedProxies addresses and networks whose X-Forwarded-Host and X-Forwarded-Proto are used
 */
export function createBaseUrls(options: {
  readonly publicUrl: string | null
  readonly trustedProxies: readonly string[]
  readonly tls: boolean
}): BaseUrlOf {
  const { publicUrl, trustedProxies, tls } = options
  if (publicUrl !== null) return () => publicUrl
  const trusted = trustedProxies.map(networkOf)
  const isTrusted = memoise(CACHED_HOSTS, address => isIn(trusted, address))
  const listeningScheme = tls ? 'https' : 'http'
  const direct = memoise(CACHED_HOSTS, host => baseOf(listeningScheme, host))
  if (trustedProxies.length === 0) return request => direct(request.headers.host ?? '')

  return request => {
    const host = request.headers.host ?? ''
    if (!isTrusted(request.socket.remoteAddress ?? '')) return direct(host)
    const scheme = forwarded(request, 'x-forwarded-proto')?.toLowerCase() ?? listeningScheme
    if (scheme !== 'http' && scheme !== 'https') return null
    return baseOf(scheme, forwarded(request, 'x-forwarded-host') ?? host)
  }
}

function baseOf(scheme: 'http' | 'https', host: string): string | null {
  return HOST.test(host) ? `${scheme}://${host.toLowerCase()}` : null
}

/** Returns the last entry of a header, which the nearest proxy has added. */
function forwarded(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return (Array.isArray(value) ? value.join(',') : value)?.split(',').at(-1)?.trim() || undefined
}

type Network = ReturnType<typeof ipaddr.parseCIDR>

/** Parses a network. A single address is a network of one address. */
function networkOf(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

function isIn(networks: readonly Network[], text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  // A dual-stack socket reports an IPv4 address as ::ffff:192.0.2.1; `process` converts it.
  const address = ipaddr.process(text)
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
}
