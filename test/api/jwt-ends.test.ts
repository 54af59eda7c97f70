// test/api/jwt-ends.test.ts — the coming end of a JWT that the gateway signed is announced 30 days ahead.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { API_KEY } from '../../src/engine/machines.ts'
import { comingJwtEnds } from '../../src/services/provisioning/jwt-ends.ts'
import { openShop, type Shop } from '../support/shop.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

async function keyOf({ store }: Shop, account = 'demo'): Promise<string> {
  const [key] = await store.list(account, { kind: API_KEY.kind, limit: 1 })
  return key?.id ?? ''
}

const linesOf = ({ log }: Shop) =>
  log.lines.filter(({ message }) => message === 'web shop JWT expires soon').map(({ fields }) => fields['days'])

test('a line a day, from 30 days before the end to the end', async () => {
  const shop = await openShop()
  const expiresAt = shop.clock.now() + 33 * DAY_MS
  const keyId = await keyOf(shop)
  await shop.gateway.provisioning.noteJwt('demo', keyId, expiresAt)
  await shop.clock.advance(2 * DAY_MS)
  deepEqual([linesOf(shop), shop.gateway.jwtEnds.coming()], [[], []])
  await shop.clock.advance(DAY_MS + HOUR_MS)
  deepEqual(shop.gateway.jwtEnds.coming(), [{ account: 'demo', keyId, expiresAt }])
  await shop.clock.advance(2 * DAY_MS)
  deepEqual(linesOf(shop), [30, 29, 28])
  await shop.clock.advance(40 * DAY_MS)
  deepEqual([linesOf(shop).length, linesOf(shop).at(-1)], [30, 1])
  deepEqual(shop.gateway.jwtEnds.coming(), [])
})

test('another JWT that lasts longer ends the announcement within an hour, a shorter one does not', async () => {
  const shop = await openShop()
  const keyId = await keyOf(shop)
  const note = (ms: number) => shop.gateway.provisioning.noteJwt('demo', keyId, shop.clock.now() + ms)
  await note(10 * DAY_MS)
  await note(DAY_MS)
  await shop.clock.advance(HOUR_MS)
  deepEqual(linesOf(shop), [9])
  await note(365 * DAY_MS)
  await shop.clock.advance(3 * DAY_MS)
  deepEqual([linesOf(shop), shop.gateway.jwtEnds.coming()], [[9], []])
})

test('a revoked key and a revoked account are not announced, and a revoked key gets no JWT', async () => {
  const shop = await openShop()
  const { provisioning } = shop.gateway
  const soon = shop.clock.now() + DAY_MS
  await provisioning.noteJwt('demo', await keyOf(shop), soon)
  await provisioning.noteJwt('demo-eur', await keyOf(shop, 'demo-eur'), soon)
  equal((await comingJwtEnds(shop.store, shop.clock.now())).length, 2)
  await provisioning.revokeKey('demo', await keyOf(shop))
  await provisioning.revokeAccount('demo-eur')
  deepEqual(await comingJwtEnds(shop.store, shop.clock.now()), [])
  deepEqual(await provisioning.noteJwt('demo', await keyOf(shop), soon), { refused: { code: 'key_unknown' } })
})

test('a store that fails is logged, and looked at again an hour later', async () => {
  let broken = false
  const shop = await openShop({
    store: store => ({
      ...store,
      all: (...asked) => (broken ? Promise.reject(new Error('disk gone')) : store.all(...asked)),
    }),
  })
  broken = true
  await shop.clock.advance(HOUR_MS)
  broken = false
  await shop.gateway.provisioning.noteJwt('demo', await keyOf(shop), shop.clock.now() + DAY_MS)
  await shop.clock.advance(HOUR_MS)
  deepEqual(linesOf(shop), [0])
  equal(shop.log.lines.filter(({ message }) => message === 'JWT expiry check failed').length, 1)
})
