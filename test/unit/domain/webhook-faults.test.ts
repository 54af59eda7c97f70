// test/unit/domain/webhook-faults.test.ts — webhook faults that a sandbox injects.
import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { test } from 'vitest'
import { TestClock } from '../../support/test-clock.ts'
import { openOutbox, REFUSED, TAKEN } from '../../support/webhook-outbox.ts'
import { UNSIGNED, verify } from '../../support/webhook-signature.ts'

test('faults: a message comes twice, late, out of order, or first with a bad signature', async () => {
  const { announce, clock, faults, sent, webhooks } = await openOutbox({
    answer: ({ body }, number) => (body.includes('bad') && number === 1 ? REFUSED : TAKEN),
  })
  ok(faults.arm('demo', 'badly_signed', 1))
  await announce('p1', { orderId: 'bad' })
  await clock.advance(10_000)
  const { current } = await webhooks.secrets.of('demo')
  throws(() => verify(current, sent[0]!.message), UNSIGNED)
  verify(current, sent[1]!.message)

  faults.arm('demo', 'twice', 1)
  await announce('p2', { orderId: 'twice' })
  await clock.advance(0)
  deepEqual([sent.length, sent[2]!.message.headers['webhook-id']], [4, sent[3]!.message.headers['webhook-id']])

  faults.arm('demo', 'late', 1)
  await announce('p3', { orderId: 'late' })
  await clock.advance(59_999)
  equal(sent.length, 4)
  await clock.advance(1)
  equal(sent.length, 5)

  faults.arm('demo', 'shuffled', 1)
  await announce('p4', { orderId: 'shuffled' })
  await announce('p4', { orderId: 'overtakes' })
  await clock.advance(30_000)
  deepEqual(
    sent.slice(5).map(({ message }) => JSON.parse(message.body).orderId),
    ['overtakes', 'shuffled'],
  )
  equal(faults.arm('demo', 'late', 101), false)
  faults.arm('demo', 'late', 2)
  deepEqual(faults.armed('demo'), ['late', 'late'])
  faults.disarm('demo')
  deepEqual(faults.armed('demo'), [])
})

test('a held message keeps its fault after a restart', async () => {
  const clock = new TestClock()
  const first = await openOutbox({ clock })
  first.faults.arm('demo', 'shuffled', 1)
  await first.announce('p1', { orderId: 'shuffled' })
  await clock.advance(0)
  await first.stop()
  const second = await openOutbox({ clock, store: first.store, vault: first.vault })
  await second.announce('p1', { orderId: 'overtakes' })
  await clock.advance(30_000)
  deepEqual(
    second.sent.map(({ message }) => JSON.parse(message.body).orderId),
    ['overtakes', 'shuffled'],
  )
})

test('in live mode a held message is sent at its time, before later ones', async () => {
  const clock = new TestClock()
  const sandbox = await openOutbox({ clock })
  sandbox.faults.arm('demo', 'shuffled', 1)
  await sandbox.announce('p1', { orderId: 'shuffled' })
  await clock.advance(0)
  await sandbox.stop()
  const live = await openOutbox({ clock, store: sandbox.store, vault: sandbox.vault, live: true })
  await live.announce('p1', { orderId: 'next' })
  await clock.advance(29_999)
  equal(live.sent.length, 0)
  await clock.advance(1)
  deepEqual(
    live.sent.map(({ message }) => JSON.parse(message.body).orderId),
    ['shuffled', 'next'],
  )
  const drills = (await live.deliveries()).map((delivery: { readonly drill: unknown }) => delivery.drill)
  deepEqual(drills, ['shuffled', null])
})
