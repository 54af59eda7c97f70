// src/simulator/acquirer/slow-reversals.ts — orders whose reversals the simulated acquirer does not answer for a while.
import type { SimulatedMemory } from '../memory/memory.ts'

interface SlowReversal {
  /** How long reversals of the order are not answered, from the first one on. Milliseconds. */
  readonly ms: number
  /** When the first reversal came, epoch milliseconds; null before. */
  readonly since: number | null
}

export interface SlowReversals {
  /** Notes that reversals of this order are not answered for `ms`. A repeated order changes nothing. */
  slowDown(account: string, orderId: string, ms: number): void
  /** Whether a reversal that comes at `at` (epoch milliseconds) is answered. The first one starts the time. */
  isAnswered(account: string, orderId: string, at: number): boolean
}

/** Keeps the slow reversals in this memory, so that they survive a restart. */
export function createSlowReversals(memory: SimulatedMemory): SlowReversals {
  function find(account: string, orderId: string): SlowReversal | null {
    const body = memory.read('reversal', keyOf(account, orderId))
    return body === null ? null : (JSON.parse(body) as SlowReversal)
  }
  function write(account: string, orderId: string, reversal: SlowReversal): void {
    const key = keyOf(account, orderId)
    memory.write([{ collection: 'reversal', key, parent: account, body: JSON.stringify(reversal) }])
  }
  return {
    slowDown(account, orderId, ms) {
      if (find(account, orderId) === null) write(account, orderId, { ms, since: null })
    },
    isAnswered(account, orderId, at) {
      const slow = find(account, orderId)
      if (slow === null) return true
      const { ms, since } = slow
      if (since === null) write(account, orderId, { ms, since: at })
      return at >= (since ?? at) + ms
    },
  }
}

function keyOf(account: string, orderId: string): string {
  return `${account}/${orderId}`
}
