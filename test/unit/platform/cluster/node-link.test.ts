// test/unit/platform/cluster/node-link.test.ts — calls between nodes over real sockets: keys, limits, and nodes that fail.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { request } from 'node:https'
import { connect } from 'node:tls'
import { onTestFinished, test } from 'vitest'
import { hintOf, keysFor, LINK_TLS } from '../../../../src/platform/cluster/link-keys.ts'
import { openNodeLink } from '../../../../src/platform/cluster/node-link.ts'
import { fixedRing, type KeyRing } from '../../../../src/platform/vault/key-ring.ts'
import { keepingLog } from '../../../support/silent-log.ts'
import { openTcpProxy } from '../../../support/tcp-proxy.ts'
import { TestClock } from '../../../support/test-clock.ts'

const OLD = Buffer.alloc(32, 1)
const NEW = Buffer.alloc(32, 2)
const FOREIGN = Buffer.alloc(32, 3)
const LIMIT_MS = 1_000
const HERE = { host: '127.0.0.1', port: 0 }
const NOT_SENT = { outcome: 'not_sent' }
const LOST = { outcome: 'lost' }

/** A node with these keys, closed after the test. */
async function openNode(ring: KeyRing = fixedRing([OLD]), at = HERE) {
  const clock = new TestClock()
  const log = keepingLog()
  const link = await openNodeLink({ ring, clock, log }, at)
  onTestFinished(() => link.close())
  const echo = () => link.handle('echo', async body => ({ got: body }))
  return { link, clock, log, echo }
}

const portOf = (address: string) => Number(address.split(':').at(-1))

/** A call that is in progress until the test ends it. */
function openCall() {
  let entered = (): void => {}
  let end = (_: unknown): void => {}
  const begun = new Promise<void>(resolve => (entered = resolve))
  const answer = new Promise<unknown>(resolve => (end = resolve))
  return {
    begun,
    end: (body: unknown) => end(body),
    handler() {
      entered()
      return answer
    },
  }
}

test('a node performs the call of another and can call back', async () => {
  const [one, two] = [await openNode(), await openNode()]
  one.link.handle('late', async body => ({ late: body }))
  two.link.handle('ask', async (body, from) => [body, await two.link.call(from, 'late', 'news', LIMIT_MS)])
  deepEqual(await one.link.call(two.link.address, 'ask', { table: 'Bar' }, LIMIT_MS), {
    outcome: 'answered',
    body: [{ table: 'Bar' }, { outcome: 'answered', body: { late: 'news' } }],
  })
})

test('the others of a node are those of the last claim, without itself', async () => {
  const { link } = await openNode()
  deepEqual(link.others, [])
  link.know(['10.0.0.2:4021', link.address])
  deepEqual(link.others, ['10.0.0.2:4021'])
})

test('a node with another key is refused before it can say anything, and both sides log it', async () => {
  const [one, stranger] = [await openNode(), await openNode(fixedRing([FOREIGN]))]
  one.echo()
  stranger.echo()
  deepEqual(await stranger.link.call(one.link.address, 'echo', 'secret', LIMIT_MS), NOT_SENT)
  deepEqual(await one.link.call(stranger.link.address, 'echo', 'secret', LIMIT_MS), NOT_SENT)
  ok(one.log.lines.some(({ message }) => message === 'connection to the node port refused'))
  ok(one.log.lines.some(({ message }) => message === 'node cannot be reached from this one'))
})

test('a caller who knows the name of the key and not the key is refused', async () => {
  const { link, echo } = await openNode()
  echo()
  const [known] = keysFor(fixedRing([OLD]), '')
  const psk = Buffer.alloc(32, 9)
  const options = { ...LINK_TLS, host: '127.0.0.1', port: portOf(link.address), checkServerIdentity: () => undefined }
  const pretended = connect({ ...options, pskCallback: () => ({ identity: known!.identity, psk }) })
  await rejects(new Promise((resolve, reject) => pretended.on('secureConnect', resolve).on('error', reject)))
  const withoutKey = connect({ host: '127.0.0.1', port: portOf(link.address), rejectUnauthorized: false })
  await rejects(new Promise((resolve, reject) => withoutKey.on('secureConnect', resolve).on('error', reject)))
})

