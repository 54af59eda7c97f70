// test/api/keys/key-users.test.ts — a key stops with its user and does what the role allows, at once: over HTTP, by JWT, on a WebSocket, and
// in a stream of events.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import type { KeyLimits } from '../../../src/domain/accounts/key-limits.ts'
import type { Role } from '../../../src/domain/people/roles.ts'
import type { Store } from '../../../src/engine/ports/store.ts'
import { ACCOUNT, openTown, type Town } from '../../support/console-user.ts'
import { jwtFor } from '../../support/merchant-jwts.ts'
import type { ShopOptions } from '../../support/shop.ts'
import { connectTill } from '../../support/socket-till.ts'
import { basic } from '../../support/till.ts'

const TID = 'VCMHARBSIP0'
const SALE = { tid: TID, currency: 'GBP', amount: 1250 }

async function townWithKey(role: Role, limits: KeyLimits = {}, options: ShopOptions = {}) {
  const town = await openTown([role], { ...options, limits: { messagesPerSecond: 1_000_000 } })
  const made = await town.shop.gateway.provisioning.createKey(ACCOUNT, 'tested', { user: role, limits })
  ok('secret' in made, JSON.stringify(made))
  return { town, id: made.record.id, secret: made.secret }
}

const byKey = ({ ask }: Town, secret: string, method: 'GET' | 'POST', path: string, body?: object) =>
  ask(method, path, body, { authorization: basic(secret) })
const byJwt = ({ ask }: Town, id: string, method: 'GET' | 'POST', path: string) =>
  ask(method, path, method === 'GET' ? undefined : {}, { authorization: `Bearer ${jwtFor(id)}` })

test('when the user ends, its keys and their JWTs stop at once', async () => {
  const { town, id, secret } = await townWithKey('developer')
  equal((await byKey(town, secret, 'GET', '/pac/terminals')).status, 200)
  equal((await byJwt(town, id, 'GET', '/v1/payment-methods')).status, 200)
  ok('record' in (await town.people.users.end(ACCOUNT, 'developer', false)))
  equal((await byJwt(town, id, 'GET', '/v1/payment-methods')).status, 401)
  equal((await byKey(town, secret, 'GET', '/pac/terminals')).status, 401)
})

test('when another process ends the user, its keys stop within a second', async () => {
  const { town, secret } = await townWithKey('developer')
  equal((await byKey(town, secret, 'GET', '/pac/terminals')).status, 200)
  const { store, clock } = town.shop
  const stored = await store.load({ account: ACCOUNT, kind: 'user', id: 'developer' })
  ok(stored !== null)
  // As the command line does it: the cache of this process does not see it.
  await store.commit({
    ...stored,
    expectedVersion: stored.version,
    version: stored.version + 1,
    body: JSON.stringify({ ...JSON.parse(stored.body), status: 'ended', version: stored.version + 1 }),
    ...{ parent: '', live: false, lockKey: null, at: clock.now() },
    ...{ events: [], effects: [], effectsDone: [], timers: null, idempotency: null },
  })
  await clock.advance(1_000)
  equal((await byKey(town, secret, 'GET', '/pac/terminals')).status, 401)
})

test('a user who is ended by click, or made to be less, is so with the next request', async () => {
  const { town, id, secret } = await townWithKey('developer')
  const { people, ask } = town
  const owner = { user: 'ann', name: 'Ann', role: 'owner', password: 'correct horse battery' } as const
  ok('record' in (await people.users.add(ACCOUNT, owner)))
  const ann = await town.signIn('ann')
  const start = () => byKey(town, secret, 'POST', `/pac/terminals/${TID}/transactions`, {})
  const token = () => byJwt(town, id, 'POST', '/v1/access-tokens')
  equal((await start()).status, 422)
  equal((await token()).status, 400)
  equal((await ann.ask('PATCH', '/api/users/developer', { role: 'read_only' })).status, 200)
  deepEqual([(await start()).status, (await token()).status], [403, 403])
  equal((await byKey(town, secret, 'GET', '/pac/terminals')).status, 200)
  equal((await ann.ask('PATCH', '/api/users/developer', { role: 'till_staff' })).status, 200)
  deepEqual([(await start()).status, (await token()).status], [422, 400])
  equal((await ann.ask('DELETE', '/api/users/developer')).status, 204)
  deepEqual([(await start()).status, (await token()).status], [401, 401])
  equal((await ask('GET', '/pac/terminals', undefined, { authorization: basic('harbour-key') })).status, 200)
})

