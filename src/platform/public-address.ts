// src/platform/public-address.ts — which IP addresses belong to the public internet, and which lead back into somebody's
// own network. Source: the IANA registries of special-purpose addresses for IPv4 and IPv6.
import { BlockList, isIP } from 'node:net'

const NOT_PUBLIC_V4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, where clouds keep their credentials
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // old relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
] as const

/** All that is handed out to the public lies in here. */
const GLOBAL_V6 = '2000::/3'
const NOT_PUBLIC_V6 = [
  '2001::/23', // protocol assignments; tunnels that bear IPv4 addresses among them
  '2001:db8::/32', // documentation
  '2002::/16', // tunnels that bear IPv4 addresses
  '3fff::/20', // documentation
] as const

const v4 = listOf(NOT_PUBLIC_V4, 'ipv4')
const v6 = listOf(NOT_PUBLIC_V6, 'ipv6')
const global = listOf([GLOBAL_V6], 'ipv6')

/** Whether an address leads to the public internet. False for what is no IP address. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !v4.check(address, 'ipv4')
    case 6:
      // An address with a zone (fe80::1%eth0) is of this link. One that bears an IPv4 address is as public as that is,
      // but nobody reaches a server so who does not mean to hide where it is.
      return !address.includes('%') && global.check(address, 'ipv6') && !v6.check(address, 'ipv6')
    default:
      return false
  }
}

function listOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}
