// test/api/terminal-links.test.ts — links by which a phone presses one terminal: what they open, what they do not, and how they end.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import type { Operation } from '../../src/api/operation.ts'
import type { Store } from '../../src/engine/ports/store.ts'
import { ACCOUNT, openTown, type Town } from '../support/console-user.ts'
import { ALL_OPERATIONS } from '../support/operations.ts'
import { openShop, type Shop, type ShopOptions } from '../support/shop.ts'
import { openSocketShop, refusalOf } from '../support/socket-till.ts'
import { basic, type Reply, send } from '../support/till.ts'

const TID = '22160001'
const OTHER = '22160002'
const SCREEN = `/sandbox/terminals/${TID}`
const LINKS = `${SCREEN}/links`
const HOUR_MS = 3_600_000

interface Phone {
  readonly token: string
  readonly opened: Readonly<Record<string, unknown>>
  ask(method: string, path: string, body?: unknown): Promise<Reply>
}

/** What a phone has that has scanned the code of a link. */
async function phoneOf(shop: Shop, tid = TID): Promise<Phone> {
  const { status, json, text } = await shop.till.ask('POST', `/sandbox/terminals/${tid}/links`)
  equal(status, 201, text)
  return phoneWith(shop, String(json['url']).split('#')[1] ?? '', json)
}

function phoneWith(shop: Shop, token: string, opened = {}): Phone {
  const headers = { authorization: `Bearer ${token}` }
  return { token, opened, ask: (method, path, body) => send(shop.api.inject, method, path, headers, body) }
}

const inShort = ({ status, json }: Reply) => [status, json['code']]

