// src/platform/public-address.ts — checks whether an IP address belongs to the public internet.
// Source: the IANA registries of special-purpose addresses for IPv4 and IPv6, by ipaddr.js. ADR 43.
import ipaddr from 'ipaddr.js'

/** Block of public IPv6 addresses. The library calls every address without a special purpose unicast. */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an address belongs to the public internet. False for text that is not an IP address. */
export function isPublicAddress(address: string): boolean {
  // Resolvers never return 127.1, 0177.0.0.1 or 2130706433, which the library would also parse.
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address).range() === 'unicast'
  // An address with a zone (fe80::1%eth0) is local to a link.
  if (!ipaddr.IPv6.isValid(address) || address.includes('%')) return false
  const parsed = ipaddr.IPv6.parse(address)
  // An embedded IPv4 address is refused even if it is public: servers are not reached in this way.
  return parsed.match(GLOBAL_V6) && parsed.range() === 'unicast'
}
