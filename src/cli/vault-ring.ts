// src/cli/vault-ring.ts — finds the master keys of the vault: in the environment, the operator's file, or a sandbox's own.
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Clock } from '../engine/ports/clock.ts'
import type { Random } from '../engine/ports/random.ts'
import { ensureKeyFile, fixedRing, type KeyRing, ringInFile } from '../platform/vault/key-ring.ts'
import { Failure } from './failure.ts'

/** Key file that a sandbox creates in its data directory. */
export const DEFAULT_VAULT_KEY = 'vault.key'

/** Path of the key file. Null when the keys are in the environment. */
export function vaultKeyFile(config: Config): string | null {
  if (config.vaultKeyFile !== null) return config.vaultKeyFile
  return config.vaultKey === null ? join(config.dataDirectory, DEFAULT_VAULT_KEY) : null
}

/**
 * Opens the key ring of the settings. Creates the file of a sandbox.
 * @param mode of the gateway
 * @throws Fault `vault_key_missing`, `store_unwritable`; Failure when a live gateway is to be used without its key
 */
export function vaultRing(config: Config, mode: Config['mode'], clock: Clock, random: Random): KeyRing {
  const file = vaultKeyFile(config)
  if (file === null) return fixedRing(config.vaultKey ?? [])
  if (config.vaultKeyFile === null) {
    if (mode === 'live')
      throw new Failure(
        'This gateway is live, so its vault key is needed here; set TOLLGATE_VAULT_KEY or TOLLGATE_VAULT_KEY_FILE as for the gateway.',
      )
    ensureKeyFile(file, random)
  }
  return ringInFile(file, clock)
}
