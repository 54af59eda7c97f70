// src/store/make-directory.ts — creates a directory and its missing parents.
import { lstatSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Fault } from '../engine/fault.ts'

const OWNER_ONLY = 0o700

/**
 * Creates a directory for its owner alone; an existing one stays as it is. Node's own recursive `mkdir` never returns when a
 * part of the path is a symbolic link to nothing.
 * @throws Fault `path_dangling` for such a link; errors of the file system
 */
export function makeDirectory(path: string): void {
  const missing: string[] = []
  for (let at = resolve(path); statSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at)) {
    if (lstatSync(at, { throwIfNoEntry: false }) !== undefined) throw new Fault('path_dangling', { detail: at })
    missing.unshift(at)
  }
  for (const each of missing) {
    try {
      mkdirSync(each, OWNER_ONLY)
    } catch (error) {
      // Another process has just created it.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}
