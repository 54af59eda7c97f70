// test/cli/tollgate.ts — runs the real program in a separate process, with its own data directory and a free port.
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
  /** Output so far, stdout before stderr. */
  said(): string
  /** Resolves once stdout or stderr matches. @throws Error when the program ends before. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
}

/** Clean-up after the tests of a file, in reverse order: processes end before their directories are removed. */
const leftOver: (() => void)[] = []
afterAll(() => {
  for (const undo of leftOver.reverse()) undo()
})

/** A data directory that is removed after the tests of the file. */
export function emptyDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-cli-'))
  leftOver.push(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/**
 * Starts a command. It inherits no settings from the environment of the tests.
 * @param launcher a program with arguments that executes the command
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

/** Runs a command with `--json` and parses its output. @throws Error when it does not exit with 0. */
export async function runJson<T>(args: readonly string[], env: Env = {}): Promise<T> {
  const { code, stdout, stderr } = await run([...args, '--json'], env)
  if (code !== 0) throw new Error(`${args.join(' ')} exits with ${code}: ${stderr}`)
  return JSON.parse(stdout) as T
}

export interface Serving extends Running {
  readonly summary: Summary
  /** Stops it and waits for its end. */
  stop(): Promise<Ended>
}

/** Starts a gateway and waits until it is ready. It is killed after the tests of the file, if not stopped before. */
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

/** Sends a request as a till of the demo account. */
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
