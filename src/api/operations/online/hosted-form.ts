// src/api/operations/online/hosted-form.ts — serves the hosted form: scripts, their hashes, and the framed documents.
import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import { CHALLENGE_STATES } from '../../../services/online/payments.ts'
import { formToken } from '../../describe/pages/form-token.ts'
import { frameHeaders, framePage } from '../../describe/pages/frame-page.ts'
import { HTML_TYPE } from '../../describe/pages/html.ts'
import { NO_WALLETS, walletsFor } from '../../describe/pages/wallet-buttons.ts'
import { publishedScripts, webFile } from '../../describe/pages/web-files.ts'
import { issuerOriginOf } from '../../online/issuer-origin.ts'
import { type Answer, openOperation } from '../../operation.ts'
import { oneOf } from '../../schemas.ts'

/** Files with a hash in their name are cached for ever; others for five minutes, so that a fix reaches the pages. */
const FOR_EVER = 'public, max-age=31536000, immutable'
const FOR_A_WHILE = 'public, max-age=300, must-revalidate'

/** The scripts run on merchants' pages, and `integrity` needs CORS. */
const FOR_EVERYBODY = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }

const TAG = 'Hosted form'

export const getScript = openOperation({
  name: 'getScript',
  summary: 'A script of the hosted form',
  description:
    '`client.js` and `checkout.js` are the newest versions. Files with version and hash in their name never change: load these ' +
    'with an `integrity` attribute.',
  tag: TAG,
  area: 'system',
  method: 'GET',
  path: '/assets/js/{file}',
  responses: { 200: { description: 'The file.', mediaType: '*/*' } },
  refusals: ['path_unknown'],
  run: (_, { params }) => scriptAnswer(params.file),
})

function scriptAnswer(name: string): Answer {
  const file = webFile(name)
  if (file === null) return { refused: { code: 'path_unknown' } }
  const cached = { 'cache-control': file.immutable ? FOR_EVER : FOR_A_WHILE }
  return { status: 200, ...file, headers: { ...FOR_EVERYBODY, ...cached } }
}

const clientScript = {
  tag: TAG,
  area: 'system',
  method: 'GET',
  responses: { 200: { description: 'The file.', mediaType: '*/*' } },
  run: () => scriptAnswer('client.js'),
} as const

export const getTwinScript = openOperation({
  ...clientScript,
  name: 'getTwinScript',
  summary: '`client.js` at the address of the twin brand',
  description: 'For pages that use the global `Dojo`.',
  path: '/payments/v1/client.js',
})

export const getTwinTestScript = openOperation({
  ...clientScript,
  name: 'getTwinTestScript',
  summary: '`client.js` at the test address of the twin brand',
  path: '/test/payments/v1/client.js',
})

export const listScripts = openOperation({
  name: 'listScripts',
  summary: 'The scripts of the hosted form with their hashes',
  description:
    'For the `integrity` attribute, and for the inventory of scripts that PCI DSS 6.4.3 requires of merchants.',
  tag: TAG,
  area: 'system',
  method: 'GET',
  path: '/assets/integrity.json',
  responses: {
    200: {
      description: 'The scripts by their plain names.',
      schema: Type.Object({
        version: Type.String(),
        scripts: Type.Record(
          Type.String(),
          Type.Object({ plain: Type.String(), versioned: Type.String(), integrity: Type.String() }),
        ),
      }),
    },
  },
  run({ base }) {
    const { version, scripts } = publishedScripts()
    const absolute = Object.entries(scripts).map(([name, { plain, versioned, integrity }]) => [
      name,
      { plain: base + plain, versioned: base + versioned, integrity },
    ])
    const headers = { ...FOR_EVERYBODY, 'cache-control': FOR_A_WHILE }
    return { status: 200, body: { version, scripts: Object.fromEntries(absolute) }, headers }
  },
})

