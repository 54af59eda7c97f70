// src/acquirers/simulated/authentication-wishes.ts — what an account has asked its next authentications to be like.
import type { TransactionStatus } from '../../domain/three-d-secure.ts'
import type { SimulatedMemory } from '../../simulated-world/memory.ts'
import type { ChallengeFault } from './authentications.ts'

export interface Wish {
  /** What the issuer says at once; null: as the card's mode has it. */
  readonly status: TransactionStatus | null
  /** What is wrong with its page; null: nothing. */
  readonly fault: ChallengeFault | null
}

export interface Wishes {
  list(account: string): readonly Wish[]
  set(account: string, wishes: readonly Wish[]): void
  /** The next one, which is then used up; null: none. */
  take(account: string): Wish | null
}

export function createWishes(memory: SimulatedMemory): Wishes {
  const list: Wishes['list'] = account => {
    const body = memory.read('authentication-wish', account)
    return body === null ? [] : (JSON.parse(body) as readonly Wish[])
  }
  const set: Wishes['set'] = (account, wishes) =>
    memory.write([{ shelf: 'authentication-wish', key: account, parent: account, body: JSON.stringify(wishes) }])
  return {
    list,
    set,
    take(account) {
      const [next, ...rest] = list(account)
      if (next === undefined) return null
      set(account, rest)
      return next
    },
  }
}
