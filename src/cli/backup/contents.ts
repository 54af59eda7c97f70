// src/cli/backup/contents.ts — names the files of a data directory that a backup holds, and those that stay outside.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { vaultKeyFile } from '../vault-ring.ts'

export const DATABASE = 'tollgate.db'
export const MODE = 'mode'

/** Databases of a directory in this mode. The gateway's own comes first. */
export const DATABASES: Readonly<Record<Config['mode'], readonly string[]>> = {
  sandbox: [DATABASE, 'sandbox.db'],
  live: [DATABASE],
}

/** Files that the gateway replaces whole, so that a copy is never half of one. */
export const PLAIN_FILES = [MODE, 'demo-shop.json'] as const

/** Keys in the data directory: of the JWTs, and of a sandbox's vault. */
export const KEYS = ['token-key.pem', 'vault.key'] as const

/** What a backup may hold. Nothing else is ever restored. */
export const KNOWN_FILES: ReadonlySet<string> = new Set([...DATABASES.sandbox, ...PLAIN_FILES, ...KEYS])

/** Those of the names that the directory has. */
export function presentIn(directory: string, names: readonly string[]): readonly string[] {
  return names.filter(name => existsSync(join(directory, name)))
}

/** Keys that the gateway of these settings needs beside a backup: names in its data directory, and settings. */
export function keysApart(config: Config, included: readonly string[]): readonly string[] {
  const inDirectory = presentIn(config.dataDirectory, KEYS).filter(name => !included.includes(name))
  if (vaultKeyFile(config) === null) return [...inDirectory, 'TOLLGATE_VAULT_KEY']
  return config.vaultKeyFile === null ? inDirectory : [...inDirectory, 'TOLLGATE_VAULT_KEY_FILE']
}
