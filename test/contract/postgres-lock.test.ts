// test/contract/postgres-lock.test.ts — the lock that allows one gateway per database: taken, cut off, taken back, lost.
import { deepEqual, equal, rejects } from 'node:assert/strict'
import { expect, onTestFinished, test } from 'vitest'
import { Fault } from '../../src/engine/fault.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { type GatewayLock, takeGatewayLock } from '../../src/store/postgres/gateway-lock.ts'
import { addressOf, createDatabase } from '../support/postgres-server.ts'
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'

interface Taken {
  readonly lock: GatewayLock
  readonly lost: readonly string[]
}

async function take(url: string, as: 'alone' | 'shared' = 'alone'): Promise<Taken> {
  const lost: string[] = []
  const lock = await takeGatewayLock({
    as,
    address: addressOf(url),
    clock: systemClock(),
    onLost: ({ code }) => void lost.push(code),
  })
  onTestFinished(() => lock.release())
  return { lock, lost }
}

async function throughProxy(url: string): Promise<{ readonly url: string; readonly proxy: TcpProxy }> {
  const through = new URL(url)
  const proxy = await openTcpProxy(Number(through.port))
  onTestFinished(() => proxy.close())
  through.port = String(proxy.port)
  return { url: through.href, proxy }
}

const isLocked = (error: unknown) => error instanceof Fault && error.code === 'store_locked'

test('one gateway has it, until it gives it back', async () => {
  const url = await createDatabase()
  const { lock } = await take(url)
  equal(lock.held, true)
  await rejects(take(url), isLocked)
  await lock.release()
  equal((await take(url)).lock.held, true)
})

test('nodes have it together, and keep away who wants it alone', async () => {
  const url = await createDatabase()
  const nodes = [await take(url, 'shared'), await take(url, 'shared')]
  deepEqual(
    nodes.map(({ lock }) => lock.held),
    [true, true],
  )
  await rejects(take(url), isLocked)
  for (const { lock } of nodes) await lock.release()
  await take(url)
  await rejects(take(url, 'shared'), isLocked)
})

test('gateways on two databases of one server do not know each other', async () => {
  const [one, other] = [await take(await createDatabase()), await take(await createDatabase())]
  deepEqual([one.lock.held, other.lock.held], [true, true])
})

test('an outage takes it away, and the gateway takes it back', async () => {
  const { url, proxy } = await throughProxy(await createDatabase())
  const { lock, lost } = await take(url)
  await proxy.refuse()
  await expect.poll(() => lock.held).toBe(false)
  await proxy.listen()
  await expect.poll(() => lock.held, { timeout: 10_000 }).toBe(true)
  deepEqual(lost, [])
})

test('a silent connection is noticed, and the former session does not keep the lock from us', async () => {
  const { url, proxy } = await throughProxy(await createDatabase())
  const { lock, lost } = await take(url)
  proxy.stall()
  await expect.poll(() => lock.held, { timeout: 15_000 }).toBe(false)
  // The session at the server is still open.
  proxy.forget()
  await expect.poll(() => lock.held, { timeout: 10_000 }).toBe(true)
  deepEqual(lost, [])
}, 60_000)

test('a gateway that finds the lock taken after an outage must end', async () => {
  const direct = await createDatabase()
  const { url, proxy } = await throughProxy(direct)
  const { lock, lost } = await take(url)
  await proxy.refuse()
  await take(direct)
  await proxy.listen()
  await expect.poll(() => lost, { timeout: 15_000 }).toEqual(['store_locked'])
  equal(lock.held, false)
}, 60_000)
