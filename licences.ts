// licences.ts — collects the licences of the packages in the bundles, which must go with every copy. ADR 56.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of a package, from the path of one of its files. */
const PACKAGE_FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/
const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i

interface Package {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/**
 * Returns name, version and licence texts of each package, sorted by name.
 * @param files paths below `root`, of packages or not
 */
export function licencesOf(root: string, files: Iterable<string>): string {
  const folders = new Set<string>()
  for (const file of files) {
    const folder = PACKAGE_FOLDER.exec(file)?.[0]
    if (folder !== undefined) folders.add(folder)
  }
  const texts = [...folders].map(folder => licenceIn(join(root, folder)))
  return [...new Set(texts)].sort().join('\n')
}

function licenceIn(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package
  const texts = readdirSync(folder)
    .filter(file => LICENCE_FILE.test(file))
    .sort()
    .map(file => `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`)
  return `== ${name} ${version} (${license ?? 'no licence named'}) ==\n${texts.join('')}`
}