test('nodes reach each other through a rotation of the vault key, whichever has which keys', async () => {
  const rings = [[OLD], [OLD, NEW], [NEW, OLD], [NEW]].map(fixedRing)
  const nodes = []
  for (const ring of rings) nodes.push(await openNode(ring))
  for (const { echo } of nodes) echo()
  const reached: string[] = []
  for (const [from, { link }] of nodes.entries())
    for (const [to, other] of nodes.entries()) {
      const { outcome } = await link.call(other.link.address, 'echo', 1, LIMIT_MS)
      reached.push(`${from}${to} ${outcome}`)
    }
  // Only the first and the last have no key in common.
  deepEqual(
    reached.filter(each => !each.endsWith('answered')),
    ['03 not_sent', '30 not_sent'],
  )
})

test('a node whose keys have changed since it has opened its port is reached with the new one', async () => {
  let ring = fixedRing([OLD])
  const changing: KeyRing = {
    get current() {
      return ring.current
    },
    get versions() {
      return ring.versions
    },
    of: version => ring.of(version),
  }
  const [server, client] = [await openNode(changing), await openNode(fixedRing([NEW, OLD]))]
  server.echo()
  ring = fixedRing([NEW])
  // The hint names the old key still, which the client tries first.
  equal(hintOf(fixedRing([OLD])), keysFor(fixedRing([NEW, OLD]), hintOf(fixedRing([OLD])))[0]?.identity)
  equal((await client.link.call(server.link.address, 'echo', 1, LIMIT_MS)).outcome, 'answered')
})

test('nothing of a call can be read on the network', async () => {
  const { link, echo } = await openNode()
  echo()
  const proxy = await openTcpProxy(portOf(link.address))
  onTestFinished(() => proxy.close())
  const seen: Buffer[] = []
  proxy.onClient = bytes => seen.push(bytes) > 0
  proxy.onServer = bytes => seen.push(bytes) > 0
  const caller = await openNode()
  const answer = await caller.link.call(`127.0.0.1:${proxy.port}`, 'echo', 'table seventeen', LIMIT_MS)
  deepEqual(answer, { outcome: 'answered', body: { got: 'table seventeen' } })
  const text = Buffer.concat(seen).toString('latin1')
  ok(text.length > 200)
  ok(!/seventeen|echo|POST/.test(text))
})

test('a body that is too large is neither sent nor taken', async () => {
  const [one, two] = [await openNode(), await openNode()]
  two.echo()
  two.link.handle('verbose', async () => 'x'.repeat(2_000_000))
  const large = 'x'.repeat(1_048_576)
  deepEqual(await one.link.call(two.link.address, 'echo', large, LIMIT_MS), NOT_SENT)
  deepEqual(await one.link.call(two.link.address, 'verbose', 1, LIMIT_MS), LOST)
  equal(await rawStatus(two.link.address, JSON.stringify(large)), 413)
  equal(await rawStatus(two.link.address, '"small"'), 200)
  equal(await rawStatus(two.link.address, 'not JSON'), 413)
})

