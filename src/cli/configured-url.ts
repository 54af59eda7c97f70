// src/cli/configured-url.ts — the base address of the configured gateway.
import type { Config } from '../config.ts'

/** Hosts that stand for all addresses of the machine, each with one such address. */
const EVERY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** The public URL, otherwise the listening address. Without a slash at the end. */
export function baseUrlOf(config: Config, listeningPort = config.port): string {
  return config.publicUrl ?? localUrl(config, listeningPort)
}

/** The listening address on this machine, without a slash at the end. */
export function localUrl(config: Config, listeningPort = config.port): string {
  return urlAt(config, EVERY_ADDRESS[config.host] ?? config.host, listeningPort)
}

/**
 * Addresses by which other machines reach the gateway; none when it listens to its own machine only.
 * @param addresses those of the machine in its networks
 */
export function networkUrls(config: Config, listeningPort: number, addresses: readonly string[]): readonly string[] {
  const { host } = config
  if (/^(?:localhost|127\..*|::1)$/i.test(host)) return []
  const reached =
    host === '::' ? addresses : host === '0.0.0.0' ? addresses.filter(address => !address.includes(':')) : [host]
  return reached.map(address => urlAt(config, address, listeningPort))
}

function urlAt({ tlsCertFile }: Config, host: string, port: number): string {
  const scheme = tlsCertFile === null ? 'http' : 'https'
  return new URL(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`).origin
}
