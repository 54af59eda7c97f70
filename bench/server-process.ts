// bench/server-process.ts — starts, observes and stops servers in separate processes.
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Directory of the built program. BENCH_PROGRAM names another one, to compare two builds. */
export const PROGRAM = process.env['BENCH_PROGRAM'] ?? fileURLToPath(new URL('..', import.meta.url))

/** Options of Node.js for every server, those of `npm start`. ADR 58. */
const NODE_FLAGS = ['--max-semi-space-size=32']

/** Time limit for the start of a server, in milliseconds. */
const PATIENCE_MS = 120_000
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10

export interface RunningProcess {
  readonly pid: number
  /** Kills it, because the stop of a server is not measured. */
  stop(): Promise<void>
}

export interface ServerProcess extends RunningProcess {
  readonly port: number
}

export interface ProgramProcess extends ServerProcess {
  /** JWT of the demo account; null when there is none. */
  readonly token: string | null
}

export interface ProgramOptions {
  readonly dataDirectory: string
  readonly environment: Readonly<Record<string, string>>
  /** 0 for any free port. */
  readonly port?: number
}

const running = new Set<ChildProcess>()

/** Kills all servers that still run, after a figure has failed. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map(stop))
}

/** Starts the built program as an operator would, with its log in a file of the data directory. */
export function spawnProgram({ dataDirectory, environment, port = 0 }: ProgramOptions): RunningProcess {
  return processOf(spawned(dataDirectory, environment, port))
}

/** Starts the built program and waits until it is ready. */
export async function startProgram({ dataDirectory, environment, port = 0 }: ProgramOptions): Promise<ProgramProcess> {
  const child = spawned(dataDirectory, environment, port)
  if (child.stdout === null) throw new Error('the program has no output')
  const [line] = await beforeExit(child, once(createInterface(child.stdout), 'line'))
  const { url, token } = JSON.parse(String(line)) as { readonly url: string; readonly token: string | null }
  return { ...processOf(child), port: Number(new URL(url).port), token }
}

/** Runs a command of the built program and parses what it prints. @throws Error when it fails */
export function runProgram<Result>(args: readonly string[], environment: ProgramOptions['environment'] = {}): Result {
  const command = [join(PROGRAM, 'bin/tollgate.js'), ...args, '--json']
  return JSON.parse(
    execFileSync(process.execPath, command, { env: { ...process.env, ...environment }, encoding: 'utf8' }),
  )
}

/** Starts a simulated peer of the built program, and returns what it prints first. */
export async function startPeer<Printed>(
  args: readonly string[],
): Promise<RunningProcess & { readonly printed: Printed }> {
  const command = [join(PROGRAM, 'bin/tollgate.js'), 'simulate', ...args, '--json']
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] })
  running.add(child)
  if (child.stdout === null) throw new Error('the program has no output')
  const lines = createInterface(child.stdout)
  const text: string[] = []
  const isPrinted = new Promise<unknown[]>(resolve => {
    lines.on('line', line => {
      // It goes on with a line for each message.
      if (text.at(-1) === '}') return
      text.push(line)
      if (line === '}') resolve([])
    })
  })
  await beforeExit(child, isPrinted)
  return { ...processOf(child), printed: JSON.parse(text.join('\n')) as Printed }
}

export interface ScriptProcess extends ServerProcess {
  /** Calls a listener with each message that the script sends after its port. */
  onMessage(listener: (message: unknown) => void): void
}

/** Starts a script of `servers`, sends it `order`, and waits for the port that it listens on. */
export async function startScript(name: string, order: object): Promise<ScriptProcess> {
  const child = fork(fileURLToPath(new URL(`servers/${name}.ts`, import.meta.url)), {
    execArgv: [...process.execArgv, ...NODE_FLAGS],
  })
  running.add(child)
  child.send(order)
  const [ready] = await beforeExit(child, once(child, 'message'))
  const { port } = ready as { readonly port: number }
  return { ...processOf(child), port, onMessage: listener => void child.on('message', listener) }
}

/** Processor time of a process so far, all threads, in milliseconds; null when the system does not provide it. */
export function processorMs(pid: number): number | null {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return null
  // The program's name, in brackets, may contain anything. User and system time are fields 14 and 15.
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** Resident memory of a process with shared libraries, in bytes; NaN when the system does not provide it. */
export function residentBytes(pid: number): number {
  const file = `/proc/${pid}/status`
  const kilobytes = existsSync(file) ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'))?.[1] : undefined
  return Number(kilobytes ?? Number.NaN) * 1_024
}

function spawned(dataDirectory: string, environment: ProgramOptions['environment'], port: number): ChildProcess {
  const log = openSync(join(dataDirectory, 'log'), 'a')
  const options = ['--json', '--data', dataDirectory, '--port', String(port)]
  const program = [...NODE_FLAGS, join(PROGRAM, 'bin/tollgate.js'), 'serve', ...options]
  const child = spawn(process.execPath, program, {
    stdio: ['ignore', 'pipe', log],
    env: { ...process.env, ...environment },
  })
  running.add(child)
  return child
}

function processOf(child: ChildProcess): RunningProcess {
  return { pid: child.pid ?? 0, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  running.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Waits for `awaited`. Rejects when the process ends or `PATIENCE_MS` passes before. */
async function beforeExit(child: ChildProcess, awaited: Promise<unknown[]>): Promise<unknown[]> {
  const ended = once(child, 'exit', { signal: AbortSignal.timeout(PATIENCE_MS) }).then(([code]) => {
    throw new Error(`a server has ended with ${String(code)} before it was ready`)
  })
  return Promise.race([awaited, ended])
}
