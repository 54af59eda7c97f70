// bench/web-shop.ts — requests of a web shop and of payers' browsers, as text on the wire.
import { fixed } from './requests.ts'
import type { FixedAnswer } from './servers/bare-node.ts'

/** Tokens requested at a time, so that they share a sync to disk. */
const BATCH = 256
/** A public test card without 3-D Secure. */
const CARD = JSON.stringify({
  cardName: 'John Watson',
  cardNumber: '5200000000000056',
  expiryDate: '12 / 30',
  cV2: '341',
})

let orders = 0

/** A request for a token of a new order. */
export function tokenRequest(port: number, jwt: string): string {
  const body = orderBody({})
  return [
    'POST /v1/access-tokens HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${jwt}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

/** A payment with a token. */
export function paymentRequest(port: number, token: string): string {
  return [
    `POST /api/payments/${token} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json',
    `Content-Length: ${CARD.length}`,
    '',
    CARD,
  ].join('\r\n')
}

/** Requests one token; returns it with the whole answer. @param members of the order, beside the usual ones @throws Error unless it is 200 */
export async function madeToken(
  port: number,
  jwt: string,
  members: object = {},
): Promise<{ readonly token: string; readonly answer: FixedAnswer }> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/access-tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${jwt}`, 'content-type': 'application/json' },
    body: orderBody(members),
  })
  const answer = await fixed(response)
  if (answer.status !== 200) throw new Error(`a token was answered ${answer.status}: ${answer.body}`)
  return { token: (JSON.parse(answer.body) as { readonly id: string }).id, answer }
}

/** Requests many tokens. */
export async function madeTokens(
  port: number,
  jwt: string,
  count: number,
  members: object = {},
): Promise<readonly string[]> {
  const tokens: string[] = []
  while (tokens.length < count) {
    const size = Math.min(BATCH, count - tokens.length)
    const made = await Promise.all(Array.from({ length: size }, () => madeToken(port, jwt, members)))
    tokens.push(...made.map(({ token }) => token))
  }
  return tokens
}

/** Makes one payment. @throws Error unless it is approved. */
export async function paid(port: number, token: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/payments/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: CARD,
  })
  const body = await response.text()
  if ((JSON.parse(body) as { readonly statusCode?: number }).statusCode !== 0)
    throw new Error(`a payment was answered ${response.status}: ${body}`)
}

function orderBody(members: object): string {
  orders += 1
  return JSON.stringify({
    merchantUrl: 'shop.example',
    currencyCode: '826',
    amount: '1999',
    transactionType: 'SALE',
    orderId: `B-${process.pid}-${orders}`,
    orderDescription: 'Two tickets',
    ...members,
  })
}
