// src/demo-shop/shop.ts — the server of a small shop, as any merchant would write it.
// It needs only the gateway's address and a JWT. The demo page shows this file.
import type { OrderFile } from './order-file.ts'

export interface Order {
  readonly id: string
  readonly what: string
  /** Pence. */
  readonly amount: number
  /** Transaction type of its payment. */
  readonly kind: Kind
  /** Access tokens of its payments, newest last. Stored, so that the outcome can be read when an answer is lost. */
  readonly tokens: readonly string[]
  readonly statusCode: number | null
  readonly message: string
  readonly card: string
  readonly crossReference: string
  /** Cross reference of its reservation, which is restored when the collection is cancelled. Empty without one. */
  readonly reservation: string
  /** Decides which actions are possible. */
  readonly state: 'open' | 'reserved' | 'paid' | 'refunded' | 'cancelled' | 'declined'
}

export type Kind = 'SALE' | 'PREAUTH'
export type LaterStep = 'collect' | 'refund' | 'void' | 'charge-again'

export interface Gateway {
  readonly url: string
  readonly jwt: string
}

export interface ReceivedWebhook {
  readonly id: string
  readonly orderId: string
  readonly at: number
}

export interface Shop {
  readonly orders: readonly Order[]
  readonly webhooks: readonly ReceivedWebhook[]
  /** Takes an order and makes an access token for its payment. `of`: an earlier order whose card pays again. */
  order(gateway: Gateway, request: OrderRequest): Promise<{ readonly order: Order; readonly token: string }>
  /** Reads the outcome of a payment from the gateway, because a page cannot be trusted. */
  confirm(gateway: Gateway, id: string): Promise<Order | null>
  /** Server to server: collects a reservation, refunds, cancels, or charges a stored card again. */
  later(gateway: Gateway, id: string, step: LaterStep): Promise<Order | null>
  /** Receives a webhook. It names the payment; the outcome is read from the gateway. False for an unknown payment. */
  receiveWebhook(gateway: Gateway, body: unknown, at: number): Promise<boolean>
}

export interface OrderRequest {
  readonly what: string
  readonly amount: number
  readonly kind: Kind
  readonly of?: string
  readonly webHookUrl: string
}

const HOST = 'shop.example'
const POUNDS = '826'
/** The shop's own customer number. A card is saved under it. */
const CUSTOMER = 'demo-customer'
/** Stored orders, and stored webhooks. The oldest are dropped. */
const MOST_STORED = 100
/** Tokens of one order, because refunds can be repeated. */
const MOST_TOKENS = 20

/** Everything that the shop stores. Of a card it knows the masked number only. */
interface Stored {
  readonly orders: readonly Order[]
  readonly webhooks: readonly ReceivedWebhook[]
}

