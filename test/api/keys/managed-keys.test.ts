// test/api/keys/managed-keys.test.ts — users make, list and revoke API keys over the management API.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { API_KEY as KEYS } from '../../../src/engine/machines.ts'
import { ACCOUNT, API_KEY, type BrowserSession, openTown, type Reply } from '../../support/console-user.ts'
import { basic } from '../../support/till.ts'

const TILL = { label: 'till 2', areas: ['tables', 'counter'], terminals: ['VCMHARBSIP0'] }

interface Key {
  readonly id: string
  readonly label: string
  readonly user: string | null
  readonly madeBy: string
  readonly areas: readonly string[] | null
  readonly terminals: readonly string[] | null
  readonly status: string
}

const keysIn = ({ json }: Reply) => json['keys'] as readonly Key[]
const inShort = ({ label, user, madeBy, status }: Key) => [label, user, madeBy, status]

async function make(session: BrowserSession, order: object = TILL) {
  const { status, json, headers } = await session.ask('POST', '/api/keys', order)
  equal(status, 201, JSON.stringify(json))
  return { key: json['key'] as Key, secret: String(json['apiKey']), headers }
}

test('a user makes a key, whose secret is shown once and kept nowhere', async () => {
  const { signIn, ask, shop } = await openTown(['developer'])
  const developer = await signIn('developer')
  const { key, secret, headers } = await make(developer)
  const { id, ...made } = key
  deepEqual(
    { ...made, createdAt: '' },
    {
      ...{ label: 'till 2', user: 'developer', madeBy: 'user', areas: ['counter', 'tables'] },
      ...{ terminals: ['VCMHARBSIP0'], status: 'active', createdAt: '' },
    },
  )
  match(secret, /^tg_[\w-]{32}$/)
  equal(headers['cache-control'], 'no-store')
  const authorization = basic(secret)
  equal((await ask('GET', '/pac/terminals', undefined, { authorization })).status, 200)
  const listed = await developer.ask('GET', '/api/keys')
  deepEqual(keysIn(listed), [key])
  const stored = await shop.store.list(ACCOUNT, { kind: KEYS.kind, limit: 10 })
  const events = await ask('GET', '/api/events', undefined, { authorization: basic(API_KEY) })
  const requests = await ask('GET', '/api/requests', undefined, { authorization: basic(API_KEY) })
  const seen = JSON.stringify([stored, shop.log.lines, events.json, requests.json, listed.json])
  ok(!seen.includes(secret) && seen.includes(id))
  ok(!events.text.includes('"user"'), 'names by which people sign in are in no feed of a merchant')
})

test('a key belongs to the user who makes it, whatever the order says', async () => {
  const { signIn } = await openTown(['owner', 'developer'])
  const { key } = await make(await signIn('developer'), { ...TILL, user: 'owner' })
  equal(key.user, 'developer')
})

test('without limits a key is limited by nothing but the role', async () => {
  const { signIn, ask } = await openTown(['developer'])
  const { key, secret } = await make(await signIn('developer'), { label: 'all' })
  deepEqual([key.areas, key.terminals], [null, null])
  const authorization = basic(secret)
  equal((await ask('GET', '/api/account', undefined, { authorization })).status, 200)
  const closing = await ask('POST', '/api/payments/nothing/close', {}, { authorization })
  equal(closing.json['code'], 'right_missing')
})

