// vitest.config.ts — how the tests are run.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { SummaryReporter } from './test/support/summary-reporter.ts'

export default defineConfig({
  // Its own root: a configuration elsewhere in the tree (a front end's) must not move it.
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    // A process for each file: the store's native module and its writer thread are loaded and closed with it.
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: ['default', new SummaryReporter()],
    // A run that found no test has failed.
    passWithNoTests: false,
    // Local times come out the same on every machine.
    env: { NODE_ENV: 'test', TZ: 'UTC' },
  },
})
