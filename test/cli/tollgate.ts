// test/cli/tollgate.ts — the real program in a process of its own, in a data directory of its own, on any free port.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import type { Summary } from '../../src/cli/summary.ts'
import { builtProgram } from './built-program.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PROGRAM = await builtProgram()

export type Env = Readonly<Record<string, string>>

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcessWithoutNullStreams
  readonly ended: Promise<Ended>
  /** What it has printed so far, stdout before stderr. */
  said(): string
  /** Resolves once stdout or stderr holds what is looked for. @throws when the program ends before. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
}

/** What is undone after the tests of a file: processes end before their directories go. */
const leftOver: (() => void)[] = []
afterAll(() => {
  for (const undo of leftOver.reverse()) undo()
})

/** A data directory that goes with the file. */
export function emptyDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-cli-'))
  leftOver.push(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/**
 * Begins a command. Settings of whoever runs the tests do not reach it.
 * @param launcher a program, with its arguments, that is given the command and becomes it
 */
export function begin(args: readonly string[], env: Env = {}, launcher: readonly string[] = []): Running {
  const [program = '', ...rest] = [...launcher, process.execPath, PROGRAM, ...args]
  const child = spawn(program, rest, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], TZ: 'UTC', PORT: '0', TOLLGATE_PACE: '0', TOLLGATE_LOG_FORMAT: 'json', ...env },
  })
  leftOver.push(() => void child.kill('SIGKILL'))
  const texts = { stdout: '', stderr: '' }
  const lookers = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
      for (const look of lookers) look()
    })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...texts }) as Ended)
  return {
    child,
    ended,
    said: () => texts.stdout + texts.stderr,
    printed: pattern =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(texts.stdout) ?? pattern.exec(texts.stderr)
          if (found === null) return
          lookers.delete(look)
          resolve(found)
        }
        lookers.add(look)
        look()
        void ended.then(({ code }) => reject(new Error(`ended with ${code} before ${pattern}: ${texts.stderr}`)))
      }),
  }
}

/** Runs a command to its end. */
export function run(args: readonly string[], env: Env = {}): Promise<Ended> {
  const { child, ended } = begin(args, env)
  child.stdin.end()
  return ended
}

/** Runs a command with `--json` and reads what it prints. @throws when it does not exit with 0. */
export async function runJson<T>(args: readonly string[], env: Env = {}): Promise<T> {
  const { code, stdout, stderr } = await run([...args, '--json'], env)
  if (code !== 0) throw new Error(`${args.join(' ')} exits with ${code}: ${stderr}`)
  return JSON.parse(stdout) as T
}

export interface Serving extends Running {
  readonly summary: Summary
  /** Tells it to stop and waits for its end. */
  stop(): Promise<Ended>
}

/** Starts a gateway and waits until it is ready. Who does not stop it leaves that to the end of the file. */
export async function serving(directory = emptyDirectory(), env: Env = {}): Promise<Serving> {
  const running = begin(['serve', '--json', '--data', directory], env)
  const [line] = await running.printed(/^\{"url".*\}$/m)
  return {
    ...running,
    summary: JSON.parse(line) as Summary,
    stop() {
      running.child.kill('SIGTERM')
      return running.ended
    },
  }
}

/** Calls a gateway as a till of the demo account does. */
export function call(url: string, init: RequestInit = {}, key = 'demo-api-key'): Promise<Response> {
  return fetch(url, {
    ...init,
    headers: {
      authorization: `Basic ${Buffer.from(`till:${key}`).toString('base64')}`,
      'content-type': 'application/json',
      ...(init.headers as Record<string, string> | undefined),
    },
  })
}

/** Starts a sale of 25.99 and returns its address. */
export async function startSale(url: string, tid: string): Promise<string> {
  const body = JSON.stringify({ transactionType: 'SALE', amount: 2599, currency: 'GBP' })
  const answer = await call(`${url}/pac/terminals/${tid}/transactions`, { method: 'POST', body })
  const { location } = (await answer.json()) as { readonly location: string }
  return location
}
