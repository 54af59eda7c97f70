// src/simulator/operations/issuer-pages.ts — the simulated issuers' pages, which the payer's browser opens. Sandbox mode
// only.

import { Type } from 'typebox'
import { framedPage, SEND_TO_PARENT } from '../../api/describe/pages/framed.ts'
import { RETURN_PATH } from '../../api/online/browser-answer.ts'
import { type Answer, openOperation } from '../../api/operation.ts'
import { refusedFor } from '../../api/read/field-fault.ts'
import { sandboxOf } from '../interceptor/interceptor.ts'
import type { ChallengeAnswer } from '../three-d-secure/issuer-pages.ts'
import { challengePage, returningPage, unansweredPage } from './challenge-html.ts'

const FORM = 'application/x-www-form-urlencoded'
const ANSWER_PATH = '/acs/challenge/answer'
const UNKNOWN: Answer = { refused: { code: 'payment_unknown' } }
const FOREIGN_RETURN: Answer = refusedFor(
  { invalid: 'TermUrl', says: 'is not the termUrl of this payment.' },
  'online_field_invalid',
)

export const openChallenge = openOperation({
  name: 'openChallenge',
  summary: 'The challenge page of the simulated issuer',
  description:
    'Version 2: the form fields `JWT` (or `creq`) and `MD`. Version 1: `PaReq`, `MD` and `TermUrl`, which must be the `termUrl` ' +
    'of the payment.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'POST',
  path: '/acs/challenge',
  body: {
    schema: Type.Object({
      MD: Type.String(),
      JWT: Type.Optional(Type.String()),
      creq: Type.Optional(Type.String()),
      PaReq: Type.Optional(Type.String()),
      TermUrl: Type.Optional(Type.String()),
    }),
    examples: {},
    mediaType: FORM,
  },
  responses: { 200: { description: 'A page.', mediaType: 'text/html' } },
  refusals: ['online_field_invalid', 'payment_unknown'],
  async run(context, { form: readForm }) {
    const form = readForm()
    if ('refused' in form) return form
    const view = await sandboxOf(context.api).challengePages.view(form.value.get('MD') ?? '')
    if (!returnsToGateway(form.value)) return FOREIGN_RETURN
    return view ? challengePage(view, ANSWER_PATH, RETURN_PATH) : UNKNOWN
  },
})

export const answerChallenge = openOperation({
  name: 'answerChallenge',
  summary: 'Submit the challenge page of the simulated issuer',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'POST',
  path: ANSWER_PATH,
  body: {
    schema: Type.Object({
      MD: Type.String(),
      action: Type.Optional(Type.String({ description: 'submit, resend or cancel.' })),
      code: Type.Optional(Type.String()),
      TermUrl: Type.Optional(Type.String()),
    }),
    examples: {},
    mediaType: FORM,
  },
  responses: {
    200: { description: 'The page again, or one that redirects to the gateway.', mediaType: 'text/html' },
  },
  refusals: ['online_field_invalid', 'payment_unknown'],
  async run(context, { form: readForm }) {
    const form = readForm()
    if ('refused' in form) return form
    if (!returnsToGateway(form.value)) return FOREIGN_RETURN
    const taken = await sandboxOf(context.api).challengePages.answer(form.value.get('MD') ?? '', answerIn(form.value))
    if (!taken) return UNKNOWN
    switch (taken.step) {
      case 'again':
        return challengePage(taken.view, ANSWER_PATH, RETURN_PATH)
      case 'unanswered':
        return unansweredPage()
      case 'decided':
        return returningPage(taken.view, RETURN_PATH, taken.times)
    }
  },
})

export const receiveDeviceData = openOperation({
  name: 'receiveDeviceData',
  summary: 'Receive device data for the simulated issuer',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'POST',
  path: '/acs/device-data',
  body: { schema: Type.Object({ JWT: Type.Optional(Type.String()) }), examples: {}, mediaType: FORM },
  responses: { 200: { description: 'A page that notifies its parent window.', mediaType: 'text/html' } },
  async run(_, { form: readForm }) {
    const form = readForm()
    if ('refused' in form) return form
    return framedPage({
      title: 'One moment',
      body: '',
      script: SEND_TO_PARENT,
      message: { MessageType: 'profile.completed', Status: true },
    })
  },
})

function answerIn(form: URLSearchParams): ChallengeAnswer {
  const action = form.get('action')
  if (action === 'resend' || action === 'cancel') return { action }
  return { action: 'submit', code: (form.get('code') ?? '').slice(0, 64) }
}

/**
 * Version 1 names its return address, which must be the gateway's. The page returns to the host name by which the browser has
 * reached it, which may differ from the public one.
 */
function returnsToGateway(form: URLSearchParams): boolean {
  const given = form.get('TermUrl') ?? ''
  if (given === '') return true
  if (!URL.canParse(given, 'http://gateway')) return false
  const { protocol, pathname, search } = new URL(given, 'http://gateway')
  return /^https?:$/.test(protocol) && pathname === RETURN_PATH && search === ''
}
