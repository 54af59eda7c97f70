// test/support/postgres-keeper.ts — the process that keeps the Postgres of a test run, until its standard input ends.
// The input ends with the process that started it, even by a kill, so no run leaves a server or its files behind.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from './postgres-process.ts'

/** What the keeper writes when the server is ready, as a line of JSON. */
export interface Kept {
  readonly port: number
  readonly user: string
  readonly password: string
  readonly directory: string
}

/** Nothing that these tests store must survive a power cut. */
export const FAST = { fsync: 'off', full_page_writes: 'off', unix_socket_directories: '', max_connections: '300' }

if (process.argv[1]?.endsWith('postgres-keeper.ts')) {
  const ended = once(process.stdin.resume(), 'end')
  // Whoever started this may be gone before the server is ready.
  process.stdout.on('error', () => {})
  const directory = mkdtempSync(join(tmpdir(), `tollgate-postgres-${process.pid}-`))
  try {
    const { port, user, password, stop } = await startPostgres(directory, { settings: FAST })
    process.stdout.write(`${JSON.stringify({ port, user, password, directory } satisfies Kept)}\n`)
    await ended
    await stop()
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
  process.exit()
}
