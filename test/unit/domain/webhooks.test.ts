// test/unit/domain/webhooks.test.ts — webhooks from the commit that requests one to the merchant's server.
import { deepEqual, equal, notEqual, ok, throws } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { webhookUrlProblem } from '../../../src/domain/webhooks/webhook.ts'
import {
  apply,
  type DeliveryCommand,
  type DeliveryOrder,
  decide,
  RETRIED_FOR_MS,
  type WebhookDelivery,
} from '../../../src/domain/webhooks/webhook-delivery.ts'
import type { Store } from '../../../src/engine/ports/store.ts'
import type { WebhookSendOutcome } from '../../../src/engine/ports/webhook-sender.ts'
import { SeededRandom } from '../../support/seeded-random.ts'
import { TestClock } from '../../support/test-clock.ts'
import { type Message, openOutbox, REFUSED, TAKEN } from '../../support/webhook-outbox.ts'
import { UNSIGNED, verify } from '../../support/webhook-signature.ts'

test('a message has the published body and a signature that the receiver can verify', async () => {
  const { announce, clock, sent, webhooks } = await openOutbox()
  await announce('p1', { merchantTransactionId: '9c2f' })
  await clock.advance(0)
  await announce('p2')
  await clock.advance(0)
  equal(sent.length, 2)
  const [first, second] = sent.map(({ message }) => message)
  equal(first?.body, '{"id":"token-p1","orderId":"A-1001","merchantTransactionId":"9c2f"}')
  equal(second?.body, '{"id":"token-p2","orderId":"A-1001"}')
  deepEqual([first?.url, first?.limitMs], ['https://shop.example/hook', 10_000])
  equal(first?.headers['content-type'], 'application/json')
  const { current } = await webhooks.secrets.of('demo')
  deepEqual(verify(current, first!), JSON.parse(first!.body))
  throws(() => verify(current, { ...first!, body: first!.body.replace('p1', 'p3') }), UNSIGNED)
  throws(() => verify('whsec_MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAw', first!), UNSIGNED)
  notEqual(first?.headers['webhook-id'], second?.headers['webhook-id'])
})

for (const [status, taken] of [
  [200, true],
  [201, true],
  [202, false],
  [204, false],
  [301, false],
  [307, false],
  [400, false],
  [404, false],
  [410, false],
  [500, false],
] as const)
  test(`an answer of ${status} ${taken ? 'ends' : 'does not end'} the delivery`, async () => {
    const { announce, clock, sent } = await openOutbox({ answer: () => ({ outcome: 'answered', status }) })
    await announce('p1')
    await clock.advance(10_000)
    equal(sent.length, taken ? 1 : 2)
  })

test('tries follow after 10, 20, 40 … 600 seconds for two hours, with one id and a new timestamp each', async () => {
  const { announce, clock, sent, deliveries } = await openOutbox({ answer: () => REFUSED })
  await announce('p1')
  await clock.advance(4 * 3_600_000)
  const start = sent[0]!.at
  const waits = [10, 20, 40, 80, 160, 320, 600, 600, 600, 600, 600, 600, 600, 600, 600, 600]
  let at = 0
  const expected = [0, ...waits.map(wait => (at += wait))]
  deepEqual(
    sent.map(each => (each.at - start) / 1_000),
    expected,
  )
  ok(at <= 7_200 && at + 600 > 7_200)
  equal(new Set(sent.map(({ message }) => message.headers['webhook-id'])).size, 1)
  equal(new Set(sent.map(({ message }) => message.headers['webhook-timestamp'])).size, sent.length)
  equal(new Set(sent.map(({ message }) => message.body)).size, 1)
  const [delivery] = await deliveries()
  deepEqual([delivery.progress, delivery.attempts.length, delivery.attempts[0].status], ['given_up', 17, 500])
})

const ORDER: DeliveryOrder = {
  ...{ deliveryId: 'msg_1', merchantAccount: 'demo', url: 'https://shop.example/', subject: 'p1', orderId: 'A-1001' },
  ...{ merchantTransactionId: null, tokenReference: 'token_1' },
}

/** Decides and folds. */
function after(delivery: WebhookDelivery | null, command: DeliveryCommand, at: number): WebhookDelivery {
  const decision = decide(delivery, command, null)
  ok('events' in decision)
  const folded = decision.events.reduce<WebhookDelivery | null>(
    (sofar, event) => apply(sofar, { event, at, report: 0 }),
    delivery,
  )
  ok(folded !== null)
  return folded
}