test('a phone takes a payment by a link, without a key', async () => {
  const shop = await openShop({ terminal: TID })
  const phone = await phoneOf(shop)
  match(String(phone.opened['url']), /^http:\/\/pay\.example\/console\/terminal#[\w.-]+$/)
  const sale = await shop.till.sale(2599)
  await shop.until(sale, 'PRESENT_CARD')
  equal((await phone.ask('GET', SCREEN)).json['requestId'], sale.requestId)
  const press = async (body: object) => equal((await phone.ask('POST', `${SCREEN}/keys`, body)).status, 200)
  await press({ key: 'present_card', card: 'sim-visa-debit', how: 'insert' })
  await shop.until(sale, 'PIN_ENTRY')
  await press({ key: 'pin', digits: '1234' })
  await shop.until(sale, 'REMOVE_CARD')
  await press({ key: 'remove_card' })
  equal((await shop.finished(sale)).transactionResult, 'SUCCESSFUL')
})

const addressOf = ({ path }: Operation, tid: string) =>
  path.replaceAll('{tid}', tid).replaceAll(/\{\w+\}/g, 'nothing-has-this-name')

test('a link opens two operations of its terminal, and no other operation that asks who calls', async () => {
  const shop = await openShop()
  const { ask } = await phoneOf(shop)
  const opens: string[] = []
  const refused = new Set<string>()
  const closed = ALL_OPERATIONS.filter(({ auth }) => auth !== 'none')
  ok(closed.length > 90)
  for (const operation of closed) {
    const body = operation.method === 'GET' ? undefined : {}
    const { status, json, text } = await ask(operation.method, addressOf(operation, TID), body)
    const { name, area, byLink } = operation
    const about = `${name} ${status} ${text}`
    if (byLink === true) {
      ok(status !== 401 && status !== 403, about)
      opens.push(name)
      deepEqual(inShort(await ask(operation.method, addressOf(operation, OTHER), body)), [403, 'link_insufficient'])
    } else if (area === 'sandbox') deepEqual([status, json['code']], [403, 'link_insufficient'], about)
    else equal(status, 401, about)
    refused.add(area)
  }
  deepEqual(opens, ['getScreen', 'pressKey'])
  deepEqual([...refused].toSorted(), ['connect', 'management', 'sandbox', 'shop'])
})

test('no socket opens with a link', async () => {
  const shop = await openSocketShop()
  const { token } = await phoneOf(shop)
  for (const path of ['/pac', '/pat'])
    equal((await refusalOf(shop, { path, query: `token=${token}&api-version=v1` })).status, 401, path)
})

test('a link ends an hour later by the gateway’s clock, also when that of the account stands still', async () => {
  const shop = await openShop()
  await shop.till.ask('POST', '/sandbox/clock', { body: { do: 'freeze' } })
  const { ask, opened } = await phoneOf(shop)
  equal(Date.parse(String(opened['expiresAt'])), shop.clock.now() + HOUR_MS)
  await shop.clock.advance(HOUR_MS - 1)
  equal((await ask('GET', SCREEN)).status, 200)
  await shop.clock.advance(1)
  deepEqual(inShort(await ask('GET', SCREEN)), [401, 'link_ended'])
  deepEqual(inShort(await ask('POST', `${SCREEN}/keys`, { key: 'unplug' })), [401, 'link_ended'])
  equal((await shop.till.ask('GET', SCREEN)).json['connected'], true)
})

test('all links of a terminal are ended at once, and those of another one go on', async () => {
  const shop = await openShop()
  const phones = [await phoneOf(shop), await phoneOf(shop)]
  const other = await phoneOf(shop, OTHER)
  for (const { ask } of phones) equal((await ask('GET', SCREEN)).status, 200)
  equal((await shop.till.ask('DELETE', LINKS)).status, 204)
  for (const { ask } of phones) deepEqual(inShort(await ask('GET', SCREEN)), [401, 'link_ended'])
  equal((await other.ask('GET', `/sandbox/terminals/${OTHER}`)).status, 200)
  equal((await shop.till.ask('DELETE', LINKS)).status, 204, 'there is none to end')
})

test('a link ends with its terminal, and does not come back with it', async () => {
  const shop = await openShop()
  await shop.till.ask('POST', '/sandbox/terminals', { body: { tid: 'PHONE1' } })
  const { ask } = await phoneOf(shop, 'PHONE1')
  equal((await shop.till.ask('DELETE', '/sandbox/terminals/PHONE1')).status, 204)
  deepEqual(inShort(await ask('GET', '/sandbox/terminals/PHONE1')), [401, 'link_ended'])
  await shop.till.ask('POST', '/sandbox/terminals', { body: { tid: 'PHONE1' } })
  deepEqual(inShort(await ask('GET', '/sandbox/terminals/PHONE1')), [401, 'link_ended'])
  for (const method of ['POST', 'DELETE'])
    deepEqual(inShort(await shop.till.ask(method, '/sandbox/terminals/none/links')), [404, 'terminal_unavailable'])
})

test('a link belongs to an account, and ends with it', async () => {
  const { shop, ask: askTown } = await openTown()
  const tid = 'VCMHARBSIP0'
  const key = shop.tillOf('harbour-key', tid)
  const opened = await key.ask('POST', `/sandbox/terminals/${tid}/links`)
  const token = String(opened.json['url']).split('#')[1] ?? ''
  const { ask } = phoneWith(shop, token)
  equal((await ask('GET', `/sandbox/terminals/${tid}`)).status, 200)
  equal((await shop.till.ask('DELETE', `/sandbox/terminals/${tid}/links`)).status, 404, 'of another account')
  equal((await ask('GET', `/sandbox/terminals/${tid}`)).status, 200)
  // The same secret under the name of the other account.
  const [, name = '', secret = ''] = token.split('.')
  const forged = `${Buffer.from('demo').toString('base64url')}.${name}.${secret}`
  deepEqual(inShort(await phoneWith(shop, forged).ask('GET', `/sandbox/terminals/${tid}`)), [401, 'link_ended'])
  ok('record' in (await shop.gateway.provisioning.revokeAccount('harbour')))
  deepEqual(inShort(await ask('GET', `/sandbox/terminals/${tid}`)), [401, 'link_ended'])
  equal((await askTown('GET', `/sandbox/terminals/${tid}`)).status, 401)
})

const HARBOUR = '/sandbox/terminals/VCMHARBSIP0'

/** Asks for the screen with a link that was made by a user or by an API key. */
async function lookBy({ shop, ask, signIn }: Town, by: { readonly user: string } | { readonly key: string }) {
  const made =
    'user' in by
      ? await (await signIn(by.user)).ask('POST', `${HARBOUR}/links`)
      : await ask('POST', `${HARBOUR}/links`, undefined, { authorization: basic(by.key) })
  equal(made.status, 201, made.text)
  const phone = phoneWith(shop, String(made.json['url']).split('#')[1] ?? '')
  return async () => inShort(await phone.ask('GET', HARBOUR))
}

const GOOD = [200, undefined]
const ENDED = [401, 'link_ended']

test('a link stops at once when the user who has made it ends, and those of others go on', async () => {
  const town = await openTown(['owner', 'till_staff', 'developer'])
  const made = await town.shop.gateway.provisioning.createKey(ACCOUNT, 'of the user', { user: 'till_staff' })
  ok('secret' in made)
  const ofUser = await lookBy(town, { user: 'till_staff' })
  const ofKey = await lookBy(town, { key: made.secret })
  const others = [
    await lookBy(town, { user: 'developer' }),
    await lookBy(town, { user: 'owner' }),
    await lookBy(town, { key: 'harbour-key' }),
  ]
  for (const look of [ofUser, ofKey, ...others]) deepEqual(await look(), GOOD)
  const owner = await town.signIn('owner')
  equal((await owner.ask('DELETE', '/api/users/till_staff')).status, 204)
  for (const look of [ofUser, ofKey]) deepEqual(await look(), ENDED)
  for (const look of others) deepEqual(await look(), GOOD)
})

test('a link presses only while the user who has made it may, and goes on after the sign-out', async () => {
  const town = await openTown(['owner', 'developer'])
  const owner = await town.signIn('owner')
  const look = await lookBy(town, { user: 'developer' })
  const become = async (role: string) => equal((await owner.ask('PATCH', '/api/users/developer', { role })).status, 200)
  const sessions = (await owner.ask('GET', '/api/sessions')).json['sessions'] as { id: string; user: string }[]
  const [session] = sessions.filter(({ user }) => user === 'developer')
  equal((await owner.ask('DELETE', `/api/sessions/${session?.id}`)).status, 204)
  deepEqual(await look(), GOOD)
  await become('till_staff')
  deepEqual(await look(), GOOD)
  await become('read_only')
  deepEqual(await look(), ENDED)
  await become('till_staff')
  deepEqual(await look(), GOOD)
})

test('a link of a user costs no read of the store, once the user is known', async () => {
  let reads = 0
  const counted = (store: Store): Store => ({
    ...store,
    load: key => {
      reads += 1
      return store.load(key)
    },
  })
  const town = await openTown(['till_staff'], { store: counted })
  const look = await lookBy(town, { user: 'till_staff' })
  deepEqual(await look(), GOOD)
  equal(reads > 0, true)
  reads = 0
  for (let call = 0; call < 5; call += 1) deepEqual(await look(), GOOD)
  equal(reads, 0)
})

test('a terminal has twenty links at most; one that has expired makes room', async () => {
  const shop = await openShop()
  const first = await phoneOf(shop)
  await shop.clock.advance(1_000)
  for (let count = 1; count < 20; count += 1) await phoneOf(shop)
  const refused = await shop.till.ask('POST', LINKS)
  deepEqual(inShort(refused), [409, 'too_many_links'])
  match(String(refused.json['detail']), /^22160001 has reached the limit of links\./)
  equal((await first.ask('GET', SCREEN)).status, 200)
  await phoneOf(shop, OTHER)
  await shop.clock.advance(HOUR_MS - 1_000)
  await phoneOf(shop)
  deepEqual(inShort(await shop.till.ask('POST', LINKS)), [409, 'too_many_links'])
})

const encoded = (text: string) => Buffer.from(text).toString('base64url')

test('what is no link is refused, whatever it looks like', async () => {
  const shop = await openShop()
  const { token } = await phoneOf(shop)
  const [account = '', tid = '', secret = ''] = token.split('.')
  for (const wrong of [
    `${account}.${tid}.${'A'.repeat(43)}`,
    `${encoded('nobody')}.${tid}.${secret}`,
    `${account}.${encoded('none')}.${secret}`,
    `${encoded('demo\0')}.${tid}.${secret}`,
    `${encoded(`demo.${TID}`)}.${tid}.${secret}`,
    // The same bytes, written otherwise.
    `${account.slice(0, -1)}x.${tid}.${secret}`,
    `${account}x.${tid}.${secret}`,
  ])
    deepEqual(inShort(await phoneWith(shop, wrong).ask('GET', SCREEN)), [401, 'link_ended'], wrong)
  for (const garbage of ['', '.', '..', secret, `${token}.`, `${token}x`, `${'A'.repeat(9_000)}.${tid}.${secret}`])
    deepEqual(inShort(await phoneWith(shop, garbage).ask('GET', SCREEN)).at(0), 401, garbage.slice(0, 60))
  equal((await phoneWith(shop, token).ask('GET', SCREEN)).status, 200)
  deepEqual(
    shop.log.lines.filter(({ level }) => level === 'error'),
    [],
  )
})

test('nothing that is stored, logged or listed has the secret of a link, and a snapshot neither has nor ends it', async () => {
  const shop = await openShop()
  await shop.till.ask('POST', '/sandbox/snapshots', { body: { name: 'before' } })
  const { ask, token } = await phoneOf(shop)
  const secret = token.split('.')[2] ?? 'none'
  await ask('GET', SCREEN)
  await ask('DELETE', SCREEN)
  await shop.till.ask('POST', '/sandbox/snapshots', { body: { name: 'with' } })
  const listed = (await shop.till.ask('GET', '/api/requests')).text
  const [link] = shop.memory.list('terminal-link', { limit: 9 })
  const { hash } = JSON.parse(link?.body ?? '[]')[0]
  match(hash, /^[0-9a-f]{64}$/)
  const snapshots = shop.memory.list('snapshot', { limit: 9 }).map(({ body }) => body)
  equal(snapshots.length, 2)
  for (const text of [listed, link?.body, ...snapshots, JSON.stringify(shop.log.lines)])
    ok(text !== undefined && !text.includes(secret))
  for (const text of snapshots) ok(!text.includes(hash))
  await shop.till.ask('DELETE', LINKS)
  const after = await phoneOf(shop)
  await shop.till.ask('POST', '/sandbox/snapshots/with/restore')
  deepEqual(inShort(await ask('GET', SCREEN)), [401, 'link_ended'], 'an ended link stays ended')
  equal((await after.ask('GET', SCREEN)).status, 200)
  await shop.till.ask('POST', '/sandbox/reset')
  equal((await after.ask('GET', SCREEN)).status, 200)
})

const linkAt = async (host: string, options: ShopOptions = {}) => {
  const shop = await openShop(options)
  const { json } = await shop.till.ask('POST', LINKS, { headers: { host } })
  const bare = (address: unknown) => String(address).split('#')[0]
  return { url: bare(json['url']), addresses: (json['addresses'] as string[]).map(bare) }
}

test('a link leads to the address of the request, or from the machine itself to one in its network', async () => {
  const page = (base: string) => `${base}/console/terminal`
  const inNetwork = { networkUrls: () => ['http://192.168.1.20:4020', 'http://10.0.0.7:4020'] }
  const addresses = inNetwork.networkUrls().map(page)
  const alone = await linkAt('127.0.0.1:4020')
  deepEqual(alone, { url: page('http://127.0.0.1:4020'), addresses: [] })
  for (const host of ['127.0.0.1:4020', 'localhost:4020', '[::1]:4020', 'shop.localhost'])
    deepEqual(await linkAt(host, { parts: inNetwork }), { url: addresses[0], addresses }, host)
  deepEqual((await linkAt('pos.example', { parts: inNetwork })).url, page('http://pos.example'))
  const publicUrl = 'https://pay.example'
  deepEqual((await linkAt('127.0.0.1', { parts: inNetwork, settings: { publicUrl } })).url, page(publicUrl))
})
