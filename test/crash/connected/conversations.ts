// test/crash/connected/conversations.ts — each conversation with a terminal, the acquirer or the directory server, and what it must move.

import { movedBy } from '../../cli/simulated-host.ts'
import type { Script } from '../../support/nexo-script.ts'
import { type CounterOrder, payAtCounter } from './counter.ts'
import { type OnlineOrder, payOnline } from './online.ts'
import type { ConnectedTown } from './town.ts'

/** What we said, and what the other side has in its books, in minor units. */
export interface Balance {
  readonly told: number
  readonly theirs: number
  /** Payments of the other side that were made and not undone. */
  readonly charges: number
}

export interface Conversation {
  readonly name: string
  /** Without any death. */
  readonly moves: number
  /** What must be there before: the reference of an earlier payment. */
  prepare(town: ConnectedTown): Promise<string>
  /** Holds it, and compares the books as soon as they have come to rest. */
  hold(town: ConnectedTown, prepared: string): Promise<Balance>
}

/** A terminal that does as it should. */
const GOOD: Script = { payments: [], answers: [], questions: [], aborts: [] }
const AMOUNT = 1_234
const TAKEN = 5_000

function atTerminal(name: string, moves: number, order: Omit<CounterOrder, 'amount'>): Conversation {
  return {
    ...{ name, moves },
    prepare: async () => '',
    async hold(town) {
      const [terminal] = town.terminals
      if (terminal === undefined) throw new Error('no terminal')
      const script = { ...GOOD, ...order.script }
      const { told, charges } = await payAtCounter(town, terminal, { ...order, amount: AMOUNT, script })
      return { told, theirs: charges.reduce((sum, each) => sum + each, 0), charges: charges.length }
    },
  }
}

interface OnHost extends Omit<OnlineOrder, 'amount' | 'by'> {
  /** Money that a payment of this kind moves when it succeeds. */
  readonly moves: number
  readonly by: Exclude<OnlineOrder['by'], object> | 'sale' | 'hold'
  /** What the host does with its next messages. */
  readonly plays?: readonly { readonly scenario: string; readonly of?: string }[]
  /** It cannot succeed. */
  readonly fails?: boolean
}

const PATIENCE_MS = 120_000

/** The host's net, and the charges that it still has. */
export async function booksOf({ host }: ConnectedTown): Promise<{ readonly net: number; readonly charges: number }> {
  const entries = await host.entries()
  return {
    net: entries.reduce((sum, entry) => sum + movedBy(entry), 0),
    charges: entries.filter(entry => entry.kind !== 'reversal' && movedBy(entry) !== 0).length,
  }
}

function onHost(name: string, { moves, by, plays = [], fails = false, transactionType }: OnHost): Conversation {
  return {
    ...{ name, moves: fails ? 0 : moves },
    async prepare(town) {
      await town.host.plays({ next: [] })
      if (by !== 'sale' && by !== 'hold') return ''
      const type = by === 'sale' ? 'SALE' : 'PREAUTH'
      return (await payOnline(town, { transactionType: type, amount: TAKEN, by: 'telephone' })).reference
    },
    async hold(town, prepared) {
      const before = await booksOf(town)
      await town.host.plays({ next: plays })
      const source = by === 'sale' || by === 'hold' ? { payment: prepared } : by
      const amount = transactionType === 'VOID' ? TAKEN : AMOUNT
      const { status } = await payOnline(town, { transactionType, amount, by: source })
      const told = status === 0 ? moves : 0
      const theirs = async () => {
        const after = await booksOf(town)
        return { net: after.net - before.net, charges: Math.abs(after.charges - before.charges) }
      }
      // A reversal may still be on its way.
      const limit = performance.now() + PATIENCE_MS
      let found = await theirs()
      while (found.net !== told && performance.now() < limit) found = await theirs()
      return { told, theirs: found.net, charges: found.charges }
    },
  }
}

const ofTelephone = { transactionType: 'SALE', by: 'telephone', moves: AMOUNT } as const
const ofPayer = { transactionType: 'SALE', moves: AMOUNT } as const

export const CONVERSATIONS: readonly Conversation[] = [
  atTerminal('a sale at a terminal', AMOUNT, { transactionType: 'SALE' }),
  atTerminal('a refund at a terminal', -AMOUNT, { transactionType: 'REFUND' }),
  atTerminal('a sale that is cancelled at a terminal', 0, {
    ...{ transactionType: 'SALE', isCancelled: true, script: { payments: ['wait'] } },
  }),
  atTerminal('a sale that a terminal refuses', 0, {
    ...{ transactionType: 'SALE', script: { payments: [{ Result: 'Failure', ErrorCondition: 'Refusal' }] } },
  }),
  atTerminal('a sale whose answer a terminal loses', AMOUNT, {
    ...{ transactionType: 'SALE', script: { answers: ['answer_lost'] } },
  }),
  atTerminal('a sale that never reaches a terminal', 0, {
    ...{ transactionType: 'SALE', script: { answers: ['connection_dropped'] } },
  }),
  onHost('a sale at the host', ofTelephone),
  onHost('a sale whose answer the host loses', { ...ofTelephone, plays: [{ scenario: 'answer_lost' }], fails: true }),
  onHost('a sale whose reversal the host loses too', {
    ...ofTelephone,
    ...{ plays: [{ scenario: 'answer_lost' }, { scenario: 'answer_lost', of: 'reversal' }], fails: true },
  }),
  onHost('a refund at the host', { transactionType: 'REFUND', by: 'sale', moves: -AMOUNT }),
  onHost('a void at the host', { transactionType: 'VOID', by: 'sale', moves: -TAKEN }),
  onHost('a pre-authorisation at the host', { transactionType: 'PREAUTH', by: 'telephone', moves: 0 }),
  onHost('a collection at the host', { transactionType: 'COLLECTION', by: 'hold', moves: AMOUNT }),
  onHost('a collection whose answer the host loses', {
    ...{ transactionType: 'COLLECTION', by: 'hold', moves: AMOUNT, plays: [{ scenario: 'answer_lost' }] },
  }),
  onHost('a payment that is authenticated at once', { ...ofPayer, by: 'frictionless' }),
  onHost('a payment with a challenge', { ...ofPayer, by: 'challenged' }),
  onHost('a payment that is not authenticated', { ...ofPayer, by: 'notAuthenticated', fails: true }),
]
