// test/unit/services/exchange-retention.test.ts — notes on what terminals were asked for are erased after 400 days.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { EXCHANGE_KINDS } from '../../../src/engine/ports/terminal.ts'
import { oldExchanges } from '../../../src/services/retention/exchange-retention.ts'
import { openMemoryStore } from '../../../src/store/sqlite/memory-store.ts'
import { TestClock } from '../../support/test-clock.ts'

const DAY_MS = 86_400_000

test('old notes are erased in batches, young ones stay', async () => {
  const store = openMemoryStore()
  const clock = new TestClock()
  const write = (kind: string, id: string) =>
    store.commit({
      ...{ account: 'demo', kind, id, expectedVersion: 0, version: 1, body: '{}', parent: '1', live: false },
      ...{ lockKey: null, at: clock.now(), events: [], effects: [], effectsDone: [], timers: null, idempotency: null },
    })
  for (let number = 0; number < 150; number += 1) await write('nexo-exchange', `old${number}`)
  await clock.advance(399 * DAY_MS)
  await write('nexo-exchange', 'young')
  await write('nexo-report', 'report')
  const [payments, reports] = oldExchanges({ store, clock })
  equal(oldExchanges({ store, clock }).length, EXCHANGE_KINDS.length + 2)
  deepEqual(await payments?.portion(0), { gone: 0, next: null })
  await clock.advance(DAY_MS)
  const first = await payments?.portion(0)
  equal(first?.gone, 100)
  deepEqual(await payments?.portion(first?.next ?? 0), { gone: 50, next: null })
  deepEqual(await reports?.portion(0), { gone: 0, next: null })
  const left = await store.all('nexo-exchange', { limit: 10 })
  deepEqual(
    left.map(({ id }) => id),
    ['young'],
  )
  await store.close()
})
