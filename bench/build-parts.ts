// bench/build-parts.ts — bundles the parts of the program that the benchmark uses by themselves.
import { bundleServer } from '../build.ts'
import { PARTS_FOLDER } from './built.ts'
import { PROGRAM } from './server-process.ts'

/** To be called before anything asks for them. */
export function buildParts(): Promise<void> {
  const entries = { parts: 'bench/parts.ts', writer: 'src/store/sqlite/writer.ts' }
  return bundleServer({ root: PROGRAM, entries, folder: PARTS_FOLDER })
}