test('no try is later than two hours after the first, however slow the failures', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 20, maxLength: 20 }), tookMs => {
      let at = 0
      let delivery = after(null, { type: 'announce', ...ORDER }, at)
      for (const took of tookMs) {
        const attempt = { number: delivery.tries, startedAt: at, tookMs: took, status: 500, reason: '' }
        at += took
        delivery = after(delivery, { type: 'tried', attempt, at }, at)
        const { nextTryAt } = delivery
        if (nextTryAt === null) break
        ok(nextTryAt <= RETRIED_FOR_MS)
        ok(nextTryAt - at >= 10_000 && nextTryAt - at <= 600_000)
        at = nextTryAt
        delivery = after(delivery, { type: 'time_is_up', timer: 'waiting', at }, at)
      }
      equal(delivery.progress, 'given_up')
      // It was given up only because the next try would have been too late.
      ok(at + 600_000 > RETRIED_FOR_MS && delivery.tries >= 16)
    }),
  )
})

test('messages about one payment are delivered in order and do not delay those about another', async () => {
  let up = false
  const { announce, clock, sent, deliveries } = await openOutbox({
    answer: ({ body }) => (up || body.includes('other') ? TAKEN : REFUSED),
  })
  await announce('p1', { orderId: 'first' })
  await announce('p1', { orderId: 'second' })
  await announce('p1', { orderId: 'third' })
  await announce('other')
  await clock.advance(60_000)
  const orders = () => sent.map(({ message }) => JSON.parse(message.body).orderId as string)
  ok(!orders().includes('second') && orders().includes('A-1001'))
  deepEqual((await deliveries()).map(({ progress }: WebhookDelivery) => progress).sort(), [
    'delivered',
    'queued',
    'queued',
    'waiting',
  ])
  up = true
  await clock.advance(80_000)
  deepEqual(orders().slice(-3), ['first', 'second', 'third'])
})

test('the next message is sent after one was given up', async () => {
  const { announce, clock, sent } = await openOutbox({
    answer: ({ body }) => (body.includes('first') ? REFUSED : TAKEN),
  })
  await announce('p1', { orderId: 'first' })
  await announce('p1', { orderId: 'second' })
  await clock.advance(2 * 3_600_000 + 1)
  equal(JSON.parse(sent.at(-1)!.message.body).orderId, 'second')
  equal(sent.filter(({ message }) => message.body.includes('second')).length, 1)
})

test('with random failures no message about a payment is sent while an earlier one is open', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 5, maxLength: 40 }), async outcomes => {
      const { announce, clock, sent, stop } = await openOutbox({
        answer: (_, number) => (outcomes[number - 1] === false ? REFUSED : TAKEN),
      })
      for (const order of ['1', '2', '3', '4']) await announce('p1', { orderId: order })
      await clock.advance(3 * 3_600_000)
      const seen = sent.map(({ message }) => Number(JSON.parse(message.body).orderId))
      deepEqual(seen, [...seen].sort())
      deepEqual([...new Set(seen)], [1, 2, 3, 4])
      await stop()
    }),
    { numRuns: 25 },
  )
})

test('a gateway killed between an answer and its commit sends the message once more only', async () => {
  const clock = new TestClock()
  const random = new SeededRandom(3)
  let alive = true
  const dying = (store: Store): Store => ({
    ...store,
    commit: async commit => {
      if (commit.effectsDone.length > 0) alive = false
      if (!alive) throw new Error('killed')
      return store.commit(commit)
    },
    effectsDone: async (account, ids) => {
      if (!alive) throw new Error('killed')
      return store.effectsDone(account, ids)
    },
  })
  const first = await openOutbox({ clock, random, dying })
  await first.announce('p1')
  await clock.advance(0)
  await first.stop()
  equal(first.sent.length, 1)
  const { store, vault } = first
  const second = await openOutbox({ clock, random, store, vault })
  await clock.advance(1_000)
  equal(second.sent.length, 1)
  equal(second.sent[0]?.message.headers['webhook-id'], first.sent[0]?.message.headers['webhook-id'])
  await second.stop()
  const third = await openOutbox({ clock, random, store, vault })
  await clock.advance(3_600_000)
  equal(third.sent.length, 0)
  deepEqual(
    (await third.deliveries()).map(({ progress }: WebhookDelivery) => progress),
    ['delivered'],
  )
})

test('a message whose try was interrupted by hours of downtime is sent again', async () => {
  const clock = new TestClock()
  const random = new SeededRandom(3)
  let alive = true
  const answer = (_: Message, number: number) => {
    alive = number < 2
    return REFUSED
  }
  const first = await openOutbox({ clock, random, answer, dying: killedOnce(() => !alive) })
  await first.announce('p1')
  await clock.advance(10_000)
  await first.stop()
  equal(first.sent.length, 2)
  await clock.advance(5 * 3_600_000)
  // The interrupted try does not count as a failure, so it is made again although two hours have passed.
  const second = await openOutbox({ clock, random, store: first.store, vault: first.vault })
  await clock.advance(600_000)
  const [delivery] = await second.deliveries()
  deepEqual([delivery.progress, second.sent.length], ['delivered', 1])
})

/** A store that throws on every write once its process is dead. */
function killedOnce(isDead: () => boolean): (store: Store) => Store {
  const orDie = (): void => {
    if (isDead()) throw new Error('killed')
  }
  return store => ({
    ...store,
    commit: async commit => {
      orDie()
      return store.commit(commit)
    },
    effectsDone: async (account, ids) => {
      orDie()
      return store.effectsDone(account, ids)
    },
  })
}

