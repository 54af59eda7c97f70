// bench/build-parts.ts — bundles parts of the program for use inside benchmark processes.
import { bundleServer } from '../build.ts'
import { PARTS_FOLDER } from './built.ts'
import { PROGRAM } from './server-process.ts'

/** Call it before `built`. */
export async function buildParts(): Promise<void> {
  const entries = { parts: 'bench/parts.ts', writer: 'src/store/sqlite/writer.ts' }
  await bundleServer({ root: PROGRAM, entries, folder: PARTS_FOLDER })
}
