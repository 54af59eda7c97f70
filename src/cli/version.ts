// src/cli/version.ts — reads the version of the program from package.json.
import { readFileSync } from 'node:fs'
import { PACKAGE_FOLDER } from '../api/package-folder.ts'

/** Returns a version such as `1.2.3`. */
export function programVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', PACKAGE_FOLDER), 'utf8')) as {
    readonly version: string
  }
  return version
}
