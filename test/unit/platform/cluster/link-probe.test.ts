// test/unit/platform/cluster/link-probe.test.ts — whether a node is reached, and which of the reasons is told when it is not.
import { deepEqual, equal, match } from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { onTestFinished, test } from 'vitest'
import { type Probe, probeNode } from '../../../../src/platform/cluster/link-probe.ts'
import { openNodeLink } from '../../../../src/platform/cluster/node-link.ts'
import { fixedRing } from '../../../../src/platform/vault/key-ring.ts'
import { keepingLog } from '../../../support/silent-log.ts'
import { TestClock } from '../../../support/test-clock.ts'

const [OLD, NEW, FOREIGN] = [1, 2, 3].map(value => Buffer.alloc(32, value)) as [Buffer, Buffer, Buffer]

async function openNode(keys: readonly Buffer[], host = '127.0.0.1'): Promise<string> {
  const parts = { ring: fixedRing(keys), clock: new TestClock(), log: keepingLog() }
  const link = await openNodeLink(parts, { host, port: 0 })
  onTestFinished(() => link.close())
  return link.address
}

const probe = (address: string, keys: readonly Buffer[], clock = new TestClock()): Promise<Probe> =>
  probeNode(address, { ring: fixedRing(keys), clock, limitMs: 3_000 })

test('a node with a key in common is reached, by any of them and by IPv6', async () => {
  deepEqual(await probe(await openNode([OLD]), [OLD]), { outcome: 'reached' })
  // While the key is rotated.
  deepEqual(await probe(await openNode([OLD]), [NEW, OLD]), { outcome: 'reached' })
  deepEqual(await probe(await openNode([NEW, OLD]), [OLD]), { outcome: 'reached' })
  deepEqual(await probe(await openNode([OLD], '::1'), [OLD]), { outcome: 'reached' })
})

test('a node with other keys only is told from one that is not there', async () => {
  const foreign = await probe(await openNode([FOREIGN]), [NEW, OLD])
  equal(foreign.outcome, 'no_key')
  const nobody = await probe('127.0.0.1:1', [OLD])
  equal(nobody.outcome, 'no_connection')
  match('reason' in nobody ? nobody.reason : '', /ECONNREFUSED/)
})

test('what takes a connection and does not answer is given up in time, and what hangs up at once', async () => {
  const clock = new TestClock()
  const accepted: (() => void)[] = []
  const server = createServer(socket => {
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    socket.once('data', () => accepted.shift()?.())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const begun = new Promise<void>(resolve => accepted.push(resolve))
  const silent = probe(address, [OLD], clock)
  await begun
  await clock.advance(3_000)
  deepEqual(await silent, { outcome: 'no_answer', reason: 'no answer in time' })
  equal(clock.alarms, 0)

  const rude = createServer(socket => void socket.destroy()).listen(0, '127.0.0.1')
  onTestFinished(() => void rude.close())
  await once(rude, 'listening')
  equal((await probe(`127.0.0.1:${(rude.address() as AddressInfo).port}`, [OLD], clock)).outcome, 'no_key')
})
