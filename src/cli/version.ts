// src/cli/version.ts — the version of the program, as its package says.
import { readFileSync } from 'node:fs'
import { PACKAGE_FOLDER } from '../api/package-folder.ts'

/** `1.2.3` */
export function programVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', PACKAGE_FOLDER), 'utf8')) as {
    readonly version: string
  }
  return version
}
