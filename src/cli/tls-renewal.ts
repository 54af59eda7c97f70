// src/cli/tls-renewal.ts — reloads renewed TLS files while the gateway runs.
import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { Tls } from '../api/api.ts'
import type { Config } from '../config.ts'
import type { Log } from '../engine/ports/log.ts'

/** Milliseconds between two checks of each file. A check costs one `stat`, which also follows links, as certbot makes them. */
const LOOK_EVERY_MS = 2_000

/**
 * Watches the files of certificate and key, and passes on each new pair. Files that do not match are logged and ignored: the
 * second of the two may not be written yet.
 * @returns a function that ends the watch
 */
export function watchTls(
  { tls, tlsCertFile, tlsKeyFile }: Pick<Config, 'tls' | 'tlsCertFile' | 'tlsKeyFile'>,
  log: Log,
  renew: (tls: Tls) => void,
): () => void {
  if (tls === null || tlsCertFile === null || tlsKeyFile === null) return () => {}
  let inUse = tls
  const look = (): void => {
    try {
      const next = { cert: readFileSync(tlsCertFile), key: readFileSync(tlsKeyFile) }
      if (next.cert.equals(inUse.cert) && next.key.equals(inUse.key)) return
      createSecureContext(next)
      renew(next)
      inUse = next
      log.info({ file: tlsCertFile }, 'TLS certificate reloaded')
    } catch (error) {
      log.error({ file: tlsCertFile, error: String(error) }, 'TLS reload failed; the previous certificate stays in use')
    }
  }
  const files = [tlsCertFile, tlsKeyFile]
  for (const file of files) watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, look)
  return () => {
    for (const file of files) unwatchFile(file, look)
  }
}
