// test/deploy/files.ts — reads the files of deploy.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Text of a file, by its path in the repository. */
export function textOf(path: string): string {
  return readFileSync(ROOT + path, 'utf8')
}

/** Documents of a YAML file. @throws Error with every fault and warning of the parser */
export function yamlIn(path: string): readonly unknown[] {
  return parseAllDocuments(textOf(path), { merge: true }).map(document => {
    const faults = [...document.errors, ...document.warnings]
    if (faults.length > 0) throw new Error(`${path}: ${faults.map(({ message }) => message).join('\n')}`)
    return document.toJS() as unknown
  })
}

/** Version of the package, which is the tag of the image. */
export const VERSION = (JSON.parse(textOf('package.json')) as { readonly version: string }).version
