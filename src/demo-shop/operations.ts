// src/demo-shop/operations.ts — pages and requests of the demo shop. In sandbox mode only.
import ipaddr from 'ipaddr.js'
import { Type } from 'typebox'
import { HTML_TYPE } from '../api/describe/pages/html.ts'
import { type Answer, type ApiContext, type Operation, openOperation, type RequestContext } from '../api/operation.ts'
import { oneOf } from '../api/schemas.ts'
import type { OrderFile } from './order-file.ts'
import { DEMO_HEADERS, demoCheckoutPage, demoPage, GOODS } from './page.ts'
import { type Gateway, type LaterStep, openShop, type Shop } from './shop.ts'

const TAG = 'Demo shop'
const CLOSED: Answer = { refused: { code: 'path_unknown' } }
const PAGE = { 200: { description: 'A page.', mediaType: 'text/html' } } as const
const JSON_ANSWER = {
  200: { description: 'Orders and webhooks.', schema: Type.Object({}, { additionalProperties: true }) },
} as const

const STEPS = ['collect', 'refund', 'void', 'charge-again'] as const satisfies readonly LaterStep[]

/** One shop for each gateway in this process. */
const shops = new WeakMap<ApiContext, Promise<Shop>>()

const getDemoShop = openOperation({
  name: 'getDemoShop',
  summary: 'The demo shop',
  tag: TAG,
  area: 'sandbox',
  method: 'GET',
  path: '/demo',
  responses: PAGE,
  run: ({ api }) => html(demoPage(api.demo?.cards ?? [])),
})

const getDemoState = openOperation({
  name: 'getDemoState',
  summary: 'Orders and webhooks of the demo shop',
  tag: TAG,
  area: 'sandbox',
  method: 'GET',
  path: '/demo/state',
  responses: JSON_ANSWER,
  run: context => state(context),
})

const orderInDemoShop = openOperation({
  name: 'orderInDemoShop',
  summary: 'Order something in the demo shop',
  description: 'The answer has the access token for the page. `of`: an earlier order whose card pays again.',
  tag: TAG,
  area: 'sandbox',
  method: 'POST',
  path: '/demo/orders',
  body: {
    schema: Type.Object({
      good: Type.Integer({ minimum: 0, maximum: GOODS.length - 1 }),
      kind: oneOf(['SALE', 'PREAUTH']),
      of: Type.Optional(Type.String({ maxLength: 64 })),
    }),
    examples: { coffee: { good: 0, kind: 'SALE' } },
  },
  responses: {
    200: {
      description: 'The order and its token.',
      schema: Type.Object({ token: Type.String(), order: Type.Unsafe<object>({ type: 'object' }) }),
    },
  },
  refusals: ['path_unknown'],
  async run(context, { body }) {
    const read = await body()
    if ('refused' in read) return read
    const { good, ...rest } = read.value
    const { name: what, amount } = GOODS[good] ?? GOODS[0]
    const webHookUrl = `${own(context)}/demo/webhooks`
    const gateway = await gatewayOf(context)
    if (gateway === null) return CLOSED
    const made = await (await shopOf(context)).order(gateway, { what, amount, webHookUrl, ...rest })
    return { status: 200, body: { ...made } }
  },
})

const confirmDemoOrder = openOperation({
  name: 'confirmDemoOrder',
  summary: 'Let the demo shop read the outcome of a payment',
  tag: TAG,
  area: 'sandbox',
  method: 'POST',
  path: '/demo/orders/{order}/confirm',
  responses: JSON_ANSWER,
  refusals: ['payment_unknown'],
  async run(context, { params }) {
    const gateway = await gatewayOf(context)
    const order = gateway === null ? null : await (await shopOf(context)).confirm(gateway, params.order)
    return order === null ? { refused: { code: 'payment_unknown' } } : { status: 200, body: { order } }
  },
})

const goOnWithDemoOrder = openOperation({
  name: 'goOnWithDemoOrder',
  summary: 'Let the demo shop collect, refund, cancel or charge again',
  tag: TAG,
  area: 'sandbox',
  method: 'POST',
  path: '/demo/orders/{order}/later',
  body: { schema: Type.Object({ step: oneOf(STEPS) }), examples: { refund: { step: 'refund' } } },
  responses: JSON_ANSWER,
  refusals: ['payment_unknown'],
  async run(context, { params, body }) {
    const read = await body()
    if ('refused' in read) return read
    const gateway = await gatewayOf(context)
    const order = gateway === null ? null : await (await shopOf(context)).later(gateway, params.order, read.value.step)
    return order === null ? { refused: { code: 'payment_unknown' } } : { status: 200, body: { order } }
  },
})

