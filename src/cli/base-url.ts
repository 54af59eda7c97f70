// src/cli/base-url.ts — the address under which the gateway of these settings is reached.
import type { Config } from '../config.ts'

/** Hosts that mean "every address of this machine", and one of those addresses. */
const EVERY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

/** The public address where one is set, else where it listens. Without a slash at the end. */
export function baseUrlOf(config: Config, listeningPort = config.port): string {
  return config.publicUrl ?? localUrl(config, listeningPort)
}

/** Where it listens on this machine. */
export function localUrl({ host, port, tls }: Config, listeningPort = port): string {
  const name = EVERY_ADDRESS[host] ?? (host.includes(':') ? `[${host}]` : host)
  const scheme = tls === null ? 'http' : 'https'
  return new URL(`${scheme}://${name}:${listeningPort}`).origin
}