/** A store whose process is killed at the given commit, before or after it is written. */
function killedAt(commits: number, written: boolean): (store: Store) => Store {
  let left = commits
  return store => ({
    ...store,
    commit: async commit => {
      left -= 1
      if (left === 0 && written) await store.commit(commit)
      if (left <= 0) throw new Error('killed')
      return store.commit(commit)
    },
    effectsDone: async (account, ids) => {
      if (left <= 0) throw new Error('killed')
      return store.effectsDone(account, ids)
    },
  })
}

test('every requested message arrives, in order, when the gateway is killed at random commits', async () => {
  const death = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.boolean())
  await fc.assert(
    fc.asyncProperty(
      fc.array(death, { minLength: 1, maxLength: 6 }),
      // Answers in each life. More refusals in the last life would let a message be given up after two hours.
      fc.array(fc.boolean(), { maxLength: 4 }),
      async (deaths, answers) => {
        const clock = new TestClock()
        const random = new SeededRandom(3)
        const arrived: number[] = []
        const answer = ({ body }: Message, number: number): WebhookSendOutcome => {
          arrived.push(Number(JSON.parse(body).orderId))
          return answers[number - 1] === false ? REFUSED : TAKEN
        }
        let before = await openOutbox({ clock, random, answer, dying: killedAt(...(deaths[0] ?? [1, true])) })
        for (const orderId of ['1', '2', '3']) await before.announce('p1', { orderId }).catch(() => {})
        await clock.advance(30_000)
        await before.stop()
        for (const dying of deaths.slice(1).map(each => killedAt(...each))) {
          before = await openOutbox({ ...before, clock, random, answer, dying })
          // In total less than the two hours after which a message is given up.
          await clock.advance(600_000)
          await before.stop()
        }
        before = await openOutbox({ ...before, clock, random, answer, dying: store => store })
        await clock.advance(4 * 3_600_000)
        await before.stop()
        const asked = await before.store.load({ account: 'demo', kind: 'thing', id: 'p1' })
        const wanted = Array.from({ length: asked?.version ?? 0 }, (_, index) => index + 1)
        deepEqual([...new Set(arrived)], wanted)
        deepEqual(arrived, [...arrived].sort())
        ok((await before.deliveries()).every(({ progress }: WebhookDelivery) => progress === 'delivered'))
        equal((await before.store.undoneEffects(9)).length, 0)
      },
    ),
    { numRuns: 30 },
  )
})

test('a try that was due while no gateway ran is made at the next start', async () => {
  const clock = new TestClock()
  const first = await openOutbox({ clock, answer: () => REFUSED })
  await first.announce('p1')
  await clock.advance(0)
  await first.stop()
  await clock.advance(3_600_000)
  const second = await openOutbox({ clock, store: first.store, vault: first.vault })
  await clock.advance(0)
  equal(second.sent.length, 1)
})

test('a message is sent again on request, with its old id and a new schedule', async () => {
  let up = false
  const { announce, clock, sent, deliveries, webhooks } = await openOutbox({ answer: () => (up ? TAKEN : REFUSED) })
  await announce('p1')
  await clock.advance(3 * 3_600_000)
  const [{ deliveryId }] = await deliveries()
  const before = sent.length
  await webhooks.resend('demo', deliveryId)
  await clock.advance(5_000)
  equal(sent.length, before + 1)
  deepEqual(await webhooks.resend('demo', 'msg_none'), { refused: { code: 'delivery_unknown' } })
  up = true
  await clock.advance(5_000)
  equal(sent.length, before + 2)
  await webhooks.resend('demo', deliveryId)
  await clock.advance(0)
  equal(sent.length, before + 3)
  equal(new Set(sent.map(({ message }) => message.headers['webhook-id'])).size, 1)
})

test('the access token is in the vault only, neither in the record nor in its events', async () => {
  const { announce, clock, store, deliveries } = await openOutbox()
  await announce('p1')
  await clock.advance(0)
  const [{ deliveryId }] = await deliveries()
  const key = { account: 'demo', kind: 'webhook-delivery', id: deliveryId }
  ok(!JSON.stringify([await deliveries(), await store.eventsOf(key)]).includes('token-p1'))
})

for (const [url, fine] of [
  ['https://shop.example/hook', true],
  ['http://127.0.0.1:4030/', true],
  ['ftp://shop.example/', false],
  ['shop.example/hook', false],
  ['https://user:word@shop.example/', false],
  ['javascript:alert(1)', false],
  [`https://shop.example/${'a'.repeat(2_048)}`, false],
] as const)
  test(`${url.slice(0, 40)} is ${fine ? 'an' : 'no'} address for webhooks`, () => {
    equal(webhookUrlProblem(url) === null, fine)
  })
