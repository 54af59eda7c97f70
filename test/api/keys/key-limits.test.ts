// test/api/keys/key-limits.test.ts — what an API key reaches: every operation and JSON-RPC method, for keys limited to an area or to
// terminals, and for keys of users with every role.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { keyAreaOf } from '../../../src/api/keys/key-scope.ts'
import type { Operation } from '../../../src/api/operation.ts'
import { rightFor } from '../../../src/api/people/right-for.ts'
import { KEY_AREAS, type KeyLimits } from '../../../src/domain/accounts/key-limits.ts'
import { mayDo, ROLES } from '../../../src/domain/people/roles.ts'
import { ACCOUNT, openTown, type Town } from '../../support/console-user.ts'
import { jwtFor } from '../../support/merchant-jwts.ts'
import { ALL_OPERATIONS } from '../../support/operations.ts'
import { basic } from '../../support/till.ts'

const OWN = 'VCMHARBSIP0'
const OTHER = 'VCMHARBSIP1'

/** Operations that an API key may call at all. Closing the test account ends the keys. */
const OPERATIONS = ALL_OPERATIONS.filter(
  ({ auth, peopleOnly, name }) => auth !== 'none' && peopleOnly !== true && name !== 'closeTestAccount',
)
const METHODS = OPERATIONS.flatMap(({ rpc }) => rpc ?? [])

interface TestedKey {
  readonly id: string
  readonly secret: string
}

async function keyOf({ shop }: Town, limits: KeyLimits, user: string | null = null): Promise<TestedKey> {
  const made = await shop.gateway.provisioning.createKey(ACCOUNT, 'tested', { user, limits })
  ok('secret' in made, JSON.stringify(made))
  return { id: made.record.id, secret: made.secret }
}

async function townWithTwo(): Promise<Town> {
  const town = await openTown([...ROLES])
  const { addTerminal } = town.shop.gateway.provisioning
  const settings = (await town.shop.store.list(ACCOUNT, { kind: 'terminal', limit: 1 })).map(
    ({ body }) => (JSON.parse(body) as { settings: never }).settings,
  )
  ok(settings[0] !== undefined)
  const added = await addTerminal({ account: ACCOUNT, tid: OTHER, settings: settings[0] })
  ok('record' in added, JSON.stringify(added))
  return town
}

interface Called {
  readonly status: number
  /** The code of a refusal by the key; null for any other answer. */
  readonly code: string | null
  readonly about: string
}

const SENTENCES = {
  key_area: 'The API key may not be used here.',
  key_terminals: 'The API key is limited to terminals',
  right_missing: 'does not allow this.',
} as const

/** Calls an operation. Nothing has the names in its address, but for the terminal. */
async function call({ ask }: Town, { id, secret }: TestedKey, operation: Operation, tid: string): Promise<Called> {
  const { auth, method, path, name } = operation
  const url = path.replace('{tid}', tid).replaceAll(/\{\w+\}/g, 'nothing-has-this-name')
  const authorization = auth === 'jwt' ? `Bearer ${jwtFor(id)}` : basic(secret)
  const { status, json, text } = await ask(method, url, method === 'GET' ? undefined : {}, { authorization })
  const said = json['code'] ?? json['userMessage'] ?? text
  const found = Object.entries(SENTENCES).find(([code, sentence]) => said === code || String(said).includes(sentence))
  return { status, code: found?.[0] ?? null, about: `${name}: ${status} ${text}` }
}

test('which area each operation is in', () => {
  const areas = Object.fromEntries(
    KEY_AREAS.map(area => [area, OPERATIONS.filter(each => keyAreaOf(each) === area).map(({ path }) => path)]),
  )
  const prefix = {
    counter: '/pac',
    tables: '/pat/',
    online: '/v1/',
    management: '/api/',
    sandbox: '/sandbox/',
  } as const
  for (const area of KEY_AREAS) {
    ok((areas[area]?.length ?? 0) > 5, area)
    for (const path of areas[area] ?? []) ok(path.startsWith(prefix[area]), `${area} ${path}`)
  }
})

test('what keys with terminals reach is decided for every operation and method', () => {
  const decided = (how: string) => OPERATIONS.filter(each => each.forTerminals === how).map(({ name }) => name)
  deepEqual(decided('filtered'), ['listTerminals'])
  deepEqual(decided('whole'), ['callJsonRpc'])
  for (const { path, forTerminals, name } of OPERATIONS) ok(!path.includes('{tid}') || forTerminals === undefined, name)
  const withoutTerminal = METHODS.filter(({ params }) => !('tid' in params.properties))
  deepEqual(
    withoutTerminal.map(({ name, forTerminals }) => [name, forTerminals]),
    [['connectedTerminals', 'filtered']],
  )
  ok(METHODS.length > 10)
})

