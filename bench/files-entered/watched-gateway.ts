// bench/files-entered/watched-gateway.ts — runs the gateway from source and records which source files it enters.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCE = new URL('../../src/', import.meta.url).href
/** Short, so that a payment ends soon, but longer than a request, so that no step of a terminal falls into one. */
const PACE_MS = 250
/** Idle time before a measurement, in milliseconds. */
const QUIET_MS = 300

export interface WatchedGateway {
  readonly url: string
  /** JWT of the demo account. */
  readonly jwt: string
  /** Runs an action and returns the files under `src` of which a function ran on the main thread meanwhile. */
  filesEntered(action: () => Promise<unknown>): Promise<readonly string[]>
  stop(): Promise<void>
}

interface FunctionCoverage {
  readonly functionName: string
  /** The first range is the whole function. */
  readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
}

interface Coverage {
  readonly result: readonly { readonly url: string; readonly functions: readonly FunctionCoverage[] }[]
}

type Inspector = (method: string, params?: object) => Promise<unknown>

/** Starts `tollgate serve` from source as a fresh sandbox, with the profiler of its main thread on. */
export async function startWatchedGateway(): Promise<WatchedGateway> {
  const data = await mkdtemp(join(tmpdir(), 'tollgate-files-'))
  const child = spawned(data)
  const [inspectorLine, summaryLine] = await Promise.all([
    firstLine(child, child.stderr),
    firstLine(child, child.stdout),
  ])
  child.stderr.resume()
  const { url, token } = JSON.parse(summaryLine) as { readonly url: string; readonly token: string }
  const inspector = await connectInspector(/ws:\S+/.exec(inspectorLine)?.[0] ?? '')
  await inspector.call('Profiler.enable')
  await inspector.call('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  // Each take resets the counters.
  const take = async () => enteredIn((await inspector.call('Profiler.takePreciseCoverage')) as Coverage)
  return {
    url: url.replace(/\/$/, ''),
    jwt: token,
    async filesEntered(action) {
      await take()
      await action()
      return take()
    },
    async stop() {
      inspector.close()
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await rm(data, { recursive: true, force: true })
    },
  }
}

/** Waits for the gateway to become idle. */
export function quiet(): Promise<void> {
  return sleep(QUIET_MS)
}

function spawned(data: string) {
  const program = ['--inspect=127.0.0.1:0', '--import', 'tsx', 'src/main.ts', 'serve', '--json']
  // Not the caller's environment, whose settings must not reach the program.
  const env = {
    PATH: process.env['PATH'],
    HOST: '127.0.0.1',
    PORT: '0',
    TOLLGATE_DATA: data,
    TOLLGATE_PACE: String(PACE_MS),
  }
  return spawn(process.execPath, program, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** The first line of a stream. @throws Error when the program ends before. */
async function firstLine(child: ChildProcess, stream: Readable): Promise<string> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the gateway ended with ${String(code)} before it was ready`)
  })
  const [line] = await Promise.race([once(createInterface(stream), 'line'), ended])
  return String(line)
}

async function connectInspector(address: string): Promise<{ readonly call: Inspector; close(): void }> {
  const socket = new WebSocket(address)
  await once(socket, 'open')
  const waiting = new Map<number, (result: unknown) => void>()
  let lastId = 0
  socket.on('message', data => {
    const { id, result } = JSON.parse(String(data)) as { readonly id?: number; readonly result?: unknown }
    if (id !== undefined) waiting.get(id)?.(result)
  })
  return {
    call(method, params = {}) {
      lastId += 1
      const id = lastId
      socket.send(JSON.stringify({ id, method, params }))
      return new Promise(resolve => waiting.set(id, resolve))
    },
    close: () => socket.terminate(),
  }
}

function enteredIn({ result }: Coverage): readonly string[] {
  const entered = result.filter(({ url, functions }) => url.startsWith(SOURCE) && functions.some(hasRun))
  return [...new Set(entered.map(({ url }) => `src/${url.slice(SOURCE.length).replace(/\?.*/, '')}`))].sort()
}

/** The unnamed function at the start of a file is its module level, which runs when the file is loaded. */
function hasRun({ functionName, ranges: [whole] }: FunctionCoverage): boolean {
  if (whole === undefined) return false
  return whole.count > 0 && !(functionName === '' && whole.startOffset === 0)
}