/** The status of a call by another program that has the key. */
function rawStatus(address: string, body: string): Promise<number> {
  const [key] = keysFor(fixedRing([OLD]), '')
  const options = {
    ...{ ...LINK_TLS, host: '127.0.0.1', port: portOf(address), method: 'POST', path: '/echo', agent: false as const },
    ...{ checkServerIdentity: () => undefined, pskCallback: () => key ?? null },
    headers: { 'transfer-encoding': 'chunked' },
  }
  return new Promise((resolve, reject) => {
    const sent = request(options, response => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

test('a call that takes too long is lost, and its late answer is dropped', async () => {
  const [one, two] = [await openNode(), await openNode()]
  two.echo()
  const slow = openCall()
  two.link.handle('slow', slow.handler)
  const called = one.link.call(two.link.address, 'slow', 1, LIMIT_MS)
  await slow.begun
  await one.clock.advance(LIMIT_MS)
  deepEqual(await called, LOST)
  slow.end('too late')
  deepEqual(await one.link.call(two.link.address, 'echo', 2, LIMIT_MS), { outcome: 'answered', body: { got: 2 } })
  deepEqual(
    one.log.lines.map(({ message }) => message),
    [],
    'a node that is slow can be reached',
  )
})

test('a node that accepts connections and says nothing is given up within the limit', async () => {
  const two = await openNode()
  const proxy = await openTcpProxy(portOf(two.link.address))
  onTestFinished(() => proxy.close())
  const asked = new Promise<void>(resolve => {
    proxy.onClient = () => {
      resolve()
      return false
    }
  })
  const one = await openNode()
  const called = one.link.call(`127.0.0.1:${proxy.port}`, 'echo', 1, LIMIT_MS)
  await asked
  await one.clock.advance(LIMIT_MS)
  deepEqual(await called, NOT_SENT)
})

test('a call to a node that is gone is not sent, which is logged once until it is back', async () => {
  const [one, two] = [await openNode(), await openNode()]
  const { address } = two.link
  await two.link.close()
  for (let time = 0; time < 2; time += 1) deepEqual(await one.link.call(address, 'echo', 1, LIMIT_MS), NOT_SENT)
  const again = await openNode(undefined, { host: '127.0.0.1', port: portOf(address) })
  again.echo()
  equal((await one.link.call(address, 'echo', 1, LIMIT_MS)).outcome, 'answered')
  deepEqual(
    one.log.lines.map(({ message }) => message),
    ['node cannot be reached from this one', 'node can be reached again'],
  )
})

test('a call is lost when its node ends in the middle', async () => {
  const [one, two] = [await openNode(), await openNode()]
  const slow = openCall()
  two.link.handle('slow', slow.handler)
  const called = one.link.call(two.link.address, 'slow', 1, LIMIT_MS)
  await slow.begun
  await two.link.close()
  deepEqual(await called, LOST)
})

test('a node that has closed its link sends nothing', async () => {
  const [one, two] = [await openNode(), await openNode()]
  two.echo()
  await one.link.close()
  deepEqual(await one.link.call(two.link.address, 'echo', 1, LIMIT_MS), NOT_SENT)
})

test('an unknown call is not sent, and one that fails at the other node is lost', async () => {
  const [one, two] = [await openNode(), await openNode()]
  two.link.handle('fails', async () => {
    throw new Error('out of order')
  })
  deepEqual(await one.link.call(two.link.address, 'newer', 1, LIMIT_MS), NOT_SENT)
  deepEqual(await one.link.call(two.link.address, 'fails', 1, LIMIT_MS), LOST)
  deepEqual(
    two.log.lines.map(({ fields, message }) => [fields['call'], message]),
    [['fails', 'call of another node failed']],
  )
})

test('calls to a node that is stuck are limited', async () => {
  const [one, two] = [await openNode(), await openNode()]
  const stuck = openCall()
  two.link.handle('stuck', stuck.handler)
  const calls = Array.from({ length: 256 }, () => one.link.call(two.link.address, 'stuck', 1, LIMIT_MS))
  deepEqual(await one.link.call(two.link.address, 'stuck', 1, LIMIT_MS), NOT_SENT)
  stuck.end('done')
  const outcomes = await Promise.all(calls)
  ok(outcomes.every(({ outcome }) => outcome === 'answered'))
  two.echo()
  equal((await one.link.call(two.link.address, 'echo', 1, LIMIT_MS)).outcome, 'answered')
})

test('a name has one handler', async () => {
  const { link, echo } = await openNode()
  echo()
  await rejects(async () => link.handle('echo', async () => null), /echo has a handler/)
})
