// src/simulator/operations/seed.ts — fills an account with past payments, really taken one after the other on a clock that
// runs as fast as the machine.

import { type Static, Type } from 'typebox'
import { type AccountRequestContext, type Answer, accountOperation } from '../../api/operation.ts'
import { oneOf } from '../../api/schemas.ts'
import { MOST_TERMINALS, type Terminal } from '../../domain/accounts/terminal.ts'
import type { TransactionType } from '../../domain/counter/transaction-events.ts'
import { TERMINAL, TERMINAL_TRANSACTION } from '../../engine/machines.ts'
import { sandboxOf } from '../interceptor/interceptor.ts'
import { runsSomething, unplayable } from './terminals.ts'

/** Each payment takes some milliseconds of computing time. */
const MOST = 1_000
/** A working day. */
const USUAL_SPAN_MS = 8 * 60 * 60 * 1_000
const LONGEST_SPAN_MS = 90 * 24 * 60 * 60 * 1_000
/** Longer than any payment, with signature and time limit. */
const PATIENCE_MS = 1_000_000

/** Payments in rotation. Most succeed. */
const USUAL: readonly { readonly type: TransactionType; readonly amountMinor: number; readonly scenario: string }[] = [
  { type: 'SALE', amountMinor: 2599, scenario: 'approved' },
  { type: 'SALE', amountMinor: 480, scenario: 'contactless_approved' },
  { type: 'SALE', amountMinor: 1250, scenario: 'device_approved' },
  { type: 'SALE', amountMinor: 8990, scenario: 'declined' },
  { type: 'SALE', amountMinor: 8990, scenario: 'approved' },
  { type: 'REFUND', amountMinor: 480, scenario: 'contactless_approved' },
  { type: 'SALE', amountMinor: 3120, scenario: 'swipe_signature' },
  { type: 'SALE', amountMinor: 199, scenario: 'cancelled_at_card' },
]

const SEED = Type.Object({
  count: Type.Integer({ minimum: 1, maximum: MOST, description: 'Number of payments.' }),
  overMs: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LONGEST_SPAN_MS,
      description: 'Age of the first payment. Default: eight hours.',
    }),
  ),
  scenario: Type.Optional(
    Type.String({ maxLength: 256, description: 'Scenario of all payments. Default: a mix that mostly succeeds.' }),
  ),
  transactionType: Type.Optional(oneOf(['SALE', 'REFUND', 'PRE_AUTH', 'ACCOUNT_VERIFICATION'])),
  terminal: Type.Optional(Type.String({ maxLength: 20, description: 'Terminal. Default: all in turn.' })),
})
type Seed = Static<typeof SEED>

export const seedAccount = accountOperation({
  name: 'seedAccount',
  summary: 'Fill the account with past payments',
  description:
    'The simulated terminals take the payments, spread evenly up to now, with receipts, events, totals and acquirer records. ' +
    'Only while nothing runs.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'POST',
  path: '/sandbox/seed',
  right: 'configure',
  body: {
    schema: SEED,
    examples: {
      'a working day': { count: 40 },
      'ten declined sales': { count: 10, transactionType: 'SALE', scenario: 'declined', overMs: 600_000 },
    },
  },
  responses: {
    200: {
      description: 'The payments were taken.',
      schema: Type.Object({
        results: Type.Unsafe<Record<string, number>>({ type: 'object', description: 'Number of payments by result.' }),
      }),
      example: { results: { SUCCESSFUL: 30, DECLINED: 5, CANCELLED: 5 } },
    },
  },
  refusals: ['terminal_unavailable', 'scenario_unplayable', 'clock_in_use'],
  async run(context, { body }) {
    const seed = await body()
    if ('refused' in seed) return seed
    const terminals = await terminalsFor(context, seed.value)
    if (terminals.length === 0) return { refused: { code: 'terminal_unavailable', tid: seed.value.terminal ?? '' } }
    if (await runsSomething(context)) return { refused: { code: 'clock_in_use' } }
    return takeAll(context, seed.value, terminals)
  },
})

async function takeAll(context: AccountRequestContext, seed: Seed, terminals: readonly Terminal[]): Promise<Answer> {
  const { api, account } = context
  const { clocks } = sandboxOf(api)
  const { now, frozen } = clocks.read(account.id)
  const { count, overMs = USUAL_SPAN_MS } = seed
  await clocks.freeze(account.id)
  const results = new Map<string, number>()
  try {
    for (let index = 0; index < count; index += 1) {
      const due = now - Math.round((overMs * (count - index)) / count)
      // The previous payment may have lasted past this one's time.
      if (index === 0 || clocks.read(account.id).now < due) await clocks.set(account.id, due)
      const terminal = terminals[index % terminals.length] as Terminal
      const taken = await takeOne(context, seed, terminal, index)
      if (typeof taken !== 'string') return taken
      results.set(taken, (results.get(taken) ?? 0) + 1)
    }
  } finally {
    if (clocks.read(account.id).now < now) await clocks.set(account.id, now)
    if (!frozen) await clocks.release(account.id)
  }
  return { status: 200, body: { results: Object.fromEntries(results) } }
}

/** Takes one payment to its end. Returns its result, or the refusal. */
async function takeOne(
  context: AccountRequestContext,
  seed: Seed,
  terminal: Terminal,
  index: number,
): Promise<string | Answer> {
  const { api, account, partner } = context
  const { clocks, scenarios } = sandboxOf(api)
  const usual = USUAL[index % USUAL.length] as (typeof USUAL)[number]
  const type = seed.transactionType ?? usual.type
  const requestId = api.random.uuid()
  const refused = scenarios.reserve(terminal, requestId, seed.scenario ?? usual.scenario)
  if (refused !== null) return unplayable({ refusal: { ...refused.refusal, at: 'scenario' } })
  const { tid } = terminal
  const request = {
    transactionType: type,
    amountMinor: type === 'ACCOUNT_VERIFICATION' ? 0 : usual.amountMinor,
    currency: terminal.settings.currency,
    cashbackMinor: 0,
    cardholderNotPresent: false,
    authCode: null,
    preAuthorisedTotalMinor: null,
  }
  const key = { account: account.id, id: requestId }
  const started = await api.transactions.start({ requestId, account: account.id, tid, request, partner })
  if ('refused' in started) return started
  const stepMs = 10_000
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += stepMs) {
    await clocks.advance(account.id, stepMs)
    const entry = await api.engine.read(TERMINAL_TRANSACTION, key)
    if (entry?.record.result != null) return entry.record.result
    if (entry?.record.progress === 'awaiting_signature')
      await api.transactions.execute(key, { type: 'decide_signature', accepted: true })
  }
  throw new Error(`transaction ${requestId} does not end`)
}

/** Connected terminals, in order of installation; only the requested one if the request names one. */
async function terminalsFor({ api, account }: AccountRequestContext, { terminal }: Seed): Promise<readonly Terminal[]> {
  const installed = await api.store.list(account.id, { kind: TERMINAL.kind, live: true, limit: MOST_TERMINALS })
  const connected = await Promise.all(
    installed.toReversed().map(({ id }) => api.transactions.connected(account.id, id)),
  )
  return connected.filter(each => each !== null && (terminal === undefined || each.tid === terminal)) as Terminal[]
}
