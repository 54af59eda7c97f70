// src/config/rules.ts — checks rules between settings, and reads the files that they name.
import { createSecureContext } from 'node:tls'
import { type DatabaseAddress, withFiles } from './database-url.ts'
import { KEYS } from './kinds.ts'
import { SETTINGS, type SettingValues } from './settings.ts'

/** Reads a file. @throws when it cannot be read */
export type ReadFile = (path: string) => Buffer

/** Contents of the files. */
export interface FileContents {
  /** Null for plain HTTP. */
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null
  /** The current key first. Null only in a sandbox, which creates its own. */
  readonly vaultKey: readonly Uint8Array[] | null
  /** Null for SQLite in the data directory. */
  readonly database: DatabaseAddress | null
}

/** Which files and keys a command uses. The others are neither read nor required. */
export interface Uses {
  readonly tls: boolean
  readonly vault: boolean
}

export const EVERYTHING: Uses = { tls: true, vault: true }

/** Checks settings that are valid one by one. `problems` has one sentence for each problem. */
export function checkTogether(
  values: SettingValues,
  readFile: ReadFile,
  uses: Uses,
): { readonly contents: FileContents; readonly problems: readonly string[] } {
  const problems: string[] = []
  const read = (env: string, path: string | null): Buffer | null => {
    try {
      return path === null ? null : readFile(path)
    } catch (error) {
      problems.push(`${env} must be a file that can be read, but ${path} gives ${codeOf(error)}.`)
      return null
    }
  }
  const cert = uses.tls ? read(SETTINGS.tlsCertFile.env, values.tlsCertFile) : null
  const key = uses.tls ? read(SETTINGS.tlsKeyFile.env, values.tlsKeyFile) : null
  const vaultFile = uses.vault ? read(SETTINGS.vaultKeyFile.env, values.vaultKeyFile) : null
  if (uses.tls) problems.push(...tlsProblems(values, cert, key))
  if (uses.vault) problems.push(...vaultProblems(values, vaultFile))
  problems.push(...liveProblems(values, uses))
  const tls = cert !== null && key !== null ? { cert, key } : null
  const database =
    values.database === null
      ? null
      : withFiles(values.database, (name, path) => read(`${name} of ${SETTINGS.database.env}`, path))
  return { contents: { tls, vaultKey: values.vaultKey ?? keyIn(vaultFile), database }, problems }
}

function tlsProblems(values: SettingValues, cert: Buffer | null, key: Buffer | null): readonly string[] {
  if ((values.tlsCertFile === null) !== (values.tlsKeyFile === null))
    return ['TOLLGATE_TLS_CERT and TOLLGATE_TLS_KEY must be set together or not at all.']
  if (cert === null || key === null) return []
  try {
    createSecureContext({ cert, key })
    return []
  } catch {
    // OpenSSL's message names no file, so it is left out.
    return ['TOLLGATE_TLS_CERT and TOLLGATE_TLS_KEY must be a PEM certificate and the private key that belongs to it.']
  }
}

function vaultProblems(values: SettingValues, file: Buffer | null): readonly string[] {
  if (values.vaultKey !== null && values.vaultKeyFile !== null)
    return ['TOLLGATE_VAULT_KEY and TOLLGATE_VAULT_KEY_FILE must not both be set.']
  return file !== null && keyIn(file) === null ? [`TOLLGATE_VAULT_KEY_FILE must hold ${KEYS.allowed}.`] : []
}

/** In live mode card data must be encrypted on the network, and at rest by a key of the operator. */
function liveProblems(values: SettingValues, uses: Uses): readonly string[] {
  if (values.mode !== 'live') return []
  const problems: string[] = []
  if (uses.tls && values.tlsCertFile === null && values.tlsKeyFile === null && values.trustedProxies.length === 0)
    problems.push(
      'TOLLGATE_MODE=live needs encrypted connections; set TOLLGATE_TLS_CERT and TOLLGATE_TLS_KEY, or TOLLGATE_TRUSTED_PROXY to the proxy that ends TLS.',
    )
  if (uses.vault && values.vaultKey === null && values.vaultKeyFile === null)
    problems.push(
      'TOLLGATE_MODE=live needs its own vault key; set TOLLGATE_VAULT_KEY or TOLLGATE_VAULT_KEY_FILE to 32 random bytes in base64.',
    )
  return problems
}

function keyIn(file: Buffer | null): readonly Uint8Array[] | null {
  return file === null ? null : (KEYS.parse(file.toString('utf8').trim()) ?? null)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'an error'
}