export const getPaymentForm = openOperation({
  name: 'getPaymentForm',
  summary: 'The document in the frame of the hosted form',
  description:
    'Loaded by `client.js`. Only pages of the access token’s merchant may frame it; in sandbox mode also pages on the same ' +
    'machine.',
  tag: TAG,
  area: 'system',
  method: 'GET',
  path: '/payment-form',
  query: Type.Object({
    token: Type.Optional(Type.String({ maxLength: 512 })),
    form: Type.Optional(oneOf(['card', 'recurring', 'wallet'])),
    font: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
  }),
  responses: { 200: { description: 'A page.', mediaType: 'text/html' } },
  accountOf: async (context, { query }) => (await formToken(context, query.token ?? ''))?.account ?? null,
  async run(context, { query }) {
    const token = await formToken(context, query.token ?? '')
    const form = query.form ?? 'card'
    const wallets = token === null || form !== 'wallet' ? NO_WALLETS : walletsFor(context, token)
    const bytes = framePage({
      entry: 'frame',
      title: 'Secure card payment',
      data: {
        form,
        base: context.base,
        token: token === null ? 'unknown' : 'known',
        ...acceptIn(context.request.headers),
        ...(token === null ? {} : { 'usable-ms': String(token.usableMs) }),
        ...(token === null || form !== 'card' ? {} : { now: String(token.now) }),
        ...wallets.data,
      },
      noScript: 'To pay by card, please allow scripts of this page. Nothing was charged.',
    })
    // Without a valid token nothing can be paid, so any page may frame the form, which shows an error.
    const ancestors = token?.ancestors ?? ['*']
    const headers = frameHeaders({
      ...{ ancestors, fontOrigins: fontOrigins(query.font), frames: [] },
      ...(wallets.provider === null ? {} : { provider: wallets.provider }),
    })
    return { status: 200, bytes, mediaType: HTML_TYPE, headers }
  },
})

/** Longest header that an issuer gets. */
const LONGEST_ACCEPT = 2_048

/** For the issuer, which wants the header of a page and not that of its scripts. Without one the latter does as well. */
function acceptIn({ accept = '*/*' }: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return accept === '*/*' ? {} : { accept: accept.slice(0, LONGEST_ACCEPT) }
}

export const getFormToken = openOperation({
  name: 'getFormToken',
  summary: 'Check whether a form may use another access token',
  description: 'Requested by the form when the page replaces its token. `foreign`: the token of another merchant.',
  tag: TAG,
  area: 'system',
  method: 'GET',
  path: '/payment-form/tokens/{token}',
  query: Type.Object({ held: Type.Optional(Type.String({ maxLength: 512 })) }),
  responses: {
    200: {
      description: 'State of the token.',
      schema: Type.Object({ state: oneOf(['known', 'foreign', 'unknown']), usableMs: Type.Number() }),
    },
  },
  accountOf: async (context, { params }) => (await formToken(context, params.token))?.account ?? null,
  async run(context, { params, query }) {
    const [token, held] = await Promise.all([formToken(context, params.token), formToken(context, query.held ?? '')])
    const state = token === null ? 'unknown' : token.account === held?.account ? 'known' : 'foreign'
    return { status: 200, body: { state, usableMs: token?.usableMs ?? 0 } }
  },
})

export const getThreeDsPage = openOperation({
  name: 'getThreeDsPage',
  summary: 'The document in the frame of class `threeDs`',
  description: 'Contains the issuer’s page, and a button to cancel.',
  tag: TAG,
  area: 'system',
  method: 'GET',
  path: '/three-ds',
  query: Type.Object({ token: Type.Optional(Type.String({ maxLength: 512 })) }),
  responses: { 200: { description: 'A page.', mediaType: 'text/html' } },
  async run(context, { query }) {
    const token = await formToken(context, query.token ?? '')
    const bytes = framePage({
      entry: 'challenge',
      title: 'Confirm the payment with your bank',
      data: { base: context.base },
      noScript: 'To confirm the payment, please allow scripts of this page.',
    })
    const issuer = issuerOriginOf((await context.api.online.find(query.token ?? ''))?.record ?? null)
    const frames = issuer === null ? [] : [issuer]
    const headers = frameHeaders({ ancestors: token?.ancestors ?? [], fontOrigins: [], frames })
    return { status: 200, bytes, mediaType: HTML_TYPE, headers }
  },
})

export const getThreeDsState = openOperation({
  name: 'getThreeDsState',
  summary: 'Read the state of a shopper’s authentication',
  description:
    'Requested by the document in the frame of class `threeDs`, to detect a failed return. `decided`: the bank has decided, and ' +
    'the shopper has not returned. `unpaid`: the payment has ended without the shopper. Changes nothing.',
  tag: TAG,
  area: 'system',
  method: 'GET',
  path: '/three-ds/tokens/{token}',
  responses: { 200: { description: 'The state.', schema: Type.Object({ state: oneOf(CHALLENGE_STATES) }) } },
  async run({ api }, { params }) {
    const payment = (await api.online.find(params.token))?.record
    return { status: 200, body: { state: payment === undefined ? 'over' : await api.online.challengeState(payment) } }
  },
})

/** Returns the valid https origins among the given ones. They go into a header. */
function fontOrigins(given: string | readonly string[] | undefined): readonly string[] {
  const origins = typeof given === 'string' ? [given] : (given ?? [])
  return origins.filter(origin => /^https:\/\/[a-z0-9.-]+(?::\d+)?$/i.test(origin)).slice(0, MOST_FONTS)
}

/** Most font origins of one page. */
const MOST_FONTS = 5
