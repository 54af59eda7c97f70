// src/api/package-folder.ts — where the program's own package lies: its files that are read while it runs.
import { ok } from 'node:assert'
import { existsSync } from 'node:fs'

/**
 * The folder of package.json, with a slash at the end. Looked for upwards, because the built program is a bundle that lies
 * nearer to it than the source does.
 */
export const PACKAGE_FOLDER: URL = upwardsFrom(new URL('.', import.meta.url))

function upwardsFrom(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder
  const parent = new URL('..', folder)
  ok(parent.href !== folder.href, `no package.json above ${import.meta.url}`)
  return upwardsFrom(parent)
}
