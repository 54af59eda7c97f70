// src/api/operations/management/managed-users.ts — management API: owners manage the users of their account. ADR 77.
import { type Static, Type } from 'typebox'
import type { User } from '../../../domain/people/user.ts'
import { utcTimeOf } from '../../local-time.ts'
import { accountOperation } from '../../operation.ts'
import { oneOf, plainText, TIME } from '../../schemas.ts'
import { PASSWORD, ROLE, USER_NAME } from './people-schemas.ts'

const USER = Type.Object(
  {
    user: Type.String(),
    name: Type.String(),
    role: ROLE,
    status: oneOf(['active', 'ended']),
    oneTimeCodes: Type.Boolean({ description: 'Whether the user needs a one-time code besides the password.' }),
    passkeys: Type.Integer({ description: 'How many the user has.' }),
    createdAt: TIME,
    passwordSetAt: TIME,
  },
  { $id: 'User' },
)

const USER_EXAMPLE: Static<typeof USER> = {
  ...{ user: 'ben', name: 'Ben Example', role: 'till_staff', status: 'active' },
  ...{ oneTimeCodes: false, passkeys: 0 },
  ...{ createdAt: '2026-05-06T13:03:27.000Z', passwordSetAt: '2026-05-06T13:03:27.000Z' },
}

export const listUsers = accountOperation({
  name: 'listUsers',
  summary: 'List the users of the account',
  tag: 'People',
  area: 'management',
  method: 'GET',
  path: '/api/users',
  peopleOnly: true,
  right: 'own',
  responses: {
    200: {
      description: 'Newest first, also those that have ended.',
      schema: Type.Object({ users: Type.Array(USER) }),
      example: { users: [USER_EXAMPLE] },
    },
  },
  run: async ({ api, account }) => ({
    status: 200,
    body: { users: (await api.people.users.list(account.id)).map(viewOf) },
  }),
})

const NAME = plainText(100, { description: 'Of the person.' })

export const addUser = accountOperation({
  name: 'addUser',
  summary: 'Add a user',
  description: 'Give the password to the person, who changes it after signing in. A name that has ended stays taken.',
  tag: 'People',
  area: 'management',
  method: 'POST',
  path: '/api/users',
  peopleOnly: true,
  right: 'own',
  body: {
    schema: Type.Object(
      { user: USER_NAME, name: NAME, role: ROLE, password: PASSWORD },
      { additionalProperties: false },
    ),
    examples: { 'a cashier': { user: 'ben', name: 'Ben Example', role: 'till_staff', password: 'kettle lamp river' } },
  },
  responses: { 201: { description: 'The user.', schema: USER, example: USER_EXAMPLE } },
  refusals: ['field_invalid', 'card_number_misplaced', 'already_exists', 'gateway_busy'],
  async run({ api, account }, { body }) {
    const read = await body()
    if ('refused' in read) return read
    const made = await api.people.users.add(account.id, read.value)
    return 'refused' in made ? made : { status: 201, body: viewOf(made.record) }
  },
})

export const changeUser = accountOperation({
  name: 'changeUser',
  summary: 'Change the role of a user',
  description: 'In force at the next request. The last owner stays one.',
  tag: 'People',
  area: 'management',
  method: 'PATCH',
  path: '/api/users/{user}',
  peopleOnly: true,
  right: 'own',
  body: {
    schema: Type.Object({ role: ROLE }, { additionalProperties: false }),
    examples: { promotion: { role: 'developer' } },
  },
  responses: { 200: { description: 'The user.', schema: USER, example: USER_EXAMPLE } },
  refusals: ['user_unknown', 'last_owner', 'field_invalid'],
  async run({ api, account }, { params, body }) {
    const read = await body()
    if ('refused' in read) return read
    const made = await api.people.users.changeRole(account.id, params.user, read.value.role, true)
    return 'refused' in made ? made : { status: 200, body: viewOf(made.record) }
  },
})

export const setUserPassword = accountOperation({
  name: 'setUserPassword',
  summary: 'Set the password of a user',
  description: 'For somebody who has forgotten it. Ends the sessions of the user.',
  tag: 'People',
  area: 'management',
  method: 'PUT',
  path: '/api/users/{user}/password',
  peopleOnly: true,
  right: 'own',
  body: {
    schema: Type.Object({ password: PASSWORD }, { additionalProperties: false }),
    examples: { 'a new one': { password: 'kettle lamp river' } },
  },
  responses: { 204: { description: 'The new password is in force.' } },
  refusals: ['user_unknown', 'field_invalid', 'gateway_busy'],
  async run({ api, account }, { params, body }) {
    const read = await body()
    if ('refused' in read) return read
    const made = await api.people.users.setPassword(account.id, params.user, read.value.password)
    return 'refused' in made ? made : { status: 204 }
  },
})

export const endUser = accountOperation({
  name: 'endUser',
  summary: 'End a user, for good',
  description: 'The sessions of the user are over at once. What the user did stays in the audit log.',
  tag: 'People',
  area: 'management',
  method: 'DELETE',
  path: '/api/users/{user}',
  peopleOnly: true,
  right: 'own',
  responses: { 204: { description: 'The user can sign in no more.' } },
  refusals: ['user_unknown', 'last_owner'],
  async run({ api, account }, { params }) {
    const made = await api.people.users.end(account.id, params.user, true)
    return 'refused' in made ? made : { status: 204 }
  },
})

function viewOf(user: User): Static<typeof USER> {
  const { id, name, role, status, createdAt, passwordSetAt, oneTimeCodes, passkeys = [] } = user
  return {
    ...{ user: id, name, role, status, oneTimeCodes: Boolean(oneTimeCodes), passkeys: passkeys.length },
    createdAt: utcTimeOf(createdAt),
    passwordSetAt: utcTimeOf(passwordSetAt),
  }
}
