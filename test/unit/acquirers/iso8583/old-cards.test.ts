// test/unit/acquirers/iso8583/old-cards.test.ts — sealed cards of orders are forgotten when they can no longer be reversed.
import { deepEqual } from 'node:assert/strict'
import { test } from 'vitest'
import { createOldCards } from '../../../../src/acquirers/iso8583/orders/old-cards.ts'
import type { VaultEntry } from '../../../../src/engine/ports/vault.ts'
import { silentLog } from '../../../support/silent-log.ts'
import { TestClock } from '../../../support/test-clock.ts'

const DAY_MS = 86_400_000

test('cards older than the days of the dialect are forgotten, at the start and each day', async () => {
  const clock = new TestClock()
  const entry = (position: number, ageDays: number): VaultEntry => ({
    ...{ position, account: 'demo', reference: `card ${position}`, version: 1, owner: null, usedAt: null },
    keptAt: clock.now() - ageDays * DAY_MS,
  })
  const entries = [entry(1, 3), entry(2, 2.5), entry(3, 0)]
  const forgotten: string[] = []
  const vault = {
    entries: async (_: unknown, after: number) => entries.filter(({ position }) => position > after),
    forget: async (_: unknown, reference: string) => void forgotten.push(reference),
  }
  const oldCards = createOldCards({ vault, clock, log: silentLog }, 3)
  oldCards.start()
  await clock.advance(0)
  deepEqual(forgotten, ['card 1'])
  entries.shift()
  await clock.advance(DAY_MS)
  deepEqual(forgotten, ['card 1', 'card 2'])
  oldCards.close()
  await clock.advance(9 * DAY_MS)
  deepEqual(forgotten, ['card 1', 'card 2'])
})
