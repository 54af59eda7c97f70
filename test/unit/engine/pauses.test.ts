// test/unit/engine/pauses.test.ts — an account is paused until each of its pauses has ended.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { createPauses } from '../../../src/engine/pauses.ts'
import { settleTurns } from '../../support/test-clock.ts'

test('work waits for the last pause of its account, and for no other account', async () => {
  const pauses = createPauses()
  equal(pauses.over('demo'), undefined)
  const [first, second] = [pauses.begin('demo'), pauses.begin('demo')]
  const order: string[] = []
  const over = pauses.over('demo')
  ok(over !== undefined)
  const waiting = over.then(() => order.push('over'))
  equal(pauses.over('other'), undefined)
  first()
  // Ending one twice does not end the other.
  first()
  await settleTurns()
  deepEqual(order, [])
  second()
  await waiting
  deepEqual(order, ['over'])
  equal(pauses.over('demo'), undefined)
})
