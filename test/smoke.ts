// test/smoke.ts — starts the built program as users do, takes one payment, and stops it. Run by `npm run smoke` after a
// build. It waits by the real clock, because the program is another process; each wait is bounded.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const START_LIMIT_MS = 30_000
const PAYMENT_LIMIT_MS = 20_000
const STOP_LIMIT_MS = 20_000
const REQUEST_LIMIT_MS = 5_000
const POLL_MS = 50

const TERMINAL = 'VCMDEMOSIP0'
const CREDENTIALS = `Basic ${Buffer.from('demo:demo-api-key').toString('base64')}`

/** The process and its output so far. */
interface Running {
  readonly process: ChildProcess
  printed(): string
}

const data = await mkdtemp(join(tmpdir(), 'tollgate-smoke-'))
const server = start(data)
try {
  const base = await until('the base URL is printed', START_LIMIT_MS, async () => baseUrlIn(server))
  await until('the gateway is ready', START_LIMIT_MS, async () => isReady(base))
  await findsTerminal(base)
  await takesPayment(base)
  await stops(server)
  process.stdout.write(`Smoke test passed: a payment on ${TERMINAL} at ${base}.\n`)
} catch (error) {
  process.stderr.write(`The program printed:\n${server.printed()}\n`)
  throw error
} finally {
  server.process.kill('SIGKILL')
  await rm(data, { recursive: true, force: true })
}

function start(directory: string): Running {
  const program = fileURLToPath(new URL('../bin/tollgate.js', import.meta.url))
  // Only these variables: the settings of the environment must not reach the program.
  const env = {
    PATH: process.env['PATH'],
    HOST: '127.0.0.1',
    PORT: '0',
    TOLLGATE_DATA: directory,
    TOLLGATE_PACE: '0',
  }
  const child = spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  return { process: child, printed: () => printed }
}

function baseUrlIn({ process: child, printed }: Running): string | null {
  equal(child.exitCode, null, 'the program ended before it was ready')
  return /https?:\/\/127\.0\.0\.1:\d+/.exec(printed())?.[0] ?? null
}

async function isReady(base: string): Promise<true | null> {
  const answer = await fetch(`${base}/health/ready`, { signal: AbortSignal.timeout(REQUEST_LIMIT_MS) }).catch(
    () => null,
  )
  return answer?.status === 200 ? true : null
}

async function findsTerminal(base: string): Promise<void> {
  const { status, body } = await ask('GET', `${base}/pac/terminals`)
  equal(status, 200)
  const terminals = body['terminals'] as readonly { readonly tid: string }[]
  ok(
    terminals.some(({ tid }) => tid === TERMINAL),
    `${TERMINAL} is not among the terminals`,
  )
}

async function takesPayment(base: string): Promise<void> {
  const sale = { transactionType: 'SALE', amount: 2599, currency: 'GBP' }
  const started = await ask('POST', `${base}/pac/terminals/${TERMINAL}/transactions`, sale)
  equal(started.status, 201, JSON.stringify(started.body))
  const location = String(started.body['location'])
  const end = await until('the payment has a result', PAYMENT_LIMIT_MS, async () => {
    const { status, body } = await ask('GET', location)
    equal(status, 200)
    return 'transactionResult' in body ? body : null
  })
  deepEqual([end['transactionResult'], end['amountTotal']], ['SUCCESSFUL', 2599])
}

async function stops({ process: child }: Running): Promise<void> {
  const exit = once(child, 'exit', { signal: AbortSignal.timeout(STOP_LIMIT_MS) })
  child.kill('SIGTERM')
  const [code, signal] = await exit
  deepEqual({ code, signal }, { code: 0, signal: null }, 'the program did not stop of its own accord')
}

async function ask(method: string, url: string, body?: unknown) {
  const answer = await fetch(url, {
    method,
    headers: { authorization: CREDENTIALS, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

/** Polls until there is an answer. @throws Error after the time limit. */
async function until<Answer>(what: string, limitMs: number, look: () => Promise<Answer | null>): Promise<Answer> {
  const end = performance.now() + limitMs
  while (performance.now() < end) {
    const answer = await look()
    if (answer !== null) return answer
    await sleep(POLL_MS)
  }
  throw new Error(`After ${limitMs} ms still not: ${what}.`)
}