test.each(KEY_AREAS)('a key limited to the area %s reaches it, and nothing else', async area => {
  const town = await townWithTwo()
  const key = await keyOf(town, { areas: [area] })
  for (const operation of OPERATIONS) {
    const { status, code, about } = await call(town, key, operation, OWN)
    if (keyAreaOf(operation) === area) ok(code === null && status !== 401 && status !== 403, about)
    else deepEqual([status, code], [403, 'key_area'], about)
  }
})

test('a key limited to a terminal reaches what is about this terminal, and nothing about others', async () => {
  const town = await townWithTwo()
  const key = await keyOf(town, { terminals: [OWN] })
  for (const operation of OPERATIONS) {
    const isOfTerminal = operation.path.includes('{tid}')
    const other = await call(town, key, operation, OTHER)
    if (isOfTerminal || operation.forTerminals === undefined)
      deepEqual([other.status, other.code], [403, 'key_terminals'], other.about)
    if (!isOfTerminal && operation.forTerminals === undefined) continue
    // What removes or resets the terminal comes with the others: the key reaches it.
    const own = await call(town, key, operation, OWN)
    ok(own.code === null && own.status !== 401 && own.status !== 403, own.about)
  }
})

test('a key limited to a terminal lists this terminal only', async () => {
  const town = await townWithTwo()
  const listed = async (key: TestedKey) =>
    ((await town.ask('GET', '/pac/terminals', undefined, { authorization: basic(key.secret) })).json['terminals'] as {
      tid: string
    }[]) ?? []
  const tids = async (key: TestedKey) => (await listed(key)).map(({ tid }) => tid)
  deepEqual(await tids(await keyOf(town, {})), [OWN, OTHER])
  deepEqual(await tids(await keyOf(town, { terminals: [OTHER] })), [OTHER])
})

async function say({ ask }: Town, { secret }: TestedKey, method: string, params: object) {
  const headers = { authorization: basic(secret), 'content-type': 'application/json' }
  const path = '/pac?software-house-id=S&installer-id=I'
  const { json } = await ask('POST', path, { jsonrpc: '2.0', id: 1, method, params }, headers)
  return json as {
    readonly result?: unknown
    readonly error?: { readonly code: number; data?: { userMessage: string } }
  }
}

test('over JSON-RPC a key limited to a terminal reaches this terminal only', async () => {
  const town = await townWithTwo()
  const key = await keyOf(town, { terminals: [OWN] })
  for (const method of METHODS.filter(({ pushes }) => pushes !== true)) {
    const params = { ...method.example.params }
    if (!('tid' in params)) continue
    const { error } = await say(town, key, method.name, { ...params, tid: OTHER })
    ok(error?.data?.userMessage.startsWith(SENTENCES.key_terminals), `${method.name} ${JSON.stringify(error)}`)
  }
  const { result } = await say(town, key, 'terminalDetails', { tid: OWN })
  equal((result as { tid: string }).tid, OWN)
  const listed = await say(town, key, 'connectedTerminals', {})
  deepEqual(
    (listed.result as { tid: string }[]).map(({ tid }) => tid),
    [OWN],
  )
})

test.each(ROLES)('a key of a user with the role %s may do what the role allows', async role => {
  const town = await townWithTwo()
  const key = await keyOf(town, {}, role)
  for (const operation of OPERATIONS) {
    const { status, code, about } = await call(town, key, operation, OWN)
    if (mayDo(role, rightFor(operation))) ok(code === null && status !== 401 && status !== 403, about)
    else deepEqual([status, code], [403, 'right_missing'], about)
  }
})

test('tills and web shops need the right to operate for all that is not a read', () => {
  const calls = OPERATIONS.filter(({ area }) => area === 'connect' || area === 'shop')
  ok(calls.length > 20)
  const rights = calls.map(operation => [operation.name, operation.method === 'GET', rightFor(operation)] as const)
  for (const [name, isRead, right] of rights) equal(right, isRead || name === 'callJsonRpc' ? 'read' : 'operate', name)
})

test('over JSON-RPC a key of somebody who may only read starts nothing', async () => {
  const town = await townWithTwo()
  const key = await keyOf(town, {}, 'read_only')
  for (const method of METHODS.filter(({ pushes }) => pushes !== true)) {
    const { tid, ...others } = { tid: undefined, ...method.example.params }
    const params = tid === undefined ? others : { ...others, tid: OWN }
    const { error } = await say(town, key, method.name, params)
    const isRefused = error?.data?.userMessage === 'The role read_only does not allow this.'
    equal(isRefused, method.reads !== true, `${method.name} ${JSON.stringify(error)}`)
  }
})
