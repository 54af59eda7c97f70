// bench/figures/sockets.ts — tills on WebSockets: requests, pushed notifications and memory of idle connections.
import { join } from 'node:path'
import type { WebSocket } from 'ws'
import { type Bench, type Figure, plainRow, type Row, ratioRow } from '../figure.ts'
import { interleave, inWords, type Measured, ratios, type Side, spreadOf } from '../rounds.ts'
import { type ProgramOptions, residentBytes, type ServerProcess, startProgram, startScript } from '../server-process.ts'
import { addressOf, openSockets, socketLoad } from '../socket-load.ts'
import { prepareDirectory, scriptedId } from '../terminals.ts'

/**
 * Each has its own terminal, because a terminal does one thing at a time. Many, because a till may send 50 messages a second.
 * The limit of an account is 2,000.
 */
const CONNECTIONS = 1_800
const IDLE = { full: 10_000, quick: 2_000 }
/** Below the 2,000 connections that an account may have. */
const TILLS_OF_AN_ACCOUNT = 1_000
/** Wait before a measurement, so that garbage of the handshakes is collected. */
const REST_MS = 3_000

export const sockets: Figure = {
  name: 'sockets',
  conditions:
    `sockets: ${CONNECTIONS} connections, each with a terminal of its own that leaves printing to the till, at pace 0, log ` +
    'level warn. The echo sends back the very message. ' +
    'Notifications: sales one after the other, each of which pushes what the terminal shows. Idle sockets: resident memory.',
  async run(bench) {
    const dataDirectory = join(bench.directory, 'sockets')
    await prepareDirectory(dataDirectory, CONNECTIONS, { idOf: scriptedId, settings: { printing: false } })
    const program = { dataDirectory, environment: { TOLLGATE_PACE: '0', TOLLGATE_LOG_LEVEL: 'warn' } }
    // In a fresh process: memory freed by other work would hide the memory of a socket.
    const idleRow = await idle(bench, program)
    const gateway = await startProgram(program)
    const echo = await startScript('bare-ws', {})
    try {
      const pushes = await pushed(bench, gateway)
      return [...(await compared(bench, gateway, echo)), pushes, idleRow]
    } finally {
      await Promise.all([gateway.stop(), echo.stop()])
    }
  },
}

async function compared({ quick }: Bench, gateway: ServerProcess, echo: ServerProcess): Promise<readonly Row[]> {
  const tills = await openTills(gateway)
  const others = await openTills(echo)
  const sides = [
    sideOf('terminalDetails', gateway, tills, 'terminalDetails'),
    sideOf('echo', echo, others, 'terminalDetails'),
  ]
  const rounds = quick
    ? { count: 5, limitMs: 250, warmUp: 2, pauseMs: 50 }
    : { count: 15, limitMs: 500, warmUp: 3, pauseMs: 100 }
  const [details, yardstick] = await interleave(sides, rounds)
  for (const socket of [...tills, ...others]) socket.terminate()
  const bar = { atLeast: 0.5 }
  const words = (one: Measured | undefined): string => (one === undefined ? '' : inWords(one))
  return [
    ratioRow(
      'JSON-RPC `terminalDetails` ÷ bare `ws` echo',
      ratios(details, yardstick),
      bar,
      `${words(details)}, ${words(yardstick)}`,
    ),
  ]
}

function openTills({ port }: ServerProcess): Promise<readonly WebSocket[]> {
  return openSockets(Array.from({ length: CONNECTIONS }, () => addressOf(port)))
}

function sideOf(name: string, server: ServerProcess, tills: readonly WebSocket[], method: string): Side {
  const load = socketLoad(tills, index => message(method, { tid: scriptedId(index) }))
  return { name, server, load, order: { next: () => null, status: 200 } }
}

/** Measures pushed notifications while each till runs sales. */
async function pushed({ quick, say }: Bench, gateway: ServerProcess): Promise<Row> {
  const load = socketLoad(await openTills(gateway), index =>
    message('sale', { tid: scriptedId(index), amount: 2599, currency: 'GBP' }),
  )
  const perSecond: number[] = []
  const sales: number[] = []
  for (let round = 0; round < (quick ? 3 : 7); round += 1) {
    const before = load.pushed
    const { answered, elapsedMs } = await load.run({ next: () => null, status: 200, limitMs: quick ? 500 : 2_000 })
    perSecond.push(((load.pushed - before) / elapsedMs) * 1_000)
    sales.push((answered / elapsedMs) * 1_000)
  }
  load.close()
  say('measured what is pushed')
  const rate = (values: readonly number[]): string => Math.round(spreadOf(values).median).toLocaleString('en')
  return plainRow('Notifications pushed', `${rate(perSecond)}/s`, `${rate(sales)} whole sales a second on sockets`)
}

async function idle({ quick }: Bench, program: ProgramOptions): Promise<Row> {
  const gateway = await startProgram(program)
  const count = quick ? IDLE.quick : IDLE.full
  const addresses: string[] = []
  for (let from = 0; from < count; from += TILLS_OF_AN_ACCOUNT) {
    const address = addressOf(gateway.port, await newAccount(gateway.port))
    addresses.push(...Array.from({ length: Math.min(TILLS_OF_AN_ACCOUNT, count - from) }, () => address))
  }
  await rest()
  const before = residentBytes(gateway.pid)
  const open = await openSockets(addresses)
  await rest()
  const after = residentBytes(gateway.pid)
  for (const socket of open) socket.terminate()
  await gateway.stop()
  const each = (after - before) / count / 1e3
  return ratioRow(
    `Memory of an idle socket at ${count.toLocaleString('en')}, in kB`,
    { low: each, median: each, high: each },
    { atMost: 12 },
    `from ${Math.round(before / 1e6)} to ${Math.round(after / 1e6)} MB resident`,
  )
}

async function newAccount(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/sandbox/accounts`, { method: 'POST' })
  const { key } = (await response.json()) as { readonly key: string }
  return key
}

function message(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

function rest(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, REST_MS))
}
