// test/contract/payment-keys.test.ts — runs the contract of payment keys for the store of the gateway.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { createSoftwareKeys, type SoftwareKeys } from '../../src/platform/payment-keys/software-keys.ts'
import { fixedRing } from '../../src/platform/vault/key-ring.ts'
import { openMemoryStore } from '../../src/store/sqlite/memory-store.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { TestClock } from '../support/test-clock.ts'
import { exercisePaymentKeys, TEST_KEYS } from './payment-keys.suite.ts'

const store = openMemoryStore()

function open(): SoftwareKeys {
  const ring = fixedRing([new Uint8Array(32).fill(7)])
  return createSoftwareKeys({ store, ring, random: new SeededRandom(1), clock: new TestClock() })
}

exercisePaymentKeys('in software', async () => {
  const keys = open()
  for (const { hex, ...key } of TEST_KEYS) await keys.put({ ...key, bytes: Buffer.from(hex, 'hex') })
  return { keys, close: async () => {} }
})

test('keys are sealed in the store, outlive the process, and are replaced and removed by name', async () => {
  const own = { name: 'own', use: 'mac', algorithm: 'tdes' } as const
  const first = await open().put({ ...own, bytes: Buffer.alloc(16, 0x11) })
  const second = await open().put({ ...own, bytes: Buffer.alloc(16, 0x22) })
  ok(first.checkValue !== second.checkValue)
  deepEqual(
    (await open().list()).filter(({ name }) => name === 'own'),
    [second],
  )
  const [record] = (await store.all('vault-payment-key', { limit: 100 })).filter(({ id }) => id === 'own')
  ok(record !== undefined && !/22222222|IiIi/.test(record.body))
  deepEqual([await open().remove('own'), await open().remove('own')], [true, false])
  equal((await open().list()).filter(({ name }) => name === 'own').length, 0)
})
