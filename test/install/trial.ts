// test/install/trial.ts — starts a built gateway as users do, takes payments, reads its pages, and stops it. It waits by the
// real clock, because the program is another process; each wait is bounded.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const START_LIMIT_MS = 30_000
const PAYMENT_LIMIT_MS = 20_000
const STOP_LIMIT_MS = 20_000
const REQUEST_LIMIT_MS = 5_000
const COMMAND_LIMIT_MS = 30_000
const POLL_MS = 50

/** Fewer pages than this are not the site. */
const FEWEST_PAGES = 10

const TERMINAL = 'VCMDEMOSIP0'
const AMOUNT = 2599
const CREDENTIALS = `Basic ${Buffer.from('demo:demo-api-key').toString('base64')}`
const CARD = { cardName: 'John Watson', cardNumber: '5200000000000056', expiryDate: '12 / 30', cV2: '341' }

const execute = promisify(execFile)

/** How to start the program: an executable and its first arguments. */
export type Launcher = readonly [string, ...string[]]

/** The process and its output so far. */
interface Running {
  readonly process: ChildProcess
  printed(): string
}

/** Takes a gateway through a short life. @throws AssertionError, or Error after a time limit */
export async function tryGateway(launcher: Launcher): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'tollgate-trial-'))
  const server = start(launcher, data)
  try {
    const base = await until('the base URL is printed', START_LIMIT_MS, async () => baseUrlIn(server))
    await until('the gateway is ready', START_LIMIT_MS, async () => isReady(base))
    await takesCounterSale(base)
    await takesSaleByCommand(launcher, data, base)
    await takesOnlinePayment(launcher, data, base)
    await hasItsPages(base)
    await stops(server)
  } catch (error) {
    process.stderr.write(`The program printed:\n${server.printed()}\n`)
    throw error
  } finally {
    server.process.kill('SIGKILL')
    await rm(data, { recursive: true, force: true })
  }
}

function start([file, ...first]: Launcher, data: string): Running {
  const child = spawn(file, [...first, 'serve'], { env: environment(data), stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  child.on('error', error => {
    printed += String(error)
  })
  return { process: child, printed: () => printed }
}

/** Only these variables: the settings of the environment must not reach the program. */
function environment(data: string): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', TOLLGATE_DATA: data, TOLLGATE_PACE: '0' }
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

async function takesCounterSale(base: string): Promise<void> {
  const { status, body } = await ask('GET', `${base}/pac/terminals`)
  equal(status, 200)
  const terminals = body['terminals'] as readonly { readonly tid: string }[]
  ok(
    terminals.some(({ tid }) => tid === TERMINAL),
    `${TERMINAL} is not among the terminals`,
  )
  const sale = { transactionType: 'SALE', amount: AMOUNT, currency: 'GBP' }
  const started = await ask('POST', `${base}/pac/terminals/${TERMINAL}/transactions`, sale)
  equal(started.status, 201, JSON.stringify(started.body))
  const location = String(started.body['location'])
  const end = await until('the sale has a result', PAYMENT_LIMIT_MS, async () => {
    const { status, body } = await ask('GET', location)
    equal(status, 200)
    return 'transactionResult' in body ? body : null
  })
  deepEqual([end['transactionResult'], end['amountTotal']], ['SUCCESSFUL', AMOUNT])
}

async function takesSaleByCommand(launcher: Launcher, data: string, base: string): Promise<void> {
  const printed = await run(launcher, data, 'sale', '--amount', String(AMOUNT), '--url', base)
  match(printed, /SUCCESSFUL/)
}

async function takesOnlinePayment(launcher: Launcher, data: string, base: string): Promise<void> {
  const jwt = (await run(launcher, data, 'token', '--audience', base)).trim()
  const order = {
    merchantUrl: 'shop.example',
    currencyCode: '826',
    amount: String(AMOUNT),
    transactionType: 'SALE',
    orderId: 'TRIAL-1',
  }
  const token = await ask('POST', `${base}/v1/access-tokens`, order, `Bearer ${jwt}`)
  equal(token.status, 200, JSON.stringify(token.body))
  const paid = await ask('POST', `${base}/api/payments/${token.body['id']}`, CARD, null)
  deepEqual([paid.status, paid.body['statusCode']], [200, 0], JSON.stringify(paid.body))
  const read = await ask('GET', `${base}/v1/payments/${token.body['id']}`, undefined, `Bearer ${jwt}`)
  deepEqual([read.status, read.body['statusCode']], [200, 0], JSON.stringify(read.body))
}

/** Reads the start page, the shop, the documents, and every page and file of the gateway that a page names. */
async function hasItsPages(base: string): Promise<void> {
  const seen = new Set(['/', '/docs', '/demo', '/openapi.json', '/asyncapi.json', '/assets/js/client.js'])
  for (const path of seen) {
    const answer = await fetch(base + path, { signal: AbortSignal.timeout(REQUEST_LIMIT_MS) })
    const text = await answer.text()
    deepEqual([answer.status, text !== ''], [200, true], path)
    if (!/^text\/html/.test(answer.headers.get('content-type') ?? '')) continue
    for (const [, address = ''] of text.matchAll(/\s(?:src|href)="([^"]*)"/g)) {
      const { origin, pathname, search } = new URL(address.replaceAll('&amp;', '&'), base + path)
      if (origin === base) seen.add(pathname + search)
    }
  }
  ok(seen.size >= FEWEST_PAGES, `only ${seen.size} pages`)
}

async function stops({ process: child }: Running): Promise<void> {
  const exit = once(child, 'exit', { signal: AbortSignal.timeout(STOP_LIMIT_MS) })
  child.kill('SIGTERM')
  const [code, signal] = await exit
  deepEqual({ code, signal }, { code: 0, signal: null }, 'the program did not stop of its own accord')
}

/** Runs a command and returns what it prints. @throws Error when it fails */
async function run([file, ...first]: Launcher, data: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await execute(file, [...first, ...args], { env: environment(data), timeout: COMMAND_LIMIT_MS })
  return stdout
}

async function ask(method: string, url: string, body?: unknown, authorization: string | null = CREDENTIALS) {
  const answer = await fetch(url, {
    method,
    headers: {
      ...(authorization === null ? {} : { authorization }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
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
