// src/api/operations/management/managed-keys.ts — management API: users make, list and revoke API keys. ADR 79.
import { type Static, Type } from 'typebox'
import type { ApiKey } from '../../../domain/accounts/api-key.ts'
import { KEY_AREAS, type KeyLimits, MOST_KEY_TERMINALS } from '../../../domain/accounts/key-limits.ts'
import { mayDo } from '../../../domain/people/roles.ts'
import { API_KEY } from '../../../engine/machines.ts'
import { recordsOf } from '../../../engine/pages.ts'
import { makeUserKey, revokeApiKey } from '../../../services/provisioning/api-key-store.ts'
import { UNCACHED } from '../../answer.ts'
import { isHeldStill } from '../../keys/key-holder.ts'
import { utcTimeOf } from '../../local-time.ts'
import { type AccountRequestContext, accountOperation } from '../../operation.ts'
import { type Person, signedInPerson } from '../../people/person.ts'
import { EXAMPLE, nullable, oneOf, plainText, TIME } from '../../schemas.ts'

const AREAS = Type.Array(oneOf(KEY_AREAS), {
  minItems: 1,
  maxItems: KEY_AREAS.length,
  description:
    '`counter`: /pac and its WebSocket. `tables`: /pat and its WebSocket. `online`: JWTs that name the key. `management`: /api. `sandbox`: the controls of a sandbox.',
})

const TERMINALS = Type.Array(Type.String({ pattern: '^[A-Za-z0-9]{1,20}$' }), {
  minItems: 1,
  maxItems: MOST_KEY_TERMINALS,
  description: 'Ids of terminals. What is about other terminals, and what is not about one terminal, is refused.',
})

const KEY = Type.Object(
  {
    id: Type.String({ description: 'Names the key in lists and in JWTs. It is no secret.' }),
    label: Type.String(),
    user: nullable(Type.String({ description: 'Who made it and answers for it. Null: nobody.' })),
    madeBy: oneOf(['user', 'command_line', 'before_users']),
    areas: nullable(Type.Array(oneOf(KEY_AREAS), { description: 'Null: all.' })),
    terminals: nullable(Type.Array(Type.String(), { description: 'Null: all.' })),
    status: oneOf(['active', 'ended', 'revoked'], {
      description: '`ended`: its user has ended, or the session that it was made for.',
    }),
    createdAt: TIME,
  },
  { $id: 'ApiKey' },
)

const KEY_EXAMPLE: Static<typeof KEY> = {
  ...{ id: EXAMPLE.requestId, label: 'till 2', user: 'ann', madeBy: 'user' },
  ...{ areas: ['counter'], terminals: [EXAMPLE.tid], status: 'active', createdAt: '2026-05-06T13:03:27.000Z' },
}

const MADE = Type.Object({
  key: KEY,
  apiKey: Type.String({ description: 'The secret. It is stored nowhere and cannot be shown again.' }),
})

export const listKeys = accountOperation({
  name: 'listKeys',
  summary: 'List your API keys; for owners, all of the account',
  tag: 'Account',
  area: 'management',
  method: 'GET',
  path: '/api/keys',
  peopleOnly: true,
  responses: {
    200: {
      description: 'Newest first, without their secrets, also revoked ones.',
      schema: Type.Object({ keys: Type.Array(KEY) }),
      example: { keys: [KEY_EXAMPLE] },
    },
  },
  async run(context) {
    const person = signedInPerson(context.person)
    const all = await recordsOf(context.api.store, context.account.id, API_KEY)
    const seen = all.filter(key => isOwn(person, key)).toReversed()
    return { status: 200, body: { keys: await Promise.all(seen.map(key => viewOf(context, key))) } }
  },
})

