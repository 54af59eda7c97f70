// src/cli/doctor/directory-checks.ts — checks the data directory and the permissions of its keys.
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isOpenToAll } from '../key-permissions.ts'
import { signingKeyFile } from '../signing-key.ts'
import { DEFAULT_VAULT_KEY } from '../vault-ring.ts'
import { type Finding, fine, problem } from './finding.ts'

/** Checks the data directory and the keys in it. */
export function checkDirectory(directory: string): readonly Finding[] {
  return existsSync(directory) ? [usable(directory), ...keysArePrivate(directory)] : [canBeMade(directory)]
}

function canBeMade(directory: string): Finding {
  const parent = existingParentOf(resolve(directory))
  return mayWrite(parent)
    ? fine('data directory', `${directory} does not exist yet; the first start creates it.`)
    : problem('data directory', `${directory} cannot be created in ${parent}; create it and make this user its owner.`)
}

function usable(directory: string): Finding {
  if (!statSync(directory).isDirectory())
    return problem('data directory', `${directory} is not a directory; name another with TOLLGATE_DATA or --data.`)
  return mayWrite(directory)
    ? fine('data directory', directory)
    : problem('data directory', `This user cannot write to ${directory}; make this user its owner.`)
}

/** A reader of these keys can make tokens for every account and open the vault of a sandbox. */
function keysArePrivate(directory: string): readonly Finding[] {
  return [
    ...isPrivate('token key', signingKeyFile(directory)),
    ...isPrivate('vault key', join(directory, DEFAULT_VAULT_KEY)),
  ]
}

function isPrivate(check: string, file: string): readonly Finding[] {
  if (!existsSync(file) || process.platform === 'win32') return []
  return isOpenToAll(file)
    ? [problem(check, `Every user of this machine can read ${file}; run \`chmod o-rwx ${file}\`.`)]
    : [fine(check, 'Only its owner or its group can read it.')]
}

function existingParentOf(path: string): string {
  const parent = dirname(path)
  return existsSync(parent) || parent === path ? parent : existingParentOf(parent)
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
