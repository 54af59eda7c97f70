// src/cli/configured-url.ts — the base address of the configured gateway.
import type { Config } from '../config.ts'

/** Hosts that stand for all addresses of the machine, each with one such address. */
const EVERY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

/** The public URL, otherwise the listening address. Without a slash at the end. */
export function baseUrlOf(config: Config, listeningPort = config.port): string {
  return config.publicUrl ?? localUrl(config, listeningPort)
}

/** The listening address on this machine, without a slash at the end. */
export function localUrl({ host, port, tlsCertFile }: Config, listeningPort = port): string {
  const name = EVERY_ADDRESS[host] ?? (host.includes(':') ? `[${host}]` : host)
  const scheme = tlsCertFile === null ? 'http' : 'https'
  return new URL(`${scheme}://${name}:${listeningPort}`).origin
}
