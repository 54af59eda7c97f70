// src/api/operations/management/managed-passkeys.ts — management API: users add passkeys and sign in by them. ADR 78.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { type Static, Type } from 'typebox'
import type { Passkey } from '../../../domain/people/factors.ts'
import { UNCACHED } from '../../answer.ts'
import { utcTimeOf } from '../../local-time.ts'
import { accountOperation, openOperation, type RequestContext } from '../../operation.ts'
import { refusalOfPassword } from '../../people/password-check.ts'
import { signedInPerson } from '../../people/person.ts'
import { isFromConsole, originOf } from '../../people/session-caller.ts'
import { auditIfKnown, welcome } from '../../people/signing-in.ts'
import { plainText, TIME } from '../../schemas.ts'
import { ACCOUNT_NAME, OWN_PASSWORD, SIGNED_IN, SIGNED_IN_EXAMPLE } from './people-schemas.ts'

/** Binary values of WebAuthn in JSON. */
const BYTES = Type.String({ maxLength: 16_384, pattern: '^[A-Za-z0-9_-]*$' })
const ID = Type.String({ minLength: 1, maxLength: 1_400, pattern: '^[A-Za-z0-9_-]+$', description: 'Base64url.' })
/** Of what browsers say, only what is checked. */
const CREDENTIAL = { id: ID, rawId: ID, type: Type.Literal('public-key') }

/** `PublicKeyCredential.toJSON()` of a new passkey. */
const CREATED = Type.Object(
  {
    ...CREDENTIAL,
    response: Type.Object({
      clientDataJSON: BYTES,
      attestationObject: BYTES,
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 })),
    }),
  },
  { description: 'What the browser made: `PublicKeyCredential.toJSON()`.' },
)

/** `PublicKeyCredential.toJSON()` of a sign-in. */
const SIGNED = Type.Object(
  {
    ...CREDENTIAL,
    response: Type.Object({ clientDataJSON: BYTES, authenticatorData: BYTES, signature: BYTES }),
  },
  { description: 'What the browser has signed: `PublicKeyCredential.toJSON()`.' },
)

const PASSKEY_ID = 'KEDetxZcUfinhVi6Za5nZQ'
const CLIENT_DATA = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'

/** Options as `parseRequestOptionsFromJSON` and `parseCreationOptionsFromJSON` of browsers take them. */
const OPTIONS = Type.Object({}, { additionalProperties: true, description: 'For the browser, as WebAuthn defines it.' })

const PASSKEY = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    addedAt: TIME,
    usedAt: Type.Union([TIME, Type.Null()], { description: 'When it was last used to sign in.' }),
  },
  { $id: 'Passkey' },
)

const PASSKEY_EXAMPLE: Static<typeof PASSKEY> = {
  ...{ id: PASSKEY_ID, name: 'My phone', addedAt: '2026-05-06T13:03:27.000Z', usedAt: null },
}

export const listPasskeys = accountOperation({
  name: 'listPasskeys',
  summary: 'List your passkeys',
  tag: 'People',
  area: 'management',
  method: 'GET',
  path: '/api/session/passkeys',
  peopleOnly: true,
  responses: {
    200: {
      description: 'Oldest first.',
      schema: Type.Object({ passkeys: Type.Array(PASSKEY) }),
      example: { passkeys: [PASSKEY_EXAMPLE] },
    },
  },
  run: ({ person }) => ({
    status: 200,
    body: { passkeys: (signedInPerson(person).user.passkeys ?? []).map(viewOf) },
  }),
})

export const getPasskeyCreation = accountOperation({
  name: 'getPasskeyCreation',
  summary: 'Get what the browser needs to make a passkey',
  description: 'It counts for five minutes.',
  tag: 'People',
  area: 'management',
  method: 'GET',
  path: '/api/session/passkeys/creation',
  peopleOnly: true,
  responses: {
    200: {
      description: 'Options for `navigator.credentials.create`.',
      schema: OPTIONS,
      example: {
        challenge: 'MTc3ODA3MjYwNzAwMA',
        rp: { name: 'Tollgate', id: 'pay.example' },
        user: { id: 'c2hvcHM', name: 'ann', displayName: 'Ann Example' },
        pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
      },
    },
  },
  async run(context) {
    const { user } = signedInPerson(context.person)
    const options = await context.api.people.passkeys.creationOptions(user, siteOf(context))
    return { status: 200, body: { ...options }, headers: UNCACHED }
  },
})

