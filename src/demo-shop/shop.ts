// src/demo-shop/shop.ts — the server of a small shop, as any merchant would write it: it knows the gateway by its address and a
// JWT, and nothing else of it. The demo page shows this file.
import type { OrderFile } from './order-file.ts'

export interface Order {
  readonly id: string
  readonly what: string
  /** Pence. */
  readonly amount: number
  /** What is done with its next payment. */
  readonly kind: Kind
  /** The access token of the payment that is asked about, newest last. Kept, so that a lost answer can be asked for. */
  readonly tokens: readonly string[]
  readonly statusCode: number | null
  readonly message: string
  readonly card: string
  readonly crossReference: string
  /** The cross reference of its reservation, which stands again when the collection is cancelled; empty: none. */
  readonly reservation: string
  /** What can still be done with it. */
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
  order(gateway: Gateway, wish: OrderWish): Promise<{ readonly order: Order; readonly token: string }>
  /** Asks the gateway how a payment went: the page is never believed. */
  confirm(gateway: Gateway, id: string): Promise<Order | null>
  /** Server to server: collects a reservation, refunds, cancels, or charges a known card once more. */
  later(gateway: Gateway, id: string, step: LaterStep): Promise<Order | null>
  /** A webhook has come. It says which payment has news; what the news is, the gateway says. */
  hear(gateway: Gateway, body: unknown, at: number): Promise<boolean>
}

export interface OrderWish {
  readonly what: string
  readonly amount: number
  readonly kind: Kind
  readonly of?: string
  readonly webHookUrl: string
}

const HOST = 'shop.example'
const POUNDS = '826'
/** The shop's own customer number: with it a card can be saved. */
const CUSTOMER = 'demo-customer'
/** How many orders are kept, and webhooks: this shop forgets its oldest ones. */
const MOST_KEPT = 100
/** Tokens of one order: refunds can be tried again and again. */
const MOST_TOKENS = 20

/** All that the shop keeps. Of a card it knows the masked number, and never more. */
interface Book {
  readonly orders: readonly Order[]
  readonly webhooks: readonly ReceivedWebhook[]
}

/** Opens the shop with the orders in its file. `nextNumber` names new ones. */
export async function openShop(nextNumber: () => string, file: OrderFile): Promise<Shop> {
  let { orders, webhooks } = bookIn(await file.read())

  /** Keeps an order. It is on disk before anybody hears of it. */
  async function keep(order: Order): Promise<Order> {
    const known = orders.some(({ id }) => id === order.id)
    const kept = { ...order, tokens: order.tokens.slice(-MOST_TOKENS) }
    orders = known ? orders.map(each => (each.id === order.id ? kept : each)) : [...orders, kept].slice(-MOST_KEPT)
    await file.write(JSON.stringify({ orders, webhooks } satisfies Book))
    return kept
  }

  const find = (id: string) => orders.find(order => order.id === id) ?? null

  async function confirm(gateway: Gateway, id: string): Promise<Order | null> {
    const order = find(id)
    const token = order?.tokens.at(-1)
    if (order === null || token === undefined) return null
    // How it was paid is known, and what was done since is not undone by hearing of it again.
    if (order.state !== 'open') return order
    const payment = await call(gateway, 'GET', `/v1/payments/${token}`)
    // Nobody has paid yet, or somebody else was told meanwhile.
    const still = find(id)
    if (payment === null || still?.state !== 'open') return still
    const { statusCode, message, cardNumber, crossReference } = payment as unknown as PaymentView
    const state = statusCode === 0 ? (order.kind === 'SALE' ? 'paid' : 'reserved') : order.state
    return keep({
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
      return { order: await keep({ id, what, amount, kind, tokens: [token], ...fresh, state: 'open' }), token }
    },
    confirm,
    async later(gateway, id, step) {
      const order = find(id)
      // Before it was paid there is nothing to go on with.
      if (order === null || order.crossReference === '') return null
      const { transactionType, state } = LATER[step]
      // Another charge of a known card is an order of its own.
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
      // A refund of what was collected refers to the collection.
      const payment = await call(gateway, 'GET', `/v1/payments/${token}`)
      const reference = (payment as unknown as PaymentView | null)?.crossReference || crossReference
      if (step === 'charge-again')
        return keep({
          ...order,
          ...{ id: orderId, tokens: [token], statusCode, message, crossReference: reference, kind: 'SALE' },
          reservation: '',
          state: statusCode === 0 ? 'paid' : 'declined',
        })
      // A collection that was cancelled gives its reservation back: it can be collected or cancelled again.
      const isBack = step === 'void' && order.state === 'paid' && order.reservation !== ''
      const after = isBack
        ? ({ state: 'reserved', crossReference: order.reservation } as const)
        : { state, crossReference: reference }
      const ended = statusCode === 0 ? after : {}
      return keep({ ...order, ...ended, statusCode, message, tokens: [...order.tokens, token] })
    },
    async hear(gateway, body, at) {
      const { id, orderId } = Object(body) as { readonly id?: unknown; readonly orderId?: unknown }
      if (typeof id !== 'string' || typeof orderId !== 'string') return false
      const order = find(orderId)
      if (order === null || !order.tokens.includes(id)) return false
      webhooks = [...webhooks, { id, orderId, at }].slice(-MOST_KEPT)
      await keep(order)
      if (order.state === 'open') await confirm(gateway, orderId)
      return true
    },
  }
}

/** Empty before the first order, and for a file that is no book. */
function bookIn(text: string | null): Book {
  try {
    const { orders, webhooks } = JSON.parse(text ?? '{}') as Partial<Book>
    if (Array.isArray(orders) && Array.isArray(webhooks)) return { orders, webhooks }
  } catch {
    // Somebody has edited it. A demo goes on without.
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

/** The one call that makes a payment possible. Its answer goes to the page; the JWT stays here. */
async function newToken(gateway: Gateway, order: Readonly<Record<string, string>>): Promise<string> {
  const answer = await call(gateway, 'POST', '/v1/access-tokens', { merchantUrl: HOST, currencyCode: POUNDS, ...order })
  return String(answer?.['id'] ?? '')
}

/** Null: there is nothing there. Errors of this interface are plain text. */
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
