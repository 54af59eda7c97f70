// test/crash/connected/evening.ts — three terminals and two payers at once, with peers that misbehave, until the gateway was killed often enough.
import { equal } from 'node:assert/strict'
import type { Terminal } from '../../../src/domain/accounts/terminal.ts'
import type { Fault } from '../../../src/peers/nexo-terminal/behaviour.ts'
import type { Script } from '../../support/nexo-script.ts'
import { SeededRandom } from '../../support/seeded-random.ts'
import { type CounterEnd, type CounterOrder, payAtCounter } from './counter.ts'
import { type OnlineEnd, type OnlineOrder, payOnline } from './online.ts'
import type { ConnectedTown } from './town.ts'

export interface Evening {
  readonly counter: readonly { readonly order: CounterOrder; readonly end: CounterEnd }[]
  /** Each has an amount of its own, but for those that undo or take what was before. */
  readonly online: readonly { readonly order: OnlineOrder; readonly end: OnlineEnd }[]
}

const ANSWERS: readonly Fault[][] = [
  [],
  [],
  ['answer_lost'],
  ['half_answer'],
  ['answer_twice'],
  ['wrong_mac'],
  ['server_error'],
]
const HOST_FAULTS = [
  ...['answer_twice', 'answer_lost', 'half_answer', 'connection_closed', 'connection_dropped', 'in_progress_first'],
  ...['slow_answer:500', 'wrong_amount:7', 'garbled_answer', 'declined'],
]
/** Steps between two deaths, at most. */
const LONGEST_LIFE = 120

/** Lives through it. Resolves when every payment has ended. */
export async function spendEvening(town: ConnectedTown, deaths: number, seed: number): Promise<Evening> {
  const counter: { order: CounterOrder; end: CounterEnd }[] = []
  const online: { order: OnlineOrder; end: OnlineEnd }[] = []
  let isOpen = true
  let amounts = 10_000
  const nextAmount = () => {
    amounts += 1
    return amounts
  }

  async function cashier(terminal: Terminal, random: SeededRandom): Promise<void> {
    while (isOpen) {
      const order = aCounterOrder(random)
      counter.push({ order, end: await payAtCounter(town, terminal, order) })
    }
  }

  async function pay(order: OnlineOrder): Promise<OnlineEnd> {
    const end = await payOnline(town, order)
    online.push({ order, end })
    return end
  }

  async function undo(amount: number, by: { readonly payment: string }, choice: number): Promise<void> {
    if (choice === 0) await pay({ transactionType: 'REFUND', amount: 1 + Math.floor(amount / 3), by })
    if (choice === 1) await pay({ transactionType: 'VOID', amount, by })
  }

  /** Sells by telephone, and takes, returns or undoes it. */
  async function clerk(random: SeededRandom): Promise<void> {
    while (isOpen) {
      if (random.integer(3) === 0) {
        const scenario = HOST_FAULTS[random.integer(HOST_FAULTS.length)] ?? ''
        await town.host.plays({ next: [{ scenario }] })
      }
      const isHeld = random.integer(3) === 0
      const amount = nextAmount()
      const first = await pay({ transactionType: isHeld ? 'PREAUTH' : 'SALE', amount, by: 'telephone' })
      if (first.status !== 0) continue
      const by = { payment: first.reference }
      if (isHeld) await pay({ transactionType: 'COLLECTION', amount, by })
      else await undo(amount, by, random.integer(4))
    }
  }

  /** One at a time: the directory server sends the result of its last challenge. */
  async function payer(random: SeededRandom): Promise<void> {
    while (isOpen) {
      const by = (['frictionless', 'challenged', 'challenged', 'notAuthenticated'] as const)[random.integer(4)]
      await pay({ transactionType: 'SALE', amount: nextAmount(), by: by ?? 'challenged' })
    }
  }

  async function killer(random: SeededRandom): Promise<void> {
    const { gateway, steps } = town
    for (let death = 0; death < deaths; death += 1) {
      await gateway.up()
      await steps.stopAt(1 + random.integer(LONGEST_LIFE))
      await gateway.kill()
      steps.pass()
      gateway.start()
    }
    isOpen = false
  }

  const people = [
    ...town.terminals.map((terminal, index) => cashier(terminal, new SeededRandom(seed * 100 + index))),
    ...[clerk(new SeededRandom(seed * 100 + 50)), payer(new SeededRandom(seed * 100 + 60))],
    killer(new SeededRandom(seed)),
  ]
  await Promise.race([Promise.all(people), town.gateway.failure])
  return { counter, online }
}

function aCounterOrder(random: SeededRandom): CounterOrder {
  const answers = ANSWERS[random.integer(ANSWERS.length)] ?? []
  const script: Script = { payments: [], answers, questions: [], aborts: [] }
  const amount = 1 + random.integer(5_000)
  switch (random.integer(5)) {
    case 0:
      return { transactionType: 'REFUND', amount, script }
    case 1:
      return { transactionType: 'SALE', amount, script: { ...script, payments: ['wait'] }, isCancelled: true }
    case 2:
      return {
        transactionType: 'SALE',
        amount,
        script: { ...script, questions: ['connection_dropped', 'in_progress'] },
      }
    default:
      return { transactionType: 'SALE', amount, script }
  }
}

/** Payments at terminals: what the till was told is what the terminal took, once. */
export function checkCounter({ counter }: Evening): void {
  for (const { order, end } of counter) {
    equal(
      end.told,
      end.charges.reduce((sum, each) => sum + each, 0),
      JSON.stringify({ order, end }),
    )
    equal(end.charges.length <= 1, true, JSON.stringify({ order, end }))
  }
}

/** Net of what we told of online payments, in minor units. */
export function toldOnline({ online }: Evening): number {
  const sign: Readonly<Record<string, number>> = { SALE: 1, COLLECTION: 1, REFUND: -1, VOID: -1 }
  return online.reduce(
    (sum, { order, end }) => (end.status === 0 ? sum + (sign[order.transactionType] ?? 0) * order.amount : sum),
    0,
  )
}
