// test/support/memory-vault.ts — a vault in memory, without encryption.
import { createHash } from 'node:crypto'
import type { Card } from '../../src/domain/card-number.ts'
import type { TextPurpose, Vault } from '../../src/engine/ports/vault.ts'

export function createMemoryVault(): Vault {
  const cards = new Map<string, Card>()
  const texts = new Map<string, string>()
  let last = 0
  const nameOf = (account: string, reference: string, purpose = '') => `${account}/${purpose}/${reference}`
  const reference = () => {
    last += 1
    return `v${last}`
  }
  return {
    async storeCard(account, card) {
      const made = reference()
      cards.set(nameOf(account, made), card)
      return made
    },
    openCard: async (account, made) => cards.get(nameOf(account, made)) ?? null,
    async storeText(account, purpose, text) {
      const made = reference()
      texts.set(nameOf(account, made, purpose), text)
      return made
    },
    openText: async (account, purpose, made) => texts.get(nameOf(account, made, purpose)) ?? null,
    async forget(account, made) {
      cards.delete(nameOf(account, made))
      for (const purpose of [
        'access-token',
        'webhook-secret',
        'driver-secret',
        'chip-data',
        'acquirer-card',
        'authentication-value',
        'one-time-codes',
      ] satisfies TextPurpose[])
        texts.delete(nameOf(account, made, purpose))
    },
    // Only the real vault sweeps unreferenced entries.
    entries: async () => [],
    forgetUnused: async () => false,
    tagOf: async (purpose, text) => createHash('sha256').update(`${purpose}/${text}`).digest('base64url'),
    lookupOf: async (account, number) => createHash('sha256').update(`${account}/${number.reveal()}`).digest('hex'),
  }
}
