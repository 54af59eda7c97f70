// src/api/operations/management/people-schemas.ts — schemas about users that several operations share.
import { Type } from 'typebox'
import { RIGHTS, ROLES } from '../../../domain/people/roles.ts'
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../../../services/people/passwords.ts'
import type { SignedInView } from '../../people/signed-in.ts'
import { oneOf, plainText, TIME } from '../../schemas.ts'

export const ROLE = oneOf(ROLES, {
  description:
    '`owner`: everything. `developer`: all but users, the audit log and closing payments. `till_staff`: see, and take payments. `read_only`: see.',
})

export const ACCOUNT_NAME = plainText(64)

export const USER_NAME = plainText(64, { description: 'The name to sign in by. Case does not matter.' })

export const CODE = Type.String({
  minLength: 6,
  maxLength: 40,
  writeOnly: true,
  description: 'Of the authenticator app, or a recovery code.',
})

/** The password of the user who calls. */
export const OWN_PASSWORD = Type.String({ maxLength: 512, writeOnly: true, description: 'Of the user who calls.' })

export const PASSWORD = Type.String({
  minLength: SHORTEST_PASSWORD,
  maxLength: LONGEST_PASSWORD,
  writeOnly: true,
  description: `${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters, without the name of the user.`,
})

export const SIGNED_IN = Type.Object(
  {
    account: Type.String(),
    user: Type.String(),
    name: Type.String(),
    role: ROLE,
    rights: Type.Array(oneOf(RIGHTS), { description: 'What the role allows.' }),
    pageToken: Type.String({ description: 'For the header `Tollgate-Page-Token` of each further request.' }),
    endsAt: TIME,
  },
  { $id: 'SignedIn' },
)

export const SIGNED_IN_EXAMPLE: SignedInView = {
  ...{ account: 'harbour', user: 'ann', name: 'Ann Example', role: 'owner', rights: [...RIGHTS] },
  pageToken: 'Vh3mPqk6yqV1mJ8qkS0Yw2b7bq3J0pQe3m8kq9fWv0c',
  endsAt: '2026-05-06T13:03:27.000Z',
}