const receiveDemoWebhook = openOperation({
  name: 'receiveDemoWebhook',
  summary: 'Receive a webhook in the demo shop',
  tag: TAG,
  area: 'sandbox',
  method: 'POST',
  path: '/demo/webhooks',
  body: { schema: Type.Object({ id: Type.String(), orderId: Type.String() }), examples: {} },
  responses: { 200: { description: 'Accepted.' } },
  refusals: ['payment_unknown'],
  async run(context, { json }) {
    const sent = await json()
    if ('refused' in sent) return sent
    const gateway = await gatewayOf(context)
    const { clock } = context.api
    const known = gateway !== null && (await (await shopOf(context)).receiveWebhook(gateway, sent.value, clock.now()))
    return known ? { status: 200 } : { refused: { code: 'payment_unknown' } }
  },
})

const getDemoCheckout = openOperation({
  name: 'getDemoCheckout',
  summary: 'A page of the demo shop with the Checkout button',
  tag: TAG,
  area: 'sandbox',
  method: 'GET',
  path: '/demo/checkout',
  query: Type.Object({ good: Type.Optional(Type.Integer({ minimum: 0, maximum: GOODS.length - 1 })) }),
  responses: PAGE,
  refusals: ['path_unknown'],
  async run(context, { query }) {
    const { name: what, amount } = GOODS[query.good ?? 0] ?? GOODS[0]
    const request = { what, amount, kind: 'SALE', webHookUrl: `${own(context)}/demo/webhooks` } as const
    const gateway = await gatewayOf(context)
    if (gateway === null) return CLOSED
    const { order, token } = await (await shopOf(context)).order(gateway, request)
    return html(demoCheckoutPage(token, amount, what, order.id))
  },
})

const finishDemoCheckout = openOperation({
  name: 'finishDemoCheckout',
  summary: 'Where the Checkout button posts the outcome',
  description: 'The shop does not trust it: it reads the outcome from the gateway and redirects the shopper.',
  tag: TAG,
  area: 'sandbox',
  method: 'POST',
  path: '/demo/checkout/{order}',
  body: {
    schema: Type.Object({ connectStatusCode: Type.String() }),
    examples: {},
    mediaType: 'application/x-www-form-urlencoded',
  },
  responses: { 303: { description: 'Back to the shop.', headers: ['Location'] } },
  refusals: ['path_unknown'],
  async run(context, { params, form: readForm }) {
    const form = readForm()
    if ('refused' in form) return form
    const gateway = await gatewayOf(context)
    if (gateway === null) return CLOSED
    await (await shopOf(context)).confirm(gateway, params.order)
    return { status: 303, headers: { location: '/demo#orders' } }
  },
})

async function state(context: RequestContext): Promise<Answer> {
  const { orders, webhooks } = await shopOf(context)
  return { status: 200, body: { orders: orders.toReversed(), webhooks: webhooks.toReversed() } }
}

function html(bytes: Uint8Array): Answer {
  return { status: 200, bytes, mediaType: HTML_TYPE, headers: DEMO_HEADERS }
}

function shopOf({ api }: RequestContext): Promise<Shop> {
  const number = () => `H-${api.random.uuid().slice(-8).toUpperCase()}`
  const shop = shops.get(api) ?? openShop(number, api.demo?.orders ?? NO_FILE)
  shops.set(api, shop)
  // A failed opening is retried by the next request.
  shop.catch(() => shops.delete(api))
  return shop
}

const NO_FILE: OrderFile = { read: async () => null, write: async () => {} }

/**
 * The gateway as the shop's server calls it: at its address on this machine, whatever host name the visitor used. Null when the
 * demo shop is switched off, because it then has no JWT.
 */
async function gatewayOf(context: RequestContext): Promise<Gateway | null> {
  const { demo, settings } = context.api
  if (demo === undefined || context.request.socket.localPort === undefined) return null
  return { url: own(context), jwt: await demo.jwt(settings.publicUrl ?? own(context)) }
}

/** The gateway's own address. Never from the Host header: a visitor must not choose where the shop's JWT is sent. */
function own({ request: { socket } }: RequestContext): string {
  const scheme = 'encrypted' in socket ? 'https' : 'http'
  // A dual-stack socket has IPv4 addresses as ::ffff:127.0.0.1; `process` converts them to IPv4.
  const address = ipaddr.process(socket.localAddress ?? '127.0.0.1')
  return `${scheme}://${address.kind() === 'ipv6' ? `[${address}]` : address}:${socket.localPort}`
}

export const DEMO_OPERATIONS: readonly Operation[] = [
  getDemoShop,
  getDemoState,
  orderInDemoShop,
  confirmDemoOrder,
  goOnWithDemoOrder,
  receiveDemoWebhook,
  getDemoCheckout,
  finishDemoCheckout,
]
