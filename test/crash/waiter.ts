// test/crash/waiter.ts — waiters at terminals, through the sandbox API, and reconnection of unplugged terminals.
import { equal, ok } from 'node:assert/strict'
import type { SeededRandom } from '../support/seeded-random.ts'
import type { Line } from './line.ts'
import { PATIENCE_MS } from './mortal-gateway.ts'

/** Waiter scripts: from the library, and random ones. */
const LIBRARY = [
  'look_and_leave',
  'pay_in_one',
  'split_in_three',
  'split_with_cash',
  'declined_then_paid',
  'half_and_leave',
  'dies_with_the_lock',
  'dies_after_a_share',
] as const

export interface WaiterOrder {
  readonly script: string | object
  readonly table: string
}

/** A random order for a waiter at a table. */
export function anOrder(table: string, random: SeededRandom): WaiterOrder {
  if (random.integer(2) === 0) return { script: LIBRARY[random.integer(LIBRARY.length)]!, table }
  const shares = 2 + random.integer(3)
  const steps = [
    [{ do: 'pay', gratuityMinor: random.integer(800), scenario: 'signature' }],
    [{ do: 'split_equally', shares }, { do: 'pay', scenario: 'contactless_approved' }, { do: 'pay_rest' }],
    [{ do: 'split_equally', shares }, { do: 'pay_other' }, { do: 'pay_rest', scenario: 'approved' }],
    [{ do: 'pay', amountMinor: 100 + random.integer(400) }, { do: 'leave' }],
  ][random.integer(4)]!
  return { script: { name: 'by_chance', steps }, table }
}

/** Adds a terminal, unless it exists already. */
export async function addTerminal(line: Line, tid: string): Promise<void> {
  const { status, text } = await line.insist('POST', '/sandbox/terminals', { body: { tid } })
  ok(status === 201 || status === 409, text)
}

export interface TableTerminal {
  readonly line: Line
  readonly tid: string
  /** Waits for about a second. */
  readonly pause: () => Promise<void>
}

/** Starts a waiter and waits until it has left. Plugs an unplugged terminal in again. */
export async function serve(terminal: TableTerminal, order: WaiterOrder): Promise<void> {
  const { line, tid } = terminal
  const sent = await line.ask('POST', `/sandbox/terminals/${tid}/waiter`, { body: order })
  // The answer may be lost, or the terminal still busy with a waiter or a report.
  if (sent !== null) ok(sent.status === 202 || sent.status === 409, sent.text)
  await line.gateway.patiently(`the end of a waiter at ${tid}`, PATIENCE_MS.payment, waiterGone(terminal))
}

async function waiterGone({ line, tid, pause }: TableTerminal): Promise<void> {
  for (;;) {
    await pause()
    const { status, text } = await line.insist('GET', `/sandbox/terminals/${tid}`)
    equal(status, 200, text)
    const seen = JSON.parse(text) as { readonly connected: boolean; readonly waiter: object | null }
    if (seen.connected && seen.waiter === null) return
    if (!seen.connected) await line.ask('POST', `/sandbox/terminals/${tid}/keys`, { body: { key: 'plug_in' } })
  }
}

/** Runs a report with the keys of the terminal, as a waiter does. */
export async function reportAt({ line, tid }: TableTerminal): Promise<void> {
  const key = { key: 'run_report', reportType: 'X_BALANCE' }
  const heard = await line.ask('POST', `/sandbox/terminals/${tid}/keys`, { body: key })
  if (heard !== null) ok(heard.status === 200 || heard.status === 409, heard.text)
}