export const addPasskey = accountOperation({
  name: 'addPasskey',
  summary: 'Add a passkey',
  description: 'You sign in by it without a password. Ten at most.',
  tag: 'People',
  area: 'management',
  method: 'POST',
  path: '/api/session/passkeys',
  peopleOnly: true,
  right: 'read',
  body: {
    schema: Type.Object(
      {
        password: OWN_PASSWORD,
        name: plainText(100),
        credential: CREATED,
      },
      { additionalProperties: false },
    ),
    examples: {
      'a phone': {
        ...{ password: '…', name: 'My phone' },
        credential: {
          ...{ id: PASSKEY_ID, rawId: PASSKEY_ID, type: 'public-key' },
          response: { clientDataJSON: CLIENT_DATA, attestationObject: 'o2NmbXRkbm9uZQ', transports: ['internal'] },
        },
      },
    },
  },
  responses: { 201: { description: 'The passkey.', schema: PASSKEY, example: PASSKEY_EXAMPLE } },
  refusals: ['too_fast', 'sign_in_refused', 'passkey_refused', 'passkeys_exhausted', 'field_invalid', 'gateway_busy'],
  async run(context, { body }) {
    const read = await body()
    if ('refused' in read) return read
    const { user } = signedInPerson(context.person)
    const { password, name, credential } = read.value
    const wrong = await refusalOfPassword(context.api, user, password)
    if (wrong !== null) return wrong
    const made: RegistrationResponseJSON = { ...credential, clientExtensionResults: {} }
    const added = await context.api.people.passkeys.add(user, { name, credential: made }, siteOf(context))
    return 'refused' in added ? added : { status: 201, body: viewOf(added.passkey) }
  },
})

export const removePasskey = accountOperation({
  name: 'removePasskey',
  summary: 'Remove one of your passkeys',
  tag: 'People',
  area: 'management',
  method: 'DELETE',
  path: '/api/session/passkeys/{passkeyId}',
  peopleOnly: true,
  right: 'read',
  responses: { 204: { description: 'Nobody signs in by it any more.' } },
  refusals: ['passkey_unknown'],
  run: async ({ api, person }, { params }) =>
    (await api.people.passkeys.remove(signedInPerson(person).user, params.passkeyId)) ?? { status: 204 },
})

export const getPasskeyRequest = openOperation({
  name: 'getPasskeyRequest',
  summary: 'Get what the browser needs to sign in by a passkey',
  description: 'It counts once, for five minutes. It says nothing about users.',
  tag: 'People',
  area: 'management',
  method: 'GET',
  path: '/api/session/passkey',
  responses: {
    200: {
      description: 'Options for `navigator.credentials.get`.',
      schema: OPTIONS,
      example: { challenge: 'MTc3ODA3MjYwNzAwMA', rpId: 'pay.example', userVerification: 'required' },
    },
  },
  async run(context) {
    const options = await context.api.people.passkeys.requestOptions(siteOf(context))
    return { status: 200, body: { ...options }, headers: UNCACHED }
  },
})

export const signInByPasskey = openOperation({
  name: 'signInByPasskey',
  summary: 'Sign in to the console by a passkey',
  description: 'As `signIn`, but without a password and a one-time code: the device has asked for a PIN or a finger.',
  tag: 'People',
  area: 'management',
  method: 'POST',
  path: '/api/session/passkey',
  body: {
    schema: Type.Object({ account: ACCOUNT_NAME, credential: SIGNED }, { additionalProperties: false }),
    examples: {
      'a phone': {
        account: 'harbour',
        credential: {
          ...{ id: PASSKEY_ID, rawId: PASSKEY_ID, type: 'public-key' },
          response: { clientDataJSON: CLIENT_DATA, authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4', signature: 'MEUCIQ' },
        },
      },
    },
  },
  responses: { 200: { description: 'Signed in. The cookie is set.', schema: SIGNED_IN, example: SIGNED_IN_EXAMPLE } },
  refusals: ['origin_refused', 'passkey_refused', 'field_invalid'],
  async run(context, { body }) {
    const { api, request } = context
    const site = siteOf(context)
    if (!isFromConsole(request, site.origin, false)) return { refused: { code: 'origin_refused' } }
    const read = await body()
    if ('refused' in read) return read
    const { account, credential } = read.value
    const signed: AuthenticationResponseJSON = { ...credential, clientExtensionResults: {} }
    const verified = await api.people.passkeys.verify(account, signed, site)
    if ('refused' in verified) return verified
    const end = await auditIfKnown(context, account, verified.user.id, 'signInByPasskey')
    const found = await api.people.sessions.start(verified.user, request.headers['user-agent'] ?? '')
    const refusal = 'refused' in found ? found.refused.code : null
    await end({ status: refusal === null ? 200 : 401, refusal })
    return 'refused' in found ? found : welcome(context, found, site.origin)
  },
})

function siteOf({ api, base }: RequestContext) {
  return { origin: originOf(api.settings.consoleUrl ?? base) }
}

function viewOf({ id, name, addedAt, usedAt }: Passkey): Static<typeof PASSKEY> {
  return { id, name, addedAt: utcTimeOf(addedAt), usedAt: usedAt === null ? null : utcTimeOf(usedAt) }
}
