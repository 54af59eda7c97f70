// src/cli/vault-ring.ts — where the master keys of the vault are: in the environment, in a file of the operator's, or in
// one that a sandbox makes for itself.
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Clock } from '../engine/ports/clock.ts'
import type { Random } from '../engine/ports/random.ts'
import { ensureKeyFile, fixedRing, type KeyRing, ringInFile } from '../platform/vault/key-ring.ts'

/** A sandbox's own, in its data directory. */
export const OWN_VAULT_KEY = 'vault.key'

/** The file that new keys can be written to; null when the keys stand in the environment. */
export function vaultKeyFile(config: Config): string | null {
  if (config.vaultKeyFile !== null) return config.vaultKeyFile
  return config.vaultKey === null ? join(config.dataDirectory, OWN_VAULT_KEY) : null
}

/** The keys of these settings. Makes the file of a sandbox that has none. @throws Fault `vault_key_missing`. */
export function vaultRing(config: Config, clock: Clock, random: Random): KeyRing {
  const file = vaultKeyFile(config)
  if (file === null) return fixedRing(config.vaultKey ?? [])
  if (config.vaultKeyFile === null) ensureKeyFile(file, random)
  return ringInFile(file, clock)
}