/** Opens the shop with the orders in its file. `nextNumber` names new ones. */
export async function openShop(nextNumber: () => string, file: OrderFile): Promise<Shop> {
  let { orders, webhooks } = storedIn(await file.read())

  /** Stores an order. Resolves when it is on disk. */
  async function save(order: Order): Promise<Order> {
    const known = orders.some(({ id }) => id === order.id)
    const saved = { ...order, tokens: order.tokens.slice(-MOST_TOKENS) }
    orders = known ? orders.map(each => (each.id === order.id ? saved : each)) : [...orders, saved].slice(-MOST_STORED)
    await file.write(JSON.stringify({ orders, webhooks } satisfies Stored))
    return saved
  }

  const find = (id: string) => orders.find(order => order.id === id) ?? null

  async function confirm(gateway: Gateway, id: string): Promise<Order | null> {
    const order = find(id)
    const token = order?.tokens.at(-1)
    if (order === null || token === undefined) return null
    // The outcome is known. Reading it again would undo later steps, such as a refund.
    if (order.state !== 'open') return order
    const payment = await call(gateway, 'GET', `/v1/payments/${token}`)
    // Null before the payment. Another request may have stored the outcome meanwhile.
    const current = find(id)
    if (payment === null || current?.state !== 'open') return current
    const { statusCode, message, cardNumber, crossReference } = payment as unknown as PaymentView
    const state = statusCode === 0 ? (order.kind === 'SALE' ? 'paid' : 'reserved') : order.state
    return save({
      ...order,
      ...{ statusCode, message, crossReference, card: cardNumber },
      reservation: state === 'reserved' ? crossReference : '',
      state: [4, 5, 20, 30, 90].includes(statusCode) ? 'declined' : state,
    })
  }

  return {
    get orders() {
      return orders
    },
    get webhooks() {
      return webhooks
    },
    async order(gateway, { what, amount, kind, of, webHookUrl }) {
      const id = nextNumber()
      const earlier = of === undefined ? null : find(of)
      const card = earlier === null || earlier.crossReference === '' ? {} : { crossReference: earlier.crossReference }
      const token = await newToken(gateway, {
        orderId: id,
        transactionType: kind,
        amount: String(amount),
        orderDescription: what,
        customerId: CUSTOMER,
        webHookUrl,
        ...card,
      })
      const fresh = { statusCode: null, message: '', card: '', crossReference: '', reservation: '' } as const
      return { order: await save({ id, what, amount, kind, tokens: [token], ...fresh, state: 'open' }), token }
    },
    confirm,
    async later(gateway, id, step) {
      const order = find(id)
      // Without a payment there is nothing to refund, collect or cancel.
      if (order === null || order.crossReference === '') return null
      const { transactionType, state } = LATER[step]
      // Another charge of a stored card is an order of its own.
      const orderId = step === 'charge-again' ? nextNumber() : id
      const amount = String(order.amount)
      const { crossReference, what } = order
      const token = await newToken(gateway, {
        orderId,
        transactionType,
        amount,
        orderDescription: what,
        crossReference,
      })
      const done = await call(gateway, 'POST', `/v1/cross-reference-payments/${token}`, { crossReference })
      const { statusCode = 500, message = '' } = (done ?? {}) as Partial<PaymentView>
      // A refund after a collection refers to the collection.
      const payment = await call(gateway, 'GET', `/v1/payments/${token}`)
      const reference = (payment as unknown as PaymentView | null)?.crossReference || crossReference
      if (step === 'charge-again')
        return save({
          ...order,
          ...{ id: orderId, tokens: [token], statusCode, message, crossReference: reference, kind: 'SALE' },
          reservation: '',
          state: statusCode === 0 ? 'paid' : 'declined',
        })
      // Cancelling a collection restores its reservation, which can be collected or cancelled again.
      const isRestored = step === 'void' && order.state === 'paid' && order.reservation !== ''
      const after = isRestored
        ? ({ state: 'reserved', crossReference: order.reservation } as const)
        : { state, crossReference: reference }
      const ended = statusCode === 0 ? after : {}
      return save({ ...order, ...ended, statusCode, message, tokens: [...order.tokens, token] })
    },
    async receiveWebhook(gateway, body, at) {
      const { id, orderId } = Object(body) as { readonly id?: unknown; readonly orderId?: unknown }
      if (typeof id !== 'string' || typeof orderId !== 'string') return false
      const order = find(orderId)
      if (order === null || !order.tokens.includes(id)) return false
      webhooks = [...webhooks, { id, orderId, at }].slice(-MOST_STORED)
      await save(order)
      if (order.state === 'open') await confirm(gateway, orderId)
      return true
    },
  }
}

/** Empty before the first order, and for a file with other content. */
function storedIn(text: string | null): Stored {
  try {
    const { orders, webhooks } = JSON.parse(text ?? '{}') as Partial<Stored>
    if (Array.isArray(orders) && Array.isArray(webhooks)) return { orders, webhooks }
  } catch {
    // Not JSON: the demo starts without orders.
  }
  return { orders: [], webhooks: [] }
}

interface PaymentView {
  readonly statusCode: number
  readonly message: string
  readonly cardNumber: string
  readonly crossReference: string
}

const LATER = {
  collect: { transactionType: 'COLLECTION', state: 'paid' },
  refund: { transactionType: 'REFUND', state: 'refunded' },
  void: { transactionType: 'VOID', state: 'cancelled' },
  'charge-again': { transactionType: 'SALE', state: 'paid' },
} as const

/** Creates the access token of a payment. The token goes to the page; the JWT stays on the server. */
async function newToken(gateway: Gateway, order: Readonly<Record<string, string>>): Promise<string> {
  const answer = await call(gateway, 'POST', '/v1/access-tokens', { merchantUrl: HOST, currencyCode: POUNDS, ...order })
  return String(answer?.['id'] ?? '')
}

/** Calls the gateway. Null for 404. Errors of this interface are plain text. */
async function call(
  { url, jwt }: Gateway,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<Readonly<Record<string, unknown>> | null> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${jwt}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (response.status === 404) return null
  if (!response.ok)
    throw new Error(`${method} ${path.split('/', 3).join('/')}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Readonly<Record<string, unknown>>
}
