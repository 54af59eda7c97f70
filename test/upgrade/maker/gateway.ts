// test/upgrade/maker/gateway.ts — runs the built program on a data directory as a separate process, and sends requests to
// it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { fileURLToPath } from 'node:url'
import { builtProgram } from '../../cli/built-program.ts'
import { basic } from '../../support/till.ts'
import { SETTINGS } from './settings.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PROGRAM = await builtProgram()

/** Processes to kill when the maker exits. */
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

export interface Heard {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  readonly json: Json
}
export type Json = Readonly<Record<string, unknown>>

export interface GatewayProcess {
  /** Local address. */
  readonly url: string
  ask(method: string, path: string, headers: Readonly<Record<string, string>>, body?: unknown): Promise<Heard>
  /** Kills it with SIGKILL. */
  kill(): Promise<void>
  /** Sends SIGTERM and waits for its end. */
  stop(): Promise<void>
}

/** Starts `tollgate serve` in sandbox mode and waits until it listens. */
export async function startGateway(directory: string): Promise<GatewayProcess> {
  const child = spawnProgram(['serve', '--json', '--data', directory])
  child.stdout?.resume()
  const ended = once(child, 'close')
  const url = await new Promise<string>((resolve, reject) => {
    let printed = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      const [, listening] = /"listening":"([^"]+)"/.exec(printed) ?? []
      if (listening !== undefined) resolve(listening)
    })
    void ended.then(() => reject(new Error(`the program ended: ${printed}`)))
  })
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal)
    await ended
  }
  return {
    url,
    ask: (method, path, headers, body) => exchange(new URL(path, url), method, headers, body),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

/** Runs a command with `--json` on a data directory, beside the running gateway. */
export async function runCommand(directory: string, args: readonly string[]): Promise<Json> {
  const child = spawnProgram([...args, '--data', directory, '--json'])
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
    })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${args.join(' ')} exits with ${code}: ${texts.stderr}`)
  return texts.stdout.trim() === '' ? {} : (JSON.parse(texts.stdout) as Json)
}

function spawnProgram(args: readonly string[]): ChildProcess {
  const env = { PATH: process.env['PATH'], TZ: 'UTC', ...SETTINGS }
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  child.once('close', () => children.delete(child))
  return child
}

function exchange(url: URL, method: string, headers: Readonly<Record<string, string>>, body: unknown): Promise<Heard> {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  const length = text === '' ? {} : { 'content-length': String(Buffer.byteLength(text)) }
  return new Promise((resolve, reject) => {
    const sent = { 'content-type': 'application/json', ...headers, ...length }
    const request = httpRequest(url, { method, headers: sent }, response => {
      let heard = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        heard += part
      })
      response.on('error', reject)
      response.on('end', () => {
        const json = /^[[{]/.test(heard) ? (JSON.parse(heard) as Json) : {}
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: heard, json })
      })
    })
    request.on('error', reject)
    request.end(text)
  })
}

/** An account as a client of the gateway. */
export interface Caller {
  readonly account: string
  readonly apiKey: string
  /** Sends a request with the API key. A status that is not expected fails. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    more?: { readonly headers?: Readonly<Record<string, string>>; readonly expect?: readonly number[] },
  ): Promise<Heard>
  /** Advances the account's clock, and waits until all due work is done. */
  advance(ms: number): Promise<void>
  clock(order: Json): Promise<Heard>
}

const GOOD = [200, 201, 202, 204] as const

export function callerOf(gateway: GatewayProcess, account: string, apiKey: string): Caller {
  const ask: Caller['ask'] = async (method, path, body, { headers = {}, expect = GOOD } = {}) => {
    const heard = await gateway.ask(method, path, { authorization: basic(apiKey), ...headers }, body)
    if (!expect.includes(heard.status))
      throw new Error(`${method} ${path} ${JSON.stringify(body)} is answered with ${heard.status}: ${heard.text}`)
    return heard
  }
  const clock: Caller['clock'] = order => ask('POST', '/sandbox/clock', order)
  return {
    ...{ account, apiKey, ask, clock },
    async advance(ms) {
      const { json, text } = await clock({ do: 'advance', ms })
      if (json['settled'] !== true) throw new Error(`${account} does not come to rest: ${text}`)
    },
  }
}
