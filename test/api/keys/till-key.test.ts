// test/api/keys/till-key.test.ts — the key of a till in the browser of somebody who is signed in: what it may do, and when it is over.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { LONGEST_MS } from '../../../src/domain/people/session.ts'
import { ACCOUNT, type BrowserSession, openTown, PASSWORD, type Town } from '../../support/console-user.ts'
import { basic } from '../../support/till.ts'

const SALE = { transactionType: 'SALE', amount: 100, currency: 'GBP' }
const STARTS = '/pac/terminals/VCMHARBSIP0/transactions'

async function tillOf({ ask }: Town, session: BrowserSession) {
  const { status, json } = await session.ask('POST', '/api/session/till')
  equal(status, 201, JSON.stringify(json))
  const authorization = basic(String(json['apiKey']))
  const statusOf = async (path: string) => (await ask('GET', path, undefined, { authorization })).status
  const sell = async () => (await ask('POST', STARTS, SALE, { authorization })).status
  return { key: json['key'] as Readonly<Record<string, unknown>>, statusOf, sell }
}

test('till staff take payments in the browser, and nothing else', async () => {
  const town = await openTown(['till_staff'])
  const { key, statusOf, sell } = await tillOf(town, await town.signIn('till_staff'))
  const { label, user, areas, terminals, status } = key
  deepEqual(
    { label, user, areas, terminals, status },
    {
      ...{ label: 'till in the browser', user: 'till_staff', areas: ['counter', 'tables'] },
      ...{ terminals: null, status: 'active' },
    },
  )
  equal(await sell(), 201)
  equal(await statusOf('/pat/tables'), 200)
  equal(await statusOf('/api/account'), 403)
  equal(await statusOf('/sandbox/terminals'), 403)
})

test('who may only read gets none', async () => {
  const town = await openTown(['read_only'])
  const session = await town.signIn('read_only')
  equal((await session.ask('POST', '/api/session/till')).json['code'], 'right_missing')
})

test('it is over when the user signs out, at once, and other sessions go on', async () => {
  const town = await openTown(['till_staff'])
  const [first, second] = [await town.signIn('till_staff'), await town.signIn('till_staff')]
  const [one, other] = [await tillOf(town, first), await tillOf(town, second)]
  equal(await one.statusOf('/pac/terminals'), 200)
  equal((await first.ask('DELETE', '/api/session')).status, 204)
  equal(await one.statusOf('/pac/terminals'), 401)
  equal(await other.statusOf('/pac/terminals'), 200)
})

test('it is over with a new password, and after twelve hours, but not when only the till is used for hours', async () => {
  const town = await openTown(['till_staff'])
  const before = await tillOf(town, await town.signIn('till_staff'))
  equal(await before.statusOf('/pac/terminals'), 200)
  await town.shop.clock.advance(1)
  await town.people.users.setPassword(ACCOUNT, 'till_staff', `${PASSWORD} again`)
  equal(await before.statusOf('/pac/terminals'), 401)
  await town.people.users.setPassword(ACCOUNT, 'till_staff', PASSWORD)
  const till = await tillOf(town, await town.signIn('till_staff'))
  await town.shop.clock.advance(LONGEST_MS - 1)
  equal(await till.statusOf('/pac/terminals'), 200)
  await town.shop.clock.advance(1_000)
  equal(await till.statusOf('/pac/terminals'), 401)
})

test('keys of sessions that are over are revoked with the next one', async () => {
  const town = await openTown(['till_staff', 'owner'])
  const first = await town.signIn('till_staff')
  await tillOf(town, first)
  const owner = await town.signIn('owner')
  const listed = async () =>
    ((await owner.ask('GET', '/api/keys')).json['keys'] as { label: string; status: string }[])
      .filter(({ label }) => label === 'till in the browser')
      .map(({ status }) => status)
  deepEqual(await listed(), ['active'])
  await first.ask('DELETE', '/api/session')
  deepEqual(await listed(), ['ended'])
  await tillOf(town, await town.signIn('till_staff'))
  deepEqual(await listed(), ['active', 'revoked'])
})
