// src/cli/version.ts — the version of the program, as its package says.
import { readFileSync } from 'node:fs'

/** `1.2.3` */
export function programVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly version: string
  }
  return version
}
