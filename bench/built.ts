// bench/built.ts — parts of the program, for what is measured or prepared inside a process of the benchmark. They are
// bundled as the program is: what is timed is never its source through a loader.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PROGRAM } from './server-process.ts'

/** Where build-parts.ts puts them. */
export const PARTS_FOLDER = join(PROGRAM, 'dist/bench')

/** The parts that were bundled. */
export function built(): Promise<typeof import('./parts.ts')> {
  return import(pathToFileURL(join(PARTS_FOLDER, 'parts.js')).href)
}