test('users see and revoke their own keys, and owners those of all and of nobody', async () => {
  const { signIn, ask, shop } = await openTown(['owner', 'developer'])
  const [owner, developer] = [await signIn('owner'), await signIn('developer')]
  const old = { type: 'create', id: 'old', merchantAccount: ACCOUNT, hash: '0'.repeat(64), label: 'old' } as const
  ok('record' in (await shop.gateway.engine.execute(KEYS, { account: ACCOUNT, id: 'old' }, old)))
  const { key: ofOwner } = await make(owner, { label: 'of the owner' })
  const { key: own, secret } = await make(developer, { label: 'own' })
  deepEqual(keysIn(await developer.ask('GET', '/api/keys')).map(inShort), [['own', 'developer', 'user', 'active']])
  deepEqual(keysIn(await owner.ask('GET', '/api/keys')).map(inShort), [
    ['own', 'developer', 'user', 'active'],
    ['of the owner', 'owner', 'user', 'active'],
    ['old', null, 'before_users', 'active'],
    ['first', null, 'command_line', 'active'],
  ])
  for (const id of [ofOwner.id, 'old', 'no-such-key'])
    equal((await developer.ask('DELETE', `/api/keys/${id}`)).json['code'], 'key_unknown')
  equal((await developer.ask('DELETE', `/api/keys/${own.id}`)).status, 204)
  equal((await developer.ask('DELETE', `/api/keys/${own.id}`)).status, 204, 'revoking twice changes nothing')
  equal((await ask('GET', '/pac/terminals', undefined, { authorization: basic(secret) })).status, 401)
  for (const id of [ofOwner.id, 'old']) equal((await owner.ask('DELETE', `/api/keys/${id}`)).status, 204)
  deepEqual(
    keysIn(await owner.ask('GET', '/api/keys')).map(({ status }) => status),
    ['revoked', 'revoked', 'revoked', 'active'],
  )
})

test('only users make and list keys, and only those who configure', async () => {
  const { signIn, ask } = await openTown(['till_staff', 'read_only'])
  const headers = { authorization: basic(API_KEY) }
  equal((await ask('GET', '/api/keys', undefined, headers)).json['code'], 'person_needed')
  equal((await ask('POST', '/api/keys', TILL, headers)).json['code'], 'person_needed')
  for (const role of ['till_staff', 'read_only'] as const) {
    const session = await signIn(role)
    equal((await session.ask('POST', '/api/keys', TILL)).json['code'], 'right_missing')
    deepEqual(keysIn(await session.ask('GET', '/api/keys')), [])
  }
})

test('bad orders are refused, and make no key', async () => {
  const { signIn } = await openTown(['developer'])
  const developer = await signIn('developer')
  const bodies: readonly (readonly [object, string])[] = [
    [{}, 'label'],
    [{ label: '' }, 'label'],
    [{ label: 'two\nlines' }, 'label'],
    [{ label: 'x', areas: [] }, 'areas'],
    [{ label: 'x', areas: ['kitchen'] }, 'areas'],
    [{ label: 'x', terminals: [] }, 'terminals'],
    [{ label: 'x', terminals: ['NOSUCHONE'] }, 'terminals'],
    // Of another account.
    [{ label: 'x', terminals: ['VCMDEMOSIP0'] }, 'terminals'],
  ]
  for (const [body, field] of bodies) {
    const { status, json } = await developer.ask('POST', '/api/keys', body)
    equal(status, 422, JSON.stringify(json))
    ok(String(json['field']).startsWith(field), JSON.stringify(json))
  }
  deepEqual(keysIn(await developer.ask('GET', '/api/keys')), [])
})

test('an account has a limit of keys of users, and revoked ones do not count', async () => {
  const { signIn } = await openTown(['developer'])
  const developer = await signIn('developer')
  const { key: first } = await make(developer)
  for (let made = 1; made < 200; made += 1) await make(developer, { label: `key ${made}` })
  equal((await developer.ask('POST', '/api/keys', TILL)).json['code'], 'too_many_keys')
  equal((await developer.ask('DELETE', `/api/keys/${first.id}`)).status, 204)
  await make(developer)
})

test('what users do with keys is in the audit log', async () => {
  const { signIn } = await openTown(['owner'])
  const owner = await signIn('owner')
  const { key } = await make(owner)
  await owner.ask('DELETE', `/api/keys/${key.id}`)
  const { entries } = (await owner.ask('GET', '/api/audit')).json as {
    entries: { action: string; by: string; subject: object; status: number }[]
  }
  deepEqual(
    entries.slice(0, 2).map(({ action, by, subject, status }) => [action, by, subject, status]),
    [
      ['revokeKey', 'owner', { keyId: key.id }, 204],
      ['createKey', 'owner', {}, 201],
    ],
  )
})
