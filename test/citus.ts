// test/citus.ts — runs the tests of the store on a Citus cluster of three servers on this machine: a coordinator and two workers.
// `npm run test:citus -- <folder with the programs of a Postgres that has Citus>`; docs/scaling.md says how to build one.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The store's contract with its erasures, its comparison with SQLite, and whole nodes over it. */
const TESTS = ['test/contract/store.test.ts', 'test/contract/stores-agree.test.ts', 'test/nodes/nodes.test.ts']
/** Shops over the cluster: random days of the whole gateway, and what it deletes when its time is up. */
const SHOPS = ['test/simulation', 'test/api/online/retention.test.ts']
/** Fewer than elsewhere: a commit takes several round trips here. */
const REPEATS = { SIMULATION_SEEDS: '1', RACE_SEEDS: '3', SOAK_TRANSACTIONS: '100' }

const [given, ...more] = process.argv.slice(2)
const folder = resolve(given ?? process.env['POSTGRES_BIN'] ?? '.')
if (!existsSync(join(folder, 'postgres'))) {
  process.stderr.write('Name the folder with the program `postgres`: npm run test:citus -- /opt/citus/bin\n')
  process.exit(2)
}
/** Making the tables of a cluster takes long, and what reads over all accounts asks every shard: a retention test runs jobs of 200 days. */
const LIMIT_MS = 600_000

/** Runs test files over the cluster. Returns the exit code. */
function run(files: readonly string[], env: Readonly<Record<string, string>> = {}): number {
  const { status } = spawnSync(
    'npx',
    ['vitest', 'run', `--testTimeout=${LIMIT_MS}`, `--hookTimeout=${LIMIT_MS}`, ...files],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, POSTGRES_BIN: folder, POSTGRES_CITUS: '1', ...env },
    },
  )
  return status ?? 1
}

process.exitCode =
  more.length > 0
    ? run(more)
    : run(TESTS) || run(['--project', 'gateway', ...SHOPS], { ...REPEATS, TEST_STORE: 'postgres' })
