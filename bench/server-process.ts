// bench/server-process.ts — a server in a process of its own: started, looked at from outside, stopped.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The directory of the built program. Another one can be named, to compare two builds. */
export const PROGRAM = process.env['BENCH_PROGRAM'] ?? fileURLToPath(new URL('..', import.meta.url))

/** Milliseconds a server may take to start, and to end. */
const PATIENCE_MS = 120_000

export interface ServerProcess {
  readonly port: number
  readonly pid: number
  /** Sends a message to a script and waits for its answer. */
  ask(message: object): Promise<unknown>
  stop(): Promise<void>
}

export interface ProgramOptions {
  readonly dataDirectory: string
  readonly environment: Readonly<Record<string, string>>
}

/** Starts the built program as an operator would, with its log in a file of the data directory. */
export async function startProgram({ dataDirectory, environment }: ProgramOptions): Promise<ServerProcess> {
  const log = openSync(join(dataDirectory, 'log'), 'a')
  const child = spawn(
    process.execPath,
    [join(PROGRAM, 'bin/tollgate.js'), 'serve', '--json', '--port', '0', '--data', dataDirectory],
    { stdio: ['ignore', 'pipe', log], env: { ...process.env, ...environment } },
  )
  if (child.stdout === null) throw new Error('the program has no output')
  const line = await beforeExit(child, once(createInterface(child.stdout), 'line'))
  const { url } = JSON.parse(String(line[0])) as { readonly url: string }
  return serverOf(child, Number(new URL(url).port))
}

/** Starts a script of this directory, tells it what it needs, and waits until it says which port it listens on. */
export async function startScript(name: string, order: object): Promise<ServerProcess> {
  const child = fork(fileURLToPath(new URL(`servers/${name}.ts`, import.meta.url)))
  child.send(order)
  const [ready] = await beforeExit(child, once(child, 'message'))
  return serverOf(child, (ready as { readonly port: number }).port)
}

function serverOf(child: ChildProcess, port: number): ServerProcess {
  return {
    port,
    pid: child.pid ?? 0,
    async ask(message) {
      child.send(message)
      const [answer] = await beforeExit(child, once(child, 'message'))
      return answer
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** What comes first: what is waited for, or the end of the process, which is then an error. */
async function beforeExit(child: ChildProcess, awaited: Promise<unknown[]>): Promise<unknown[]> {
  const patience = AbortSignal.timeout(PATIENCE_MS)
  const ended = once(child, 'exit', { signal: patience }).then(([code]) => {
    throw new Error(`a server has ended with ${String(code)} before it was ready`)
  })
  return Promise.race([awaited, ended])
}
