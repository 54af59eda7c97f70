// vitest.config.ts — how the tests are run.
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'
import { SummaryReporter } from './test/support/summary-reporter.ts'

export default defineConfig({
  // Its own root: a configuration elsewhere in the tree (a front end's) must not move it.
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    // Processes, not threads: the store's native module and its writer thread are loaded and closed with each.
    pool: 'forks',
    // One worker per processor. The default leaves one processor idle, which is half of a small machine.
    maxWorkers: availableParallelism(),
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: ['default', new SummaryReporter()],
    // A run that found no test has failed.
    passWithNoTests: false,
    // Local times come out the same on every machine.
    env: { NODE_ENV: 'test', TZ: 'UTC' },
    sequence: { sequencer: LongestFirst },
    projects: [
      project('unit', ['test/unit/**/*.test.ts', 'test/tidy.test.ts'], { isolate: false }),
      project('gateway', ['test/{api,contract,simulation}/**/*.test.ts'], { isolate: false }),
      project('browser', ['test/browser/**/*.test.ts'], { isolate: false }),
      // Isolated: the module that starts the program registers its clean-up once per load.
      project('program', ['test/{cli,crash}/**/*.test.ts'], { isolate: true }),
    ],
  },
})

/** `isolate: false`: a worker loads the modules of the program once, for all files that it runs. */
function project(name: string, include: string[], { isolate }: { readonly isolate: boolean }) {
  return { extends: true as const, test: { name, include, isolate } }
}
