// src/simulator/operations/online.ts — operations for online payments: test cards and overrides of the next authentications.

import { Type } from 'typebox'
import { accountOperation, openOperation } from '../../api/operation.ts'
import { faultSaying, refusedFor } from '../../api/read/field-fault.ts'
import { nullable, oneOf } from '../../api/schemas.ts'
import { sandboxOf } from '../interceptor/interceptor.ts'
import { type AuthenticationOverride, CHALLENGE_FAULTS } from '../three-d-secure/issuer-pages.ts'

const MOST_OVERRIDES = 100

const WISH = Type.Object(
  {
    status: Type.Optional(
      oneOf(['Y', 'A', 'N', 'U', 'R', 'C'], {
        description:
          'Y authenticated, A attempted, N not authenticated, U unavailable, R rejected, C challenge. Default: that of the card.',
      }),
    ),
    fault: Type.Optional(oneOf(CHALLENGE_FAULTS, { description: 'Fault of the challenge page.' })),
  },
  { $id: 'AuthenticationWish' },
)
const QUEUE = Type.Object({ next: Type.Array(WISH) })

const TEST_CARD = Type.Object(
  {
    number: Type.String({ description: 'Public test number that no bank has issued.' }),
    scheme: Type.String(),
    expiry: nullable(Type.String({ description: 'MM/YY; null: any future month.' })),
    securityCode: Type.String(),
    holder: nullable(Type.String({ description: 'Null: any name.' })),
    expected: Type.Integer({ description: 'Status of a payment with this card.' }),
    mode: Type.String({ description: '3-D Secure: no, frictionless 2.0, 2.0, 1.0 or yes.' }),
    password: nullable(Type.String({ description: 'For the challenge page; null: a button, or no page.' })),
  },
  { $id: 'OnlineTestCard' },
)

export const listOnlineTestCards = openOperation({
  name: 'listOnlineTestCards',
  summary: 'List the test cards for online payments',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'GET',
  path: '/sandbox/online/cards',
  responses: { 200: { description: 'The cards.', schema: Type.Object({ cards: Type.Array(TEST_CARD) }) } },
  run: ({ api }) => ({ status: 200, body: { cards: sandboxOf(api).onlineCards } }),
})

export const getAuthentications = accountOperation({
  name: 'getAuthentications',
  summary: 'Read the outcomes of the next authentications',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'GET',
  path: '/sandbox/online/authentications',
  responses: { 200: { description: 'Next one first.', schema: QUEUE } },
  run: ({ api, account }) => ({ status: 200, body: queueOf(sandboxOf(api).issuerPages.overrides(account.id)) }),
})

export const setAuthentications = accountOperation({
  name: 'setAuthentications',
  summary: 'Set the outcomes of the next authentications',
  description: 'One entry for each authentication, in order; an empty list removes all.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'PUT',
  path: '/sandbox/online/authentications',
  right: 'configure',
  body: {
    schema: QUEUE,
    examples: {
      'a frictionless attempt, then a page that never ends': { next: [{ status: 'A' }, { fault: 'never_answers' }] },
    },
  },
  responses: { 200: { description: 'Next one first.', schema: QUEUE } },
  refusals: ['field_invalid'],
  async run({ api, account }, { json }) {
    const sent = await json()
    if ('refused' in sent) return sent
    const overrides = overridesIn(sent.value['next'])
    if (overrides === null)
      return refusedFor(faultSaying('next', 'is missing, or has an entry that is not known', ALLOWED))
    sandboxOf(api).issuerPages.setAuthenticationOverrides(account.id, overrides)
    return { status: 200, body: queueOf(overrides) }
  },
})

const STATUSES: ReadonlySet<unknown> = new Set(['Y', 'A', 'N', 'U', 'R', 'C'])
const FAULTS: ReadonlySet<unknown> = new Set(CHALLENGE_FAULTS)

const ALLOWED =
  `a list of at most ${MOST_OVERRIDES} objects with a status (${[...STATUSES].join(', ')}) ` +
  `or a fault (${CHALLENGE_FAULTS.join(', ')})`

function overridesIn(sent: unknown): readonly AuthenticationOverride[] | null {
  if (!Array.isArray(sent) || sent.length > MOST_OVERRIDES) return null
  const overrides: AuthenticationOverride[] = []
  for (const each of sent) {
    if (typeof each !== 'object' || each === null) return null
    const { status = null, fault = null } = each as Partial<AuthenticationOverride>
    if ((status !== null && !STATUSES.has(status)) || (fault !== null && !FAULTS.has(fault))) return null
    overrides.push({ status, fault })
  }
  return overrides
}

function queueOf(overrides: readonly AuthenticationOverride[]) {
  const next = overrides.map(({ status, fault }) => ({
    ...(status === null ? {} : { status }),
    ...(fault === null ? {} : { fault }),
  }))
  return { next }
}
