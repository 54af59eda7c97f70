// test/support/postgres-setup.ts — global set-up of a test run: starts one Postgres when a test file first asks for it.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Port on this machine that answers each connection with a line of JSON, `Kept`. */
    readonly postgresPort: number
  }
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const KEEPER = fileURLToPath(new URL('postgres-keeper.ts', import.meta.url))

/** A keeper and the line that it writes once its server is ready. */
interface Keeping {
  readonly child: ChildProcessByStdio<Writable, Readable, null>
  readonly line: Promise<string>
}

/** Called by vitest once for each project. The first call serves all of them. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const root = project.vitest.getRootProject()
  if (root.getProvidedContext().postgresPort !== undefined) return undefined
  let keeping: Keeping | null = null
  const answer = async (socket: Socket) => {
    socket.on('error', () => {})
    keeping ??= startKeeper()
    socket.end(await keeping.line)
  }
  const server = createServer(socket => void answer(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  root.provide('postgresPort', (server.address() as AddressInfo).port)
  return async () => {
    server.close()
    if (keeping !== null) await endKeeper(keeping)
  }
}

/** Starts a keeper. It has a process group of its own, so that Ctrl-C does not reach its server before it. */
export function startKeeper(): Keeping {
  const child = spawn(process.execPath, ['--import', 'tsx', KEEPER], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  // It may have ended when its input is closed.
  child.stdin.on('error', () => {})
  const line = once(child.stdout, 'data').then(([data]) => String(data))
  const ended = once(child, 'exit').then(([code]) => `{"failed":${JSON.stringify(code)}}\n`)
  return { child, line: Promise.race([line, ended]) }
}

/** Ends a keeper, which stops its server and removes its files. */
export async function endKeeper({ child }: Keeping): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.stdin.end()
  await ended
}
