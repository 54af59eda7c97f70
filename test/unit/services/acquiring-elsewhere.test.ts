// test/unit/services/acquiring-elsewhere.test.ts — the node with a secret calls the acquirer for another node, over real links.
import { deepEqual, equal } from 'node:assert/strict'
import { onTestFinished, test } from 'vitest'
import type { NodeLink } from '../../../src/engine/ports/node-link.ts'
import type { StoredEffect } from '../../../src/engine/ports/store.ts'
import { type OpenNodeLink, openNodeLink } from '../../../src/platform/cluster/node-link.ts'
import { fixedRing } from '../../../src/platform/vault/key-ring.ts'
import {
  type AcquiringElsewhere,
  createAcquiringElsewhere,
  type SecretAnswer,
} from '../../../src/services/acquiring-elsewhere.ts'
import { silentLog } from '../../support/silent-log.ts'
import { TestClock } from '../../support/test-clock.ts'

const RING = fixedRing([Buffer.alloc(32, 1)])
const EFFECT: StoredEffect = {
  ...{ account: 'cafe', kind: 'online-payment', id: 'p1', effectId: 'p1.1', type: 'payment.authorise', body: '{}' },
}
const APPROVED: SecretAnswer = { answer: 'approved', authCode: 'AB12C3', reference: '1' }

interface Node {
  readonly link: OpenNodeLink
  readonly elsewhere: AcquiringElsewhere
  readonly performed: readonly StoredEffect[]
  readonly forgotten: readonly string[]
  /** What it does when it is asked to perform an order. */
  answer: () => Promise<SecretAnswer>
  /** Called when it has taken up a call. */
  called: () => void
}

async function openNode(clock: TestClock): Promise<Node> {
  const link = await openNodeLink({ ring: RING, clock, log: silentLog }, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => link.close())
  const performed: StoredEffect[] = []
  const forgotten: string[] = []
  const watched: NodeLink = {
    ...{ know: link.know, call: link.call },
    get others() {
      return link.others
    },
    handle: (name, handler) =>
      link.handle(name, (...called) => {
        const answered = handler(...called)
        node.called()
        return answered
      }),
  }
  const elsewhere = createAcquiringElsewhere({
    ...{ link: watched, clock, name: 'payment', forget: id => void forgotten.push(id) },
    perform(effect) {
      performed.push(effect)
      return node.answer()
    },
  })
  const node: Node = { link, elsewhere, performed, forgotten, answer: async () => 'gone', called() {} }
  return node
}

/** Three nodes that know each other, of which none has the secret. */
async function openNodes() {
  const clock = new TestClock()
  const nodes = [await openNode(clock), await openNode(clock), await openNode(clock)] as const
  const addresses = nodes.map(({ link }) => link.address)
  for (const { link } of nodes) link.know(addresses)
  const [one, two, three] = nodes
  return { clock, one, two, three }
}

test('one node has the secret, and its answer comes back', async () => {
  const { one, two, three } = await openNodes()
  three.answer = async () => APPROVED
  deepEqual(await one.elsewhere.request(EFFECT), APPROVED)
  deepEqual([one.performed, two.performed, three.performed], [[], [EFFECT], [EFFECT]])
})

test('a secret that no node has is gone at once', async () => {
  const { one } = await openNodes()
  equal(await one.elsewhere.request(EFFECT), 'gone')
  one.link.know([])
  equal(await one.elsewhere.request(EFFECT), 'gone')
})

test('an answer does not wait for a node that says nothing', async () => {
  const { one, two, three } = await openNodes()
  two.answer = () => new Promise(() => {})
  three.answer = async () => APPROVED
  deepEqual(await one.elsewhere.request(EFFECT), APPROVED)
})

test('an acquirer that takes too long is unknown, and a repeated request waits for the same answer', async () => {
  const { clock, one, two } = await openNodes()
  let end = (_: SecretAnswer): void => {}
  const answer = new Promise<SecretAnswer>(resolve => (end = resolve))
  two.answer = () => answer
  const nextCall = () => new Promise<void>(resolve => (two.called = resolve))
  const [begun, first] = [nextCall(), one.elsewhere.request(EFFECT)]
  await begun
  await clock.advance(30_000)
  deepEqual(await first, { answer: 'unknown' })
  const [repeated, again] = [nextCall(), one.elsewhere.request(EFFECT)]
  await repeated
  end(APPROVED)
  deepEqual(await again, APPROVED)
  equal(two.performed.length, 1)
})

test('a node that fails is asked again for ten seconds, and then the secret counts as gone', async () => {
  const { clock, one, two } = await openNodes()
  two.answer = () => Promise.reject(new Error('the vault cannot be read'))
  equal(await one.elsewhere.request(EFFECT), 'again')
  await clock.advance(9_999)
  equal(await one.elsewhere.request(EFFECT), 'again')
  await clock.advance(1)
  equal(await one.elsewhere.request(EFFECT), 'gone')
  // Another effect has its own time.
  equal(await one.elsewhere.request({ ...EFFECT, effectId: 'p1.2' }), 'again')
})

test('a node that failed and answers within the time is heard', async () => {
  const { clock, one, two } = await openNodes()
  two.answer = () => Promise.reject(new Error('the vault cannot be read'))
  equal(await one.elsewhere.request(EFFECT), 'again')
  two.answer = async () => APPROVED
  await clock.advance(5_000)
  deepEqual(await one.elsewhere.request(EFFECT), APPROVED)
})

test('the others forget a secret when there is a later one', async () => {
  const { one, two, three } = await openNodes()
  await one.elsewhere.forget('p1')
  deepEqual([one.forgotten, two.forgotten, three.forgotten], [[], ['p1'], ['p1']])
})
