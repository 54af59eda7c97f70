// bench/citus.ts — compares the store on a Citus cluster with the store on one plain server of the same programs, in turn.
// `npm run bench:citus -- <folder with the programs of a Postgres that has Citus>`. Everything runs on this machine, so that a cluster
// of three servers has the processors of one: the ratio is what distribution costs, not what it gains.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { DATABASE_URL, withFiles } from '../src/config/database-url.ts'
import type { Store } from '../src/engine/ports/store.ts'
import { systemClock } from '../src/platform/clock.ts'
import { openConnections } from '../src/store/postgres/connections.ts'
import { openPostgresStore } from '../src/store/postgres/store.ts'
import { envelope, fullChange } from '../test/support/changes.ts'
import { CITUS_SETTINGS, distribute, joinWorkers } from '../test/support/citus.ts'
import { ACCESS, type Postgres, startPostgres } from '../test/support/postgres-process.ts'

/** Accounts that are busy at the same time, and changes of each that wait together: a group of one account has so many. */
const LOADS = [
  { accounts: 64, together: 16 },
  { accounts: 8, together: 64 },
  { accounts: 1, together: 256 },
] as const
const ROUNDS = 4
const ROUND_MS = 2_500
const SHARDS = 32
const DATABASE = 'bench'
/** Both sides sync to disk as they would in service. */
const SETTINGS = { max_connections: '200', unix_socket_directories: '' }

interface Side {
  readonly name: string
  readonly store: Store
  close(): Promise<void>
}

/** Records so far. */
let made = 0

const folder = process.argv[2]
if (folder !== undefined) process.env['POSTGRES_BIN'] = resolve(folder)

const sides = [await plainSide(), await citusSide()]
try {
  process.stdout.write(
    '| Accounts | Changes of each at a time | Plain, commits/s | Citus, commits/s | Ratio |\n|---|---|---|---|---|\n',
  )
  for (const load of LOADS) process.stdout.write(`${await rowOf(load)}\n`)
} finally {
  for (const side of sides) await side.close()
}

async function rowOf(load: (typeof LOADS)[number]): Promise<string> {
  const measured = sides.map((): number[] => [])
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [index, { store }] of sides.entries()) {
      const perSecond = await commitsPerSecond(store, load)
      // The first round warms up.
      if (round > 0) measured[index]?.push(perSecond)
    }
  const [plain = 0, citus = 0] = measured.map(medianOf)
  const numbers = [plain, citus].map(value => Math.round(value).toLocaleString('en'))
  return `| ${load.accounts} | ${load.together} | ${numbers.join(' | ')} | ${(citus / plain).toFixed(2)} |`
}

/** Keeps so many changes of each account waiting; each starts a record with its event, effect, timer and key. */
async function commitsPerSecond(store: Store, { accounts, together }: (typeof LOADS)[number]): Promise<number> {
  const begun = performance.now()
  const until = begun + ROUND_MS
  let written = 0
  async function one(account: string): Promise<void> {
    while (performance.now() < until) {
      made += 1
      const id = `r${made}`
      const result = await store.commit(fullChange(id, { account, events: [envelope('started'), envelope('asked')] }))
      if (result !== 'written') throw new Error(`a commit was ${result}`)
      written += 1
    }
  }
  const names = Array.from({ length: accounts }, (_, index) => `shop-${index}`)
  await Promise.all(names.flatMap(name => Array.from({ length: together }, () => one(name))))
  return written / ((performance.now() - begun) / 1_000)
}

async function plainSide(): Promise<Side> {
  const server = await startPostgres(newDirectory(), { settings: SETTINGS })
  await createDatabase(server)
  const store = await storeOn(server)
  return { name: 'plain', store, close: () => store.close().then(() => server.stop()) }
}

async function citusSide(): Promise<Side> {
  const options = { settings: { ...SETTINGS, ...CITUS_SETTINGS }, auth: 'trust' } as const
  const [coordinator, ...workers] = await Promise.all([0, 1, 2].map(() => startPostgres(newDirectory(), options)))
  if (coordinator === undefined) throw new Error('no server was started')
  await createDatabase(coordinator)
  const cluster = { port: coordinator.port, workers: workers.map(({ port }) => port) }
  await joinWorkers(cluster, DATABASE)
  // The first start makes the tables; the next one finds them distributed.
  await (await storeOn(coordinator)).close()
  await distribute(coordinator.port, DATABASE, SHARDS)
  const store = await storeOn(coordinator)
  const close = async () => {
    await store.close()
    for (const server of [coordinator, ...workers]) await server.stop()
  }
  return { name: 'Citus', store, close }
}

function newDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'tollgate-bench-citus-'))
}

async function createDatabase({ port }: Postgres): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port, ...ACCESS, database: 'postgres' })
  await client.connect()
  await client.query(`CREATE DATABASE ${DATABASE}`)
  await client.end()
}

function storeOn({ port }: Postgres): Promise<Store> {
  const parsed = DATABASE_URL.parse(`postgres://${ACCESS.user}:${ACCESS.password}@127.0.0.1:${port}/${DATABASE}`)
  if (parsed === undefined) throw new Error('the address is not valid')
  const address = withFiles(parsed, () => Buffer.alloc(0))
  const clock = systemClock()
  return openPostgresStore({ connections: openConnections({ address, clock }), clock })
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