test('a key of a user costs no more reads of the store than one of nobody, once it is known', async () => {
  let reads = 0
  const counted = (store: Store): Store => ({
    ...store,
    load: key => {
      reads += 1
      return store.load(key)
    },
    accountKeyHolderOf: key => {
      reads += 1
      return store.accountKeyHolderOf(key)
    },
  })
  const { town, id, secret } = await townWithKey('developer', {}, { store: counted })
  const calls = async () => {
    equal((await byKey(town, secret, 'GET', '/api/session')).status, 403)
    equal((await byJwt(town, id, 'GET', '/v1/payment-methods')).status, 200)
  }
  await calls()
  reads = 0
  for (let call = 0; call < 5; call += 1) await calls()
  equal(reads, 0)
})

test('a WebSocket of a key closes when its user ends', async () => {
  const { town, secret } = await townWithKey('till_staff')
  const till = await connectTill(town.shop, { key: secret })
  equal((await till.ask('terminalDetails', { tid: TID })).error, undefined)
  const ended = await town.signIn('till_staff')
  equal((await ended.ask('GET', '/api/session')).status, 200)
  const owner = { user: 'ann', name: 'Ann', role: 'owner', password: 'correct horse battery' } as const
  ok('record' in (await town.people.users.add(ACCOUNT, owner)))
  equal((await (await town.signIn('ann')).ask('DELETE', '/api/users/till_staff')).status, 204)
  equal(await till.closed, 1008)
})

test('on a WebSocket each message goes by the role of the user now', async () => {
  const { town, secret } = await townWithKey('till_staff')
  const till = await connectTill(town.shop, { key: secret })
  const waiter = await connectTill(town.shop, { key: secret, path: '/pat' })
  const owner = { user: 'ann', name: 'Ann', role: 'owner', password: 'correct horse battery' } as const
  ok('record' in (await town.people.users.add(ACCOUNT, owner)))
  const ann = await town.signIn('ann')
  equal((await ann.ask('PATCH', '/api/users/till_staff', { role: 'read_only' })).status, 200)
  const refused = await till.ask('sale', SALE)
  equal(refused.error?.data?.['userMessage'], 'The role read_only does not allow this.')
  equal((await till.ask('terminalDetails', { tid: TID })).error, undefined)
  // A till that keeps its tables would still be asked, and say what is paid.
  equal(await waiter.closed, 1008)
})

test('a WebSocket opens only in an area of its key, and reaches only its terminals', async () => {
  const { town, secret } = await townWithKey('developer', { areas: ['counter'], terminals: [TID] })
  const till = await connectTill(town.shop, { key: secret })
  equal((await till.ask('terminalDetails', { tid: TID })).error, undefined)
  const other = await till.ask('sale', { ...SALE, tid: 'VCMHARBSIP1' })
  ok(String(other.error?.data?.['userMessage']).startsWith('The API key is limited to terminals'))
  const handshake = async (key: string, path: string) => {
    const { status, text } = await town.ask('GET', `${path}?token=${key}&api-version=v0`)
    return [status, /limited to/.test(text)]
  }
  deepEqual(await handshake(secret, '/pac'), [426, false])
  deepEqual(await handshake(secret, '/pat'), [403, true])
  const tables = await town.shop.gateway.provisioning.createKey(ACCOUNT, 'x', {
    limits: { areas: ['tables'], terminals: [TID] },
  })
  ok('secret' in tables)
  deepEqual(await handshake(tables.secret, '/pac'), [403, true])
  deepEqual(
    await handshake(tables.secret, '/pat'),
    [403, true],
    'a till that keeps its tables is asked by all terminals',
  )
})

test('a stream of events ends with its key', async () => {
  for (const end of ['the key', 'the user'] as const) {
    const { town, id, secret } = await townWithKey('developer')
    const headers = { authorization: basic(secret), accept: 'text/event-stream' }
    const streaming = town.ask('GET', '/api/events', undefined, headers)
    await town.shop.settle()
    if (end === 'the key') await town.shop.gateway.provisioning.revokeKey(ACCOUNT, id)
    else await town.people.users.end(ACCOUNT, 'developer', false)
    await town.shop.clock.advance(15_000)
    // Without an end it would stream for ever.
    equal((await streaming).status, 200, end)
  }
})
