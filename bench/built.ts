// bench/built.ts — loads the bundled parts of the program. They are bundled like the program, so that no source is timed
// through a loader.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PROGRAM } from './server-process.ts'

/** Output folder of build-parts.ts. */
export const PARTS_FOLDER = join(PROGRAM, 'dist/bench')

/** Imports the bundled parts. */
export function built(): Promise<typeof import('./parts.ts')> {
  return import(pathToFileURL(join(PARTS_FOLDER, 'parts.js')).href)
}
