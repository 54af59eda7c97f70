// src/api/operations/online/three-d-secure-operations.ts — completes a challenge when the payer returns from the issuer.
// The result that a browser sends is not trusted: the directory server is queried.

import { Type } from 'typebox'
import type { OnlinePayment } from '../../../domain/online/payment.ts'
import type { AbandonReason } from '../../../domain/online/payment-decisions.ts'
import { framedPage, SEND_TO_PARENT } from '../../describe/pages/framed.ts'
import { toIssuerPage } from '../../describe/pages/issuer-relays.ts'
import { browserBody, CHALLENGE_PATH } from '../../online/browser-answer.ts'
import { readFields } from '../../online/fields.ts'
import { issuerOriginOf } from '../../online/issuer-origin.ts'
import { BROWSER_ANSWER } from '../../online/schemas.ts'
import { type Answer, openOperation, type RequestContext } from '../../operation.ts'
import { refusedFor } from '../../read/field-fault.ts'
import type { Refused } from '../../read/json-body.ts'
import { accountOfToken, nextActionOf } from './browser-payments.ts'

/** Longest wait for the issuer's result, in milliseconds. */
const RESULT_WAIT_MS = 12_000
const LONGEST = 16_384

/** Action codes of SDKs for an abandoned challenge. */
const ABANDONED: Readonly<Record<string, AbandonReason>> = {
  CANCEL: 'closed',
  CANCELLED: 'closed',
  FAILURE: 'not_authenticated',
  ERROR: 'page_failed',
  TIMEOUT: 'timed_out',
}

export const completeChallenge = openOperation({
  name: 'completeChallenge',
  summary: 'Continue after the issuer’s page',
  description:
    '`transactionId` is the `md` of the answer with status 3. The gateway gets the outcome from the issuer, not from this request. ' +
    'But the browser can cancel: with the `actionCode` `CANCEL`, `FAILURE`, `ERROR` or `TIMEOUT` the payment ends with 5, uncharged, ' +
    'whatever the issuer decides, unless the acquirer was asked before.',
  tag: 'Browser',
  area: 'browser',
  method: 'POST',
  path: '/mobile/payments/{token}/three-ds-complete',
  body: {
    schema: Type.Object({
      transactionId: Type.String({ writeOnly: true }),
      paRes: Type.Optional(Type.String({ writeOnly: true })),
      cardinalValidateResponse: Type.Optional(
        Type.Object({
          isValidated: Type.Optional(Type.Boolean()),
          errorNumber: Type.Optional(Type.Integer()),
          errorDescription: Type.Optional(Type.String()),
          actionCode: Type.Optional(Type.String({ description: 'CANCEL: the payer closed the page.' })),
        }),
      ),
    }),
    examples: { done: { transactionId: '5f0c1a523a0e4b579a0d5f6f2f2f9a10', paRes: 'eyJ…' } },
  },
  responses: { 200: { description: 'The outcome.', schema: BROWSER_ANSWER } },
  refusals: ['online_field_invalid', 'access_token_spent', 'outcome_unknown'],
  accountOf: accountOfToken,
  async run(context, { params, json }) {
    const payment = (await context.api.online.find(params.token))?.record
    if (payment === undefined || payment.challenge === null) return { refused: { code: 'access_token_spent' } }
    const sent = await json()
    if ('refused' in sent) return sent
    const read = readFields(sent.value, fields => ({
      md: fields.required('transactionId', LONGEST),
      action: fields.object('cardinalValidateResponse')?.text('actionCode', LONGEST).toUpperCase() ?? '',
    }))
    if ('invalid' in read) return refusedFor(read, 'online_field_invalid')
    if (read.value.md !== payment.challenge.md)
      return refusedFor(
        { invalid: 'transactionId', says: 'is not that of the challenge of this payment.' },
        'online_field_invalid',
      )
    const { action } = read.value
    return complete(context, payment, Object.hasOwn(ABANDONED, action) ? (ABANDONED[action] ?? null) : null)
  },
})

