// src/api/operations/management/managed-factors.ts — management API: one-time codes as a second factor of users. ADR 78.
import { Type } from 'typebox'
import { UNCACHED } from '../../answer.ts'
import { accountOperation } from '../../operation.ts'
import { refusalOfPassword } from '../../people/password-check.ts'
import { signedInPerson } from '../../people/person.ts'
import { CODE, OWN_PASSWORD } from './people-schemas.ts'

const SECRET_EXAMPLE = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const SECRET = Type.String({ minLength: 26, maxLength: 128, description: 'Base 32.' })

export const getOneTimeCodes = accountOperation({
  name: 'getOneTimeCodes',
  summary: 'See whether you sign in with one-time codes, and get a secret for them',
  description: 'The secret is a new one with each call. It counts once `setOneTimeCodes` has it with a code.',
  tag: 'People',
  area: 'management',
  method: 'GET',
  path: '/api/session/one-time-codes',
  peopleOnly: true,
  responses: {
    200: {
      description: 'The state, and a secret that is not in force.',
      schema: Type.Object({
        active: Type.Boolean(),
        recoveryCodesLeft: Type.Integer(),
        secret: SECRET,
        uri: Type.String({ description: '`otpauth://…`, for the QR code that an authenticator app reads.' }),
      }),
      example: {
        ...{ active: false, recoveryCodesLeft: 0, secret: SECRET_EXAMPLE },
        uri: `otpauth://totp/Tollgate:harbour%3A%20ann?issuer=Tollgate&secret=${SECRET_EXAMPLE}&algorithm=SHA1&digits=6&period=30`,
      },
    },
  },
  run({ api, account, person }) {
    const { user } = signedInPerson(person)
    const { oneTimeCodes = null } = user
    const proposal = api.people.oneTimeCodes.propose(account.id, user.id)
    const body = { active: oneTimeCodes !== null, recoveryCodesLeft: oneTimeCodes?.recovery.length ?? 0, ...proposal }
    return { status: 200, body, headers: UNCACHED }
  },
})

export const setOneTimeCodes = accountOperation({
  name: 'setOneTimeCodes',
  summary: 'Sign in with one-time codes from now on',
  description:
    'Puts the secret of an authenticator app in force; the code shows that the app has it. Replaces an earlier secret and all recovery codes. ' +
    'Each recovery code counts once, instead of a one-time code.',
  tag: 'People',
  area: 'management',
  method: 'PUT',
  path: '/api/session/one-time-codes',
  peopleOnly: true,
  right: 'read',
  body: {
    schema: Type.Object({ password: OWN_PASSWORD, secret: SECRET, code: CODE }, { additionalProperties: false }),
    examples: { 'an app': { password: '…', secret: SECRET_EXAMPLE, code: '123456' } },
  },
  responses: {
    200: {
      description: 'Recovery codes, shown only once.',
      schema: Type.Object({ recoveryCodes: Type.Array(Type.String()) }),
      example: { recoveryCodes: ['k7f2-mxq4-m3pd-a6wz', 'q2hv-7tnb-c5ls-zi4e'] },
    },
  },
  refusals: ['too_fast', 'sign_in_refused', 'code_refused', 'field_invalid', 'gateway_busy'],
  async run({ api, account, person }, { body }) {
    const read = await body()
    if ('refused' in read) return read
    const { user } = signedInPerson(person)
    const wrong = await refusalOfPassword(api, user, read.value.password)
    if (wrong !== null) return wrong
    const set = await api.people.oneTimeCodes.set(account.id, user, read.value)
    return 'refused' in set ? set : { status: 200, body: { recoveryCodes: [...set.recoveryCodes] }, headers: UNCACHED }
  },
})

export const removeOneTimeCodes = accountOperation({
  name: 'removeOneTimeCodes',
  summary: 'Sign in without one-time codes',
  description: 'The secret and the recovery codes are erased.',
  tag: 'People',
  area: 'management',
  method: 'POST',
  path: '/api/session/one-time-codes/removal',
  peopleOnly: true,
  right: 'read',
  body: {
    schema: Type.Object({ password: OWN_PASSWORD }, { additionalProperties: false }),
    examples: { removal: { password: '…' } },
  },
  responses: { 204: { description: 'The password is enough, or a passkey.' } },
  refusals: ['too_fast', 'sign_in_refused', 'gateway_busy'],
  async run({ api, account, person }, { body }) {
    const read = await body()
    if ('refused' in read) return read
    const { user } = signedInPerson(person)
    const wrong = await refusalOfPassword(api, user, read.value.password)
    return wrong ?? (await api.people.oneTimeCodes.remove(account.id, user)) ?? { status: 204 }
  },
})

export const removeFactors = accountOperation({
  name: 'removeFactors',
  summary: 'Take one-time codes and passkeys away from a user',
  description: 'For somebody who has lost a phone. The password stays; sessions go on.',
  tag: 'People',
  area: 'management',
  method: 'DELETE',
  path: '/api/users/{user}/factors',
  peopleOnly: true,
  right: 'own',
  responses: { 204: { description: 'The password is enough.' } },
  refusals: ['user_unknown'],
  async run({ api, account }, { params }) {
    const made = await api.people.users.removeFactors(account.id, params.user)
    return 'refused' in made ? made : { status: 204 }
  },
})
