// src/api/package-folder.ts — finds the folder of the package, for files read at run time.
import { ok } from 'node:assert'
import { existsSync } from 'node:fs'

/**
 * The folder of package.json, with a slash at the end. Searched upwards, because the built bundle is at another depth than
 * the source.
 */
export const PACKAGE_FOLDER: URL = upwardsFrom(new URL('.', import.meta.url))

function upwardsFrom(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder
  const parent = new URL('..', folder)
  ok(parent.href !== folder.href, `no package.json above ${import.meta.url}`)
  return upwardsFrom(parent)
}