export const createKey = accountOperation({
  name: 'createKey',
  summary: 'Make an API key',
  description:
    'It belongs to you: it can never do more than your role allows, and stops when your user ends. Limits take more away. Without `areas` or ' +
    '`terminals` it is not limited to any.',
  tag: 'Account',
  area: 'management',
  method: 'POST',
  path: '/api/keys',
  peopleOnly: true,
  right: 'configure',
  body: {
    schema: Type.Object(
      {
        label: plainText(100, { description: 'What it is for, as lists show it.' }),
        areas: Type.Optional(AREAS),
        terminals: Type.Optional(TERMINALS),
      },
      { additionalProperties: false },
    ),
    examples: {
      'a till': { label: 'till 2', areas: ['counter'], terminals: [EXAMPLE.tid] },
      'the shop server': { label: 'shop server', areas: ['online', 'management'] },
    },
  },
  responses: {
    201: {
      description: 'The key, with its secret.',
      schema: MADE,
      example: { key: KEY_EXAMPLE, apiKey: 'tg_…' },
    },
  },
  refusals: ['field_invalid', 'too_many_keys'],
  async run(context, { body }) {
    const { api, account } = context
    const read = await body()
    if ('refused' in read) return read
    const { label, ...limits } = read.value
    const { user } = signedInPerson(context.person)
    const made = await makeUserKey(api, account.id, { label, limits, user: user.id })
    if ('refused' in made) return made
    return { status: 201, headers: UNCACHED, body: { key: await viewOf(context, made.record), apiKey: made.secret } }
  },
})

export const createTillKey = accountOperation({
  name: 'createTillKey',
  summary: 'Make an API key for a till in the browser',
  description:
    'It takes payments at the counter and at tables, and ends with your session. The console keeps it in the storage of its tab.',
  tag: 'Account',
  area: 'management',
  method: 'POST',
  path: '/api/session/till',
  peopleOnly: true,
  right: 'operate',
  responses: {
    201: {
      description: 'The key, with its secret.',
      schema: MADE,
      example: { key: { ...KEY_EXAMPLE, areas: ['counter', 'tables'], terminals: null }, apiKey: 'tg_…' },
    },
  },
  refusals: ['too_many_keys'],
  async run(context) {
    const { api, account } = context
    const { user, session } = signedInPerson(context.person)
    await revokeEnded(context, user.id)
    const order = { label: 'till in the browser', user: user.id, session: session.id, limits: TILL_LIMITS }
    const made = await makeUserKey(api, account.id, order)
    if ('refused' in made) return made
    return { status: 201, headers: UNCACHED, body: { key: await viewOf(context, made.record), apiKey: made.secret } }
  },
})

const TILL_LIMITS: KeyLimits = { areas: ['counter', 'tables'] }

/** Revokes the till keys of a user whose sessions are over. They do nothing any more, but would count. */
async function revokeEnded({ api, account }: AccountRequestContext, user: string): Promise<void> {
  const active = await recordsOf(api.store, account.id, API_KEY, { live: true })
  for (const key of active)
    if (key.user === user && key.session !== undefined && !(await isHeldStill(api, account.id, key)))
      await revokeApiKey(api, account.id, key.id)
}

export const revokeKey = accountOperation({
  name: 'revokeKey',
  summary: 'Revoke one of your API keys; for owners, any of the account',
  description: 'It stops at once, with the JWTs that name it.',
  tag: 'Account',
  area: 'management',
  method: 'DELETE',
  path: '/api/keys/{keyId}',
  peopleOnly: true,
  right: 'configure',
  responses: { 204: { description: 'The key is revoked.' } },
  refusals: ['key_unknown'],
  async run({ api, account, person }, { params }) {
    const key = (await api.engine.read(API_KEY, { account: account.id, id: params.keyId }))?.record
    if (key === undefined || !isOwn(signedInPerson(person), key)) return { refused: { code: 'key_unknown' } }
    const revoked = await revokeApiKey(api, account.id, key.id)
    return 'refused' in revoked ? revoked : { status: 204 }
  },
})

/** Whether a user may see and revoke a key. Owners answer for those of nobody. */
function isOwn({ user }: Person, key: ApiKey): boolean {
  return key.user === user.id || mayDo(user.role, 'own')
}

async function viewOf({ api, account }: AccountRequestContext, key: ApiKey): Promise<Static<typeof KEY>> {
  const { id, label, user = null, limits: { areas, terminals } = {}, status, createdAt } = key
  const hasEnded = status === 'active' && !(await isHeldStill(api, account.id, key))
  return {
    ...{ id, label, user, madeBy: makerOf(key) },
    areas: areas === undefined ? null : [...areas],
    terminals: terminals === undefined ? null : [...terminals],
    status: hasEnded ? 'ended' : status,
    createdAt: utcTimeOf(createdAt),
  }
}

function makerOf({ user }: ApiKey): Static<typeof KEY>['madeBy'] {
  if (user === undefined) return 'before_users'
  return user === null ? 'command_line' : 'user'
}