export const returnFromIssuer = openOperation({
  name: 'returnFromIssuer',
  summary: 'Receive the payer from the issuer’s page',
  description:
    'The form fields `MD` (or `threeDSSessionData`) with `PaRes` or `cres`. Answers with a page that posts a message to its ' +
    'parent window: `{messageData: {statusCode, message, authCode, reason}}`.',
  tag: 'Browser',
  area: 'browser',
  method: 'POST',
  path: '/three-d-secure/return',
  body: {
    schema: Type.Object({
      MD: Type.Optional(Type.String()),
      threeDSSessionData: Type.Optional(Type.String()),
      PaRes: Type.Optional(Type.String()),
      cres: Type.Optional(Type.String()),
    }),
    examples: {},
    mediaType: 'application/x-www-form-urlencoded',
  },
  responses: { 200: { description: 'A page.', mediaType: 'text/html' } },
  refusals: ['access_token_spent'],
  accountOf: accountOfChallenge,
  async run(context, { form: readForm }) {
    const form = readForm()
    if ('refused' in form) return form
    const payment = await context.api.online.challenged(challengeIn(form.value))
    if (payment === null) return { refused: { code: 'access_token_spent' } }
    const answer = await complete(context, payment, null)
    const messageData = 'body' in answer ? answer.body : { statusCode: 500, message: 'The outcome is not known yet.' }
    return framedPage({
      title: 'One moment',
      body: '<p role="status">You can go back to the shop.</p>',
      script: SEND_TO_PARENT,
      message: { messageData },
    })
  },
})

export const goToIssuer = openOperation({
  name: 'goToIssuer',
  summary: 'Send the payer to the issuer’s page',
  description:
    'The `stepUpUrl` of a challenge by a scheme’s directory server: a page that posts `creq` and `threeDSSessionData` to the ' +
    'issuer. Its policy allows this issuer’s origin only.',
  tag: 'Browser',
  area: 'browser',
  method: 'POST',
  path: CHALLENGE_PATH,
  body: {
    schema: Type.Object({ MD: Type.String(), JWT: Type.Optional(Type.String()) }),
    examples: {},
    mediaType: 'application/x-www-form-urlencoded',
  },
  responses: { 200: { description: 'A page.', mediaType: 'text/html' } },
  refusals: ['access_token_spent'],
  accountOf: accountOfChallenge,
  async run({ api }, { form: readForm }) {
    const form = readForm()
    if ('refused' in form) return form
    const md = challengeIn(form.value)
    const payment = await api.online.challenged(md)
    const origin = issuerOriginOf(payment)
    if (payment?.challenge == null || origin === null) return { refused: { code: 'access_token_spent' } }
    // What is posted is what the directory server said, not what the browser brings.
    const { acsUrl, payload } = payment.challenge
    return toIssuerPage({ url: acsUrl, fields: { creq: payload, threeDSSessionData: md } }, origin)
  },
})

/** The account of the challenge that a form names; null when there is none. */
async function accountOfChallenge(
  { api }: RequestContext,
  { form }: { form(): { readonly value: URLSearchParams } | Refused },
): Promise<string | null> {
  const sent = form()
  return 'refused' in sent ? null : ((await api.online.challenged(challengeIn(sent.value)))?.merchantAccount ?? null)
}

function challengeIn(form: URLSearchParams): string {
  return form.get('MD') ?? form.get('threeDSSessionData') ?? ''
}

async function complete(
  context: RequestContext,
  payment: OnlinePayment,
  abandonReason: AbandonReason | null,
): Promise<Answer> {
  const { api, base } = context
  const key = { account: payment.merchantAccount, id: payment.id }
  const before = (await api.online.findById(key))?.record ?? payment
  if (abandonReason !== null) await api.online.abandon(key, abandonReason)
  else await api.online.completeChallenge(before, RESULT_WAIT_MS)
  const record = (await api.online.findById(key))?.record ?? before
  // The issuer has no result yet: the payer still has to complete the challenge.
  if (record.progress === 'authorizing') return { status: 200, body: browserBody(record, base) }
  return nextActionOf(context, record)
}
