// vitest.config.ts — how the tests are run.
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'
import { SummaryReporter } from './test/support/summary-reporter.ts'

/**
 * Projects whose files share the modules of a worker, so that each worker loads the gateway once. A file outside of them,
 * such as one in a new folder, runs in `program`.
 */
const SHARED: Readonly<Record<string, string[]>> = {
  unit: ['test/unit/**/*.test.ts', 'test/{tidy,import-rules}.test.ts'],
  gateway: ['test/{api,contract,recorded,simulation}/**/*.test.ts'],
  browser: ['test/browser/**/*.test.ts'],
}

/** Files of the gateway that run a second time over a store on Postgres. `npm run test:postgres` runs all that can. */
const ON_POSTGRES = ['test/api/transactions.test.ts']

export default defineConfig({
  // Its own root: a configuration elsewhere in the tree (a front end's) must not move it.
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    // Processes, not threads: the store's native module and its writer thread are loaded and closed with each.
    pool: 'forks',
    // One more than processors, because tests of processes and browsers wait for them. The default is one less.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: ['default', new SummaryReporter()],
    // A run that found no test has failed.
    passWithNoTests: false,
    // Local times come out the same on every machine.
    env: { NODE_ENV: 'test', TZ: 'UTC' },
    sequence: { sequencer: LongestFirst },
    globalSetup: './test/support/postgres-setup.ts',
    projects: [
      ...Object.entries(SHARED).map(([name, include]) => project(name, { include, isolate: false })),
      project('postgres', { include: ON_POSTGRES, isolate: false, env: { TEST_STORE: 'postgres' } }),
      // Isolated: the module that starts the program registers its clean-up once per load.
      project('program', { include: ['test/**/*.test.ts'], exclude: Object.values(SHARED).flat(), isolate: true }),
    ],
  },
})

interface Files {
  readonly include: string[]
  readonly exclude?: string[]
  readonly isolate: boolean
  readonly env?: Readonly<Record<string, string>>
}

function project(name: string, files: Files) {
  return { extends: true as const, test: { name, ...files } }
}
