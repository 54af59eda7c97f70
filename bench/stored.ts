// bench/stored.ts — a sale beside few and beside many stored transactions: what is kept must not slow down what comes.
import { mkdirSync } from 'node:fs'
import type { Commit, Store } from '../src/engine/ports.ts'
import { selling } from './figures.ts'
import type { Row } from './report.ts'
import { compare } from './rounds.ts'
import type { Plan } from './run.ts'
import { type ServerProcess, startProgram } from './server-process.ts'
import { ACCOUNT, prepareDirectory, terminalId } from './terminals.ts'

const FEW = 1_000
const BATCH = 2_000
const ENVIRONMENT = { TOLLGATE_PACE: '60000', TOLLGATE_TRANSACTION_LIMIT_MS: '3600000' }

/** Two gateways that differ only in how much is stored. */
export async function storedRows(plan: Plan): Promise<readonly Row[]> {
  const many = await startFilled(plan, plan.stored)
  const few = await startFilled(plan, FEW)
  try {
    const { ratios, perSecond } = await compare(
      [await selling('many', many.port, plan), await selling('few', few.port, plan)],
      plan.rounds,
      plan.roundMs,
    )
    const [slow = 0, fast = 0] = perSecond
    const figure = `POST sale with ${plan.stored} stored transactions, against ${FEW}`
    const detail = `${Math.round(slow)} against ${Math.round(fast)} a second`
    return [{ figure, reached: 1 / (ratios[0] ?? 0), unit: 'times slower', bar: 1.1, goal: null, detail }]
  } finally {
    await many.stop()
    await few.stop()
  }
}

async function startFilled(plan: Plan, count: number): Promise<ServerProcess> {
  const dataDirectory = plan.directory()
  mkdirSync(dataDirectory, { recursive: true })
  await prepareDirectory(dataDirectory, plan.terminals, store => fill(store, count))
  return startProgram({ dataDirectory, environment: ENVIRONMENT })
}

/** Finished transactions as large as real ones, through the store's own door. */
async function fill(store: Store, count: number): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const size = Math.min(BATCH, count - from)
    await Promise.all(Array.from({ length: size }, (_, index) => store.commit(finished(from + index))))
  }
}

function finished(index: number): Commit {
  const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
  return {
    account: ACCOUNT,
    kind: 'terminal-transaction',
    id,
    expectedVersion: 0,
    version: 1,
    body: JSON.stringify({
      requestId: id,
      tid: terminalId(index % 100),
      progress: 'finished',
      filler: 'x'.repeat(1_200),
    }),
    parent: terminalId(index % 100),
    live: false,
    exclusive: null,
    at: index,
    events: [{ version: 1, at: index, type: 'ended', body: 'x'.repeat(300) }],
    effects: [],
    effectsDone: [],
    timers: [],
    idempotency: null,
  }
}
