// src/simulator/three-d-secure/authentication-overrides.ts — what an account has asked its next authentications to be like.

import type { SimulatedMemory } from '../memory/memory.ts'
import type { AuthenticationWish } from './issuer-pages.ts'

export interface Wishes {
  list(account: string): readonly AuthenticationWish[]
  set(account: string, wishes: readonly AuthenticationWish[]): void
  /** The next one, which is then used up; null: none. */
  take(account: string): AuthenticationWish | null
}

export function createWishes(memory: SimulatedMemory): Wishes {
  const list: Wishes['list'] = account => {
    const body = memory.read('authentication-wish', account)
    return body === null ? [] : (JSON.parse(body) as readonly AuthenticationWish[])
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
