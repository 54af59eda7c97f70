// licences.ts — collects the licences of the packages in the bundles, which must go with every copy. ADR 56.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of a package, from the path of one of its files. */
const PACKAGE_FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/
const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i
const README_FILE = /^readme(\.md)?$/i
/** The licence in a readme, up to the next heading. */
const LICENCE_SECTION = /^#+ *licen[cs]e *\n(?<text>(?:(?!#).*\n?)*)/im

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
  const texts = textsIn(folder, LICENCE_FILE)
  const found = texts.length > 0 ? texts : textsIn(folder, README_FILE).flatMap(text => sectionIn(text))
  return `== ${name} ${version} (${license ?? 'no licence named'}) ==\n${found.map(text => `\n${text.trim()}\n`).join('')}`
}

function textsIn(folder: string, name: RegExp): readonly string[] {
  const files = readdirSync(folder).filter(file => name.test(file))
  return files.sort().map(file => readFileSync(join(folder, file), 'utf8'))
}

/** Some packages have their licence in the readme only. */
function sectionIn(readme: string): readonly string[] {
  const text = LICENCE_SECTION.exec(readme)?.groups?.['text']?.trim()
  return text === undefined || text === '' ? [] : [text]
}
