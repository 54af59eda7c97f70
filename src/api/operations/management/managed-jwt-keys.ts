// src/api/operations/management/managed-jwt-keys.ts — management API: public keys that verify a merchant's JWTs.

import { type Static, Type } from 'typebox'
import type { JwtKey } from '../../../domain/accounts/jwt-key.ts'
import { decodeRecord } from '../../../engine/decoding.ts'
import { JWT_KEY } from '../../../engine/machines.ts'
import {
  registerJwtKey as registerKey,
  revokeJwtKey as revokeKey,
} from '../../../services/provisioning/jwt-key-store.ts'
import { utcTimeOf } from '../../local-time.ts'
import { accountOperation } from '../../operation.ts'
import { publicKeyOf } from '../../public-key.ts'
import { faultSaying, kindOf, nothingIn, refusedFor } from '../../read/field-fault.ts'
import { TIME } from '../../schemas.ts'

const KEY = Type.Object(
  {
    id: Type.String(),
    kid: Type.String({ description: 'Id of the key in the header of JWTs.' }),
    label: Type.String(),
    status: Type.String(),
    createdAt: TIME,
  },
  { $id: 'JwtKey' },
)

export const listJwtKeys = accountOperation({
  name: 'listJwtKeys',
  summary: 'List the public keys for JWTs of the account',
  tag: 'Account',
  area: 'management',
  method: 'GET',
  path: '/api/jwt-keys',
  responses: {
    200: { description: 'Newest first, including revoked ones.', schema: Type.Object({ keys: Type.Array(KEY) }) },
  },
  async run({ api, account }) {
    const listed = await api.store.list(account.id, { kind: JWT_KEY.kind, limit: 100 })
    return { status: 200, body: { keys: listed.map(({ body }) => viewOf(decodeRecord(JWT_KEY, body))) } }
  },
})

export const registerJwtKey = accountOperation({
  name: 'registerJwtKey',
  summary: 'Register a public key for JWTs',
  description:
    'From now on, JWTs are accepted that are signed with its private key (RS256) and have an API key of this account as `apiKey`.',
  tag: 'Account',
  area: 'management',
  method: 'POST',
  path: '/api/jwt-keys',
  right: 'configure',
  body: {
    schema: Type.Object({
      // Somebody may send the private half.
      publicKey: Type.String({
        maxLength: 8_192,
        writeOnly: true,
        description: 'RSA, 2048 bits or more: PEM, or a JWK as text.',
      }),
      kid: Type.Optional(
        Type.String({
          pattern: '^[\\w.-]{1,64}$',
          description: 'Id of the key in the header of JWTs. Default: a generated one.',
        }),
      ),
      label: Type.Optional(Type.String({ maxLength: 100 })),
    }),
    examples: {
      'a key': { publicKey: '-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----', label: 'shop server' },
    },
  },
  responses: { 201: { description: 'The key.', schema: KEY } },
  refusals: ['field_invalid', 'card_number_misplaced', 'already_exists', 'too_many_keys'],
  async run({ api, account }, { json }) {
    // PEM keys have line breaks, which the schema reader refuses in texts.
    const sent = await json()
    if ('refused' in sent) return sent
    const { publicKey, kid, label = '' } = sent.value
    const key = typeof publicKey === 'string' ? publicKeyOf(publicKey) : null
    if (key === null)
      return refusedFor(
        faultSaying(
          'publicKey',
          nothingIn(publicKey) ?? 'cannot be read',
          'an RSA key of 2048 bits or more, as PEM or as the text of a JWK',
        ),
      )
    if (kid !== undefined && !(typeof kid === 'string' && /^[\w.-]{1,64}$/.test(kid)))
      return refusedFor(
        faultSaying('kid', nothingIn(kid) ?? 'is not a name', '1 to 64 letters, digits, dots, hyphens and underscores'),
      )
    if (typeof label !== 'string' || label.length > 100 || /[\p{Cc}\p{Cs}]/u.test(label))
      return refusedFor(
        faultSaying(
          'label',
          typeof label === 'string' ? 'is too long, or not plain text in one line' : kindOf(label),
          'a text of 100 characters at most in one line',
        ),
      )
    const pem = key.export({ type: 'spki', format: 'pem' }).toString()
    const made = await registerKey(api, account.id, { publicKey: pem, kid: kid ?? null, label })
    return 'refused' in made ? made : { status: 201, body: viewOf(made.record) }
  },
})

export const revokeJwtKey = accountOperation({
  name: 'revokeJwtKey',
  summary: 'Revoke a public key for JWTs',
  description: 'All JWTs signed with it stop working at once.',
  tag: 'Account',
  area: 'management',
  method: 'DELETE',
  path: '/api/jwt-keys/{keyId}',
  right: 'configure',
  responses: { 204: { description: 'The key is revoked.' } },
  refusals: ['key_unknown'],
  async run({ api, account }, { params }) {
    const made = await revokeKey(api, account.id, params.keyId)
    return 'refused' in made ? made : { status: 204 }
  },
})

function viewOf({ id, kid, label, status, createdAt }: JwtKey): Static<typeof KEY> {
  return { id, kid, label, status, createdAt: utcTimeOf(createdAt) }
}
