// test/support/postgres-pair.ts — a primary of Postgres and its synchronous standby, to kill and promote.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { FAST } from './postgres-keeper.ts'
import { ACCESS, makeCluster, type PostgresProcess, runPostgres, writeInCluster } from './postgres-process.ts'

/** How long one that was killed may keep its memory from the next start, in milliseconds. */
const LET_GO_MS = 10_000

/** A place of the pair: its port and its files stay, its server comes and goes. */
export interface Place {
  readonly port: number
  /** Runs SQL there. Returns the rows. */
  run(sql: string, database?: string): Promise<readonly Record<string, unknown>[]>
  /** @param settings beside the usual ones */
  start(settings?: Readonly<Record<string, string>>): Promise<void>
  stop(): Promise<void>
  kill(): Promise<void>
}

export interface PostgresPair {
  readonly primary: Place
  /** Confirms each COMMIT of the primary while it runs. */
  readonly standby: Place
  /** Names the primary first. The database is empty. */
  readonly url: string
  /** Makes the standby a primary. Resolves when it takes writes. */
  promote(): Promise<void>
  /** Starts the standby again, as one. */
  startStandby(): Promise<void>
  close(): Promise<void>
}

const DATABASE = 'tollgate'
const STANDBY = 'standby'
/** What the primary waits for before it confirms a COMMIT. */
const SYNCHRONOUS = { synchronous_standby_names: STANDBY } as const

/** Starts both on empty files. The base of the standby is a copy of the stopped primary. */
export async function openPostgresPair(): Promise<PostgresPair> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-postgres-pair-'))
  chmodSync(directory, 0o755)
  const first = join(directory, 'first')
  await makeCluster(first)
  const primary = await createPlace(first)
  await primary.start()
  await primary.run(`CREATE DATABASE ${DATABASE}`, 'postgres')
  await primary.stop()
  const second = join(directory, 'second')
  execFileSync('cp', ['-a', first, second])
  writeInCluster(second, 'standby.signal', '')
  const standby = await createPlace(second)
  const source = { host: '127.0.0.1', port: primary.port, ...ACCESS, application_name: STANDBY }
  const primary_conninfo = Object.entries(source)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
  const startStandby = () => standby.start({ primary_conninfo })
  await primary.start(SYNCHRONOUS)
  await startStandby()
  return {
    primary,
    standby,
    url: `postgres://${ACCESS.user}:${ACCESS.password}@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/${DATABASE}`,
    startStandby,
    async promote() {
      const [row] = await standby.run('SELECT pg_promote() AS promoted')
      if (row?.['promoted'] !== true) throw new Error('the standby does not become a primary')
    },
    async close() {
      await primary.kill()
      await standby.kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function createPlace(directory: string): Promise<Place> {
  const port = await freePort()
  let server: PostgresProcess | null = null
  const end = async (how: 'stop' | 'kill') => {
    await server?.[how]()
    server = null
  }
  return {
    port,
    async start(settings = {}) {
      for (const until = performance.now() + LET_GO_MS; ; ) {
        try {
          server = await runPostgres(directory, port, { ...FAST, ...settings })
          return
        } catch (error) {
          // Sessions of one that was killed end a moment later.
          if (performance.now() > until || !/in use|already exists/.test(String(error))) throw error
          await new Promise<void>(resolve => setTimeout(resolve, 50))
        }
      }
    },
    async run(sql, database = DATABASE) {
      const client = new pg.Client({ host: '127.0.0.1', port, ...ACCESS, database })
      await client.connect()
      try {
        return (await client.query(sql)).rows
      } finally {
        await client.end()
      }
    },
    stop: () => end('stop'),
    kill: () => end('kill'),
  }
}
