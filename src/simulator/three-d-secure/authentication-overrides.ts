// src/simulator/three-d-secure/authentication-overrides.ts — overrides of an account's next authentications.

import type { SimulatedMemory } from '../memory/memory.ts'
import type { AuthenticationOverride } from './issuer-pages.ts'

export interface AuthenticationOverrides {
  list(account: string): readonly AuthenticationOverride[]
  set(account: string, overrides: readonly AuthenticationOverride[]): void
  /** Takes the next override off the list; null without one. */
  take(account: string): AuthenticationOverride | null
}

export function createAuthenticationOverrides(memory: SimulatedMemory): AuthenticationOverrides {
  const list: AuthenticationOverrides['list'] = account => {
    const body = memory.read('authentication-wish', account)
    return body === null ? [] : (JSON.parse(body) as readonly AuthenticationOverride[])
  }
  const set: AuthenticationOverrides['set'] = (account, overrides) =>
    memory.write([
      { collection: 'authentication-wish', key: account, parent: account, body: JSON.stringify(overrides) },
    ])
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
