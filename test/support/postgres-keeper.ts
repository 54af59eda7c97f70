// test/support/postgres-keeper.ts — the process that keeps the Postgres of a test run, until its standard input ends.
// The input ends with the process that started it, even by a kill, so no run leaves a server or its files behind.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CITUS_SETTINGS } from './citus.ts'
import { type PostgresOptions, startPostgres } from './postgres-process.ts'

/** What the keeper writes when the server is ready, as a line of JSON. */
export interface Kept {
  readonly port: number
  readonly user: string
  readonly password: string
  readonly directory: string
  /** Ports of the workers when it is the coordinator of a Citus cluster; else empty. */
  readonly workers: readonly number[]
}

/** Nothing that these tests store must survive a power cut. */
export const FAST = { fsync: 'off', full_page_writes: 'off', unix_socket_directories: '', max_connections: '1000' }

if (process.argv[1]?.endsWith('postgres-keeper.ts')) {
  const ended = once(process.stdin.resume(), 'end')
  // Whoever started this may be gone before the server is ready.
  process.stdout.on('error', () => {})
  const names = process.env['POSTGRES_CITUS'] === undefined ? [''] : ['', 'worker-', 'worker-']
  const directories = names.map(name => mkdtempSync(join(tmpdir(), `tollgate-postgres-${process.pid}-${name}`)))
  const options: PostgresOptions =
    names.length === 1 ? { settings: FAST } : { settings: { ...FAST, ...CITUS_SETTINGS }, auth: 'trust' }
  try {
    const servers = await Promise.all(directories.map(directory => startPostgres(directory, options)))
    const [first, ...others] = servers
    const [directory] = directories
    if (first === undefined || directory === undefined) throw new Error('no server was started')
    const { port, user, password } = first
    const workers = others.map(worker => worker.port)
    process.stdout.write(`${JSON.stringify({ port, user, password, directory, workers } satisfies Kept)}\n`)
    await ended
    for (const server of servers) await server.stop()
  } finally {
    for (const directory of directories) rmSync(directory, { recursive: true, force: true })
  }
  process.exit()
}
