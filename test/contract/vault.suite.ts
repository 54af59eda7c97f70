// test/contract/vault.suite.ts — contract of the vault, on every store.
import { deepEqual, equal, notEqual, ok, rejects } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { type Card, CardNumber } from '../../src/domain/card-number.ts'
import type { Store } from '../../src/engine/ports/store.ts'
import type { Vault } from '../../src/engine/ports/vault.ts'
import { systemRandom } from '../../src/platform/random.ts'
import { fixedRing } from '../../src/platform/vault/key-ring.ts'
import { openVault } from '../../src/platform/vault/vault.ts'
import { TestClock } from '../support/test-clock.ts'

const NUMBER = '4456530000001096'
const CARD: Card = {
  number: new CardNumber(NUMBER, 'VISA'),
  expiry: { month: 12, year: 2030 },
  holder: 'John Watson',
}
const random = systemRandom()

/** Tests the vault on a store. `make` opens a new, empty one for each test. */
export function exerciseVault(name: string, make: () => Promise<Store>): void {
  const open = (store: Store, key = random.bytes(32)): Promise<Vault> =>
    openVault({ store, ring: fixedRing([key]), random, clock: new TestClock() })

  describe(`the vault on ${name}`, () => {
    test('cards and texts are read back, each under a reference of its own, and only by their account', async () => {
      const vault = await open(await make())
      const [one, other] = [await vault.storeCard('demo', CARD, 'p1'), await vault.storeCard('demo', CARD, 'p1')]
      notEqual(one, other)
      const opened = await vault.openCard('demo', one)
      deepEqual([opened?.number.reveal(), opened?.expiry, opened?.holder], [NUMBER, CARD.expiry, CARD.holder])
      const text = await vault.storeText('demo', 'webhook-secret', 'Łódź 🏧', 'hook')
      equal(await vault.openText('demo', 'webhook-secret', text), 'Łódź 🏧')
      equal(await vault.openText('demo', 'access-token', text), null)
      equal(await vault.openCard('other', one), null)
      equal(await vault.openText('other', 'webhook-secret', text), null)
    })

    test('a forgotten entry is gone, and forgetting it again does nothing', async () => {
      const vault = await open(await make())
      const reference = await vault.storeCard('demo', CARD, 'p1')
      await vault.forget('demo', reference)
      await vault.forget('demo', reference)
      equal(await vault.openCard('demo', reference), null)
    })

    test('entries are listed in order of creation, page by page, and erased unless they were opened since', async () => {
      const vault = await open(await make())
      const references: string[] = []
      for (const owner of ['p1', 'p2', 'p3']) references.push(await vault.storeCard('demo', CARD, owner))
      const first = await vault.entries('card', 0, 2)
      deepEqual(
        first.map(({ account, reference, owner }) => [account, reference, owner]),
        [
          ['demo', references[0], 'p1'],
          ['demo', references[1], 'p2'],
        ],
      )
      const rest = await vault.entries('card', first[1]!.position, 9)
      deepEqual(
        rest.map(({ owner }) => owner),
        ['p3'],
      )
      equal(await vault.forgetUnused(first[0]!), true)
      equal(await vault.forgetUnused(first[0]!), false)
      equal((await vault.entries('card', 0, 9)).length, 2)
    })

    test('a look-up value is equal for the same number in the same account, also after a restart', async () => {
      const store = await make()
      const key = random.bytes(32)
      const before = await (await open(store, key)).lookupOf('demo', CARD.number)
      const vault = await open(store, key)
      equal(await vault.lookupOf('demo', CARD.number), before)
      notEqual(await vault.lookupOf('other', CARD.number), before)
      await rejects(open(store), { code: 'vault_key_wrong' })
    })

    test('many are stored at once, and the store has nothing of them in clear', async () => {
      const store = await make()
      const vault = await open(store)
      const stored = await Promise.all(
        Array.from({ length: 50 }, (_, index) => vault.storeCard(`shop ${index % 3}`, CARD, `p${index}`)),
      )
      const cards = await Promise.all(stored.map((reference, index) => vault.openCard(`shop ${index % 3}`, reference)))
      ok(cards.every(card => card?.number.reveal() === NUMBER))
      const bodies = (await store.all('vault-card', { limit: 100 })).map(({ body }) => body).join()
      equal((await vault.entries('card', 0, 100)).length, 50)
      ok(!bodies.includes(NUMBER) && !bodies.includes('Watson'))
    })
  })
}
