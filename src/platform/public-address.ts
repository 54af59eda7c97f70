// src/platform/public-address.ts — whether an IP address belongs to the public internet. Source: the IANA registries of
// special-purpose addresses for IPv4 and IPv6, as ipaddr.js keeps them. ADR 43.
import ipaddr from 'ipaddr.js'

/** IANA hands out public IPv6 addresses from here; the library calls every address without a special purpose unicast. */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an address leads to the public internet. False for text that is no IP address. */
export function isPublicAddress(address: string): boolean {
  // The library also parses 127.1, 0177.0.0.1 and 2130706433. Nothing that resolves names writes those.
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address).range() === 'unicast'
  // An address with a zone (fe80::1%eth0) belongs to one link.
  if (!ipaddr.IPv6.isValid(address) || address.includes('%')) return false
  const parsed = ipaddr.IPv6.parse(address)
  // One that bears an IPv4 address is refused even if that is public: servers are not reached in this way.
  return parsed.match(GLOBAL_V6) && parsed.range() === 'unicast'
}
