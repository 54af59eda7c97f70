// bench/built.ts — parts of the built program, for what is measured or prepared inside a process of the benchmark. What is
// timed is always the program as it is shipped, never its source through a loader.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PROGRAM } from './server-process.ts'

type Modules = {
  readonly 'wire.js': typeof import('../src/wire.ts')
  readonly 'config.js': typeof import('../src/config.ts')
  readonly 'sandbox-seed.js': typeof import('../src/sandbox-seed.ts')
  readonly 'cli/context.js': typeof import('../src/cli/context.ts')
  readonly 'cli/parts.js': typeof import('../src/cli/parts.ts')
  readonly 'engine/provisioning.js': typeof import('../src/engine/provisioning.ts')
  readonly 'platform/clock.js': typeof import('../src/platform/clock.ts')
  readonly 'platform/random.js': typeof import('../src/platform/random.ts')
  readonly 'store/memory.js': typeof import('../src/store/memory.ts')
  readonly 'store/sqlite/store.js': typeof import('../src/store/sqlite/store.ts')
}

/** A module of the built program. */
export function built<Name extends keyof Modules>(name: Name): Promise<Modules[Name]> {
  return import(pathToFileURL(join(PROGRAM, 'dist', name)).href)
}
