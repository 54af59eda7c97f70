// src/platform/network-addresses.ts — addresses by which other machines of its networks reach this one.
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'

/** Interfaces between this machine and its containers, virtual machines and tunnels, which no phone is in. */
const VIRTUAL = /^(?:docker|br-|veth|virbr|cni|flannel|vmnet|vboxnet|vethernet|utun|tun|tap|wg|tailscale)/i

type Interfaces = Readonly<
  Record<string, readonly Pick<NetworkInterfaceInfo, 'address' | 'family' | 'internal'>[] | undefined>
>

/**
 * IPv4 before IPv6, real interfaces before virtual ones. Without addresses of this machine only, and without those of a single wire,
 * which no URL can name.
 */
export function networkAddresses(interfaces: Interfaces = networkInterfaces()): readonly string[] {
  const found = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses
      .filter(({ address, internal }) => !internal && !/^(?:169\.254\.|fe[89ab])/i.test(address))
      .map(({ address, family }) => ({ address, rank: (VIRTUAL.test(name) ? 2 : 0) + (family === 'IPv4' ? 0 : 1) })),
  )
  return found.toSorted((one, other) => one.rank - other.rank).map(({ address }) => address)
}
