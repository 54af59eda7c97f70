// src/cli/key-permissions.ts — refuses key files that every user of the machine can read.
import { statSync } from 'node:fs'
import type { Config } from '../config.ts'
import { Failure } from './failure.ts'
import { signingKeyFile } from './signing-key.ts'

/** Permissions of all others. A group may read: Kubernetes and systemd hand out secrets that way. */
const OTHERS = 0o007

/** Whether users outside of the owner's group may use a file. False when it does not exist, and on Windows. */
export function isOpenToAll(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return process.platform !== 'win32' && found !== undefined && (found.mode & OTHERS) !== 0
}

/** @throws Failure in live mode when the key of the vault, of TLS or of JWTs is open to all; it names the `chmod` */
export function refuseOpenKeys({
  mode,
  dataDirectory,
  vaultKeyFile,
  tlsKeyFile,
}: Pick<Config, 'mode' | 'dataDirectory' | 'vaultKeyFile' | 'tlsKeyFile'>): void {
  if (mode !== 'live') return
  const open = [vaultKeyFile, tlsKeyFile, signingKeyFile(dataDirectory)].find(
    file => file !== null && isOpenToAll(file),
  )
  if (open !== undefined && open !== null)
    throw new Failure(`Every user of this machine can read the key in ${open}; run \`chmod o-rwx ${open}\`.`)
}
