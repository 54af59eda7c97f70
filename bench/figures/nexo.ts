// bench/figures/nexo.ts — whole sales on terminals that speak nexo, beside the simulated terminals inside the gateway.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, type Figure, plainRow, type Row } from '../figure.ts'
import { polled, startedSale } from '../requests.ts'
import { processorMs, runProgram, startProgram, startScript } from '../server-process.ts'
import type { OpenTerminal, TerminalsOrder } from '../servers/nexo-terminals.ts'
import { prepareDirectory, scriptedId } from '../terminals.ts'

const TERMINALS = { full: 100, quick: 10 }
const ROUNDS = { full: 5, quick: 1 }
/** Sales on each terminal in one round. */
const SALES = 10
/** Between two polls of a till. */
const POLL_MS = 25
const KEY = { identifier: 'bench', version: 1, passphrase: 'a-passphrase-of-the-bench' }

export const nexo: Figure = {
  name: 'nexo',
  conditions:
    `nexo: a till at each of ${TERMINALS.full} terminals, one sale after another, each polled every ${POLL_MS} ms until it has its result. The terminals are those of ` +
    '`tollgate simulate nexo`, all in one process: HTTPS, messages encrypted with the shared key, a card at once. The gateway is the sandbox with log level warn, on ' +
    'SQLite with a sync to disk before each answer. Simulated: the same on as many terminals of the simulator, at pace 0.',
  async run(bench) {
    const count = bench.quick ? TERMINALS.quick : TERMINALS.full
    const file = join(bench.directory, 'nexo-terminals.json')
    const peer = await startScript('nexo-terminals', { count, key: KEY, file } satisfies TerminalsOrder)
    const terminals = JSON.parse(readFileSync(file, 'utf8')) as readonly OpenTerminal[]
    const dataDirectory = join(bench.directory, 'nexo')
    await prepareDirectory(dataDirectory, count, { idOf: scriptedId })
    bench.say(`adding ${count} terminals`)
    for (const [index, terminal] of terminals.entries()) addTerminal(dataDirectory, nexoId(index), terminal)
    const environment = { TOLLGATE_PACE: '0', TOLLGATE_LOG_LEVEL: 'warn' }
    const program = await startProgram({ dataDirectory, environment })
    try {
      return await measured(bench, count, program)
    } finally {
      await Promise.all([program.stop(), peer.stop()])
    }
  },
}

function nexoId(index: number): string {
  return String(22_000_000 + index)
}

function addTerminal(dataDirectory: string, tid: string, { poiId, port, root }: OpenTerminal): void {
  const file = join(dataDirectory, `${tid}.json`)
  const key = { keyIdentifier: KEY.identifier, keyVersion: KEY.version, passphrase: KEY.passphrase }
  const settings = { transport: 'local', poiId, environment: 'test', rootCertificate: root, host: '127.0.0.1', port }
  writeFileSync(file, JSON.stringify({ ...settings, ...key }))
  const driver = ['--driver', 'nexo', '--driver-settings', file]
  runProgram(['terminals', 'add', 'demo', tid, ...driver, '--data', dataDirectory])
}

interface Timed {
  readonly perSecond: number
  /** From the start of a sale until a poll has its result, in milliseconds. */
  readonly tookMs: readonly number[]
  /** Processor time of the gateway for each sale. */
  readonly processorMs: number | null
}

async function measured(
  { quick }: Bench,
  count: number,
  gateway: { readonly port: number; readonly pid: number },
): Promise<readonly Row[]> {
  const rounds = quick ? ROUNDS.quick : ROUNDS.full
  const ours: Timed[] = []
  const simulated: Timed[] = []
  // The first round of each is not counted: terminals are logged in to, and code is optimised.
  for (let round = 0; round <= rounds; round += 1)
    for (const [idOf, list] of [[nexoId, ours] as const, [scriptedId, simulated] as const]) {
      const timed = await oneRound(gateway, count, idOf)
      if (round > 0) list.push(timed)
    }
  const took = ours.flatMap(({ tookMs }) => tookMs).toSorted((one, other) => one - other)
  const at = (part: number) => Math.round(took[Math.floor(took.length * part)] ?? Number.NaN)
  const detail = `${textOf('nexo', ours)}, ${textOf('simulated', simulated)}`
  const ratio = medianOf(ours.map(({ perSecond }, round) => perSecond / (simulated[round]?.perSecond ?? Number.NaN)))
  return [
    plainRow(
      `sales a second on ${count} nexo terminals, from the request to the result`,
      `${Math.round(medianOf(ours.map(({ perSecond }) => perSecond)))}/s`,
      `half within ${at(0.5)} ms, 99 of 100 within ${at(0.99)} ms`,
    ),
    plainRow('the same ÷ on simulated terminals', ratio.toFixed(2), detail),
  ]
}

async function oneRound(
  { port, pid }: { readonly port: number; readonly pid: number },
  count: number,
  idOf: (index: number) => string,
): Promise<Timed> {
  const before = processorMs(pid)
  const startedAt = performance.now()
  const tookMs: number[] = []
  await Promise.all(Array.from({ length: count }, (_, index) => till(port, idOf(index), tookMs)))
  const seconds = (performance.now() - startedAt) / 1_000
  const after = processorMs(pid)
  const used = before === null || after === null ? null : (after - before) / tookMs.length
  return { perSecond: tookMs.length / seconds, tookMs, processorMs: used }
}

/** Sells one after another. @throws Error when a sale does not succeed */
async function till(port: number, tid: string, tookMs: number[]): Promise<void> {
  for (let sale = 0; sale < SALES; sale += 1) {
    const startedAt = performance.now()
    const { path } = await startedSale(port, tid)
    for (;;) {
      const { body } = await polled(port, path)
      const { transactionResult } = JSON.parse(body) as { readonly transactionResult?: string | null }
      if (transactionResult === 'SUCCESSFUL') break
      if (typeof transactionResult === 'string') throw new Error(`a sale on ${tid} ended: ${body}`)
      await new Promise(resolve => setTimeout(resolve, POLL_MS))
    }
    tookMs.push(performance.now() - startedAt)
  }
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function textOf(name: string, rounds: readonly Timed[]): string {
  const perSecond = Math.round(medianOf(rounds.map(each => each.perSecond)))
  const used = rounds.flatMap(({ processorMs: each }) => (each === null ? [] : [each]))
  const cost = used.length === 0 ? '' : ` at ${medianOf(used).toFixed(1)} ms of processor`
  return `${name} ${perSecond}/s${cost}`
}
