// bench/files-entered/online.ts — access tokens, a payment with a 3-D Secure challenge, and a webhook delivery.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Json, type RequestKind, send, TILL, until } from './request-kind.ts'
import { quiet, type WatchedGateway } from './watched-gateway.ts'

const PAYER = { cardName: 'John Watson', expiryDate: '12 / 30' }
const PLAIN_CARD = { ...PAYER, cardNumber: '5200000000000056', cV2: '341' }
/** Its issuer challenges the payer for a code. */
const CHALLENGED_CARD = { ...PAYER, cardNumber: '4456530000001096', cV2: '020' }
/** Advance of the clock, in milliseconds: the second attempt of a webhook is due 10 seconds after the first. */
const ADVANCE_MS = 9_000

export const accessToken: RequestKind = {
  name: 'access-token',
  window: 'POST of an access token until its 200',
  perform: (gateway, measure) => measure(() => newToken(gateway)),
}

export const challengedPayment: RequestKind = {
  name: 'challenged-payment',
  window:
    "submission of the card until the answer to the payer's return, with the issuer's page opened and answered in " +
    'between; the payment is final then',
  async perform(gateway, measure) {
    const { url } = gateway
    const token = await newToken(gateway)
    await measure(async () => {
      const { md, jwt, stepUpUrl } = await submit(gateway, token, CHALLENGED_CARD)
      const visit = { MD: String(md) }
      await send(String(stepUpUrl), { body: form({ ...visit, JWT: String(jwt) }), expected: 200 })
      await send(`${url}/acs/challenge/answer`, { body: form({ ...visit, code: '1234' }), expected: 200 })
      await send(`${url}/three-d-secure/return`, { body: form(visit), expected: 200 })
    })
    const { statusCode } = await ask(gateway, `/v1/payments/${token}`)
    if (statusCode !== 0) throw new Error(`the payment ended with ${String(statusCode)}`)
  },
}

export const webhookDelivery: RequestKind = {
  name: 'webhook',
  window:
    'the second try of a webhook, from before it is due until its 200 is recorded; the first was answered 500, so the ' +
    'payment itself lies before',
  async perform(gateway, measure) {
    const receiver = await openReceiver()
    const token = await newToken(gateway, { webHookUrl: receiver.url })
    await submit(gateway, token, PLAIN_CARD)
    await receiver.answerNext(500)
    await quiet()
    await send(`${gateway.url}/sandbox/clock`, {
      headers: TILL,
      body: { do: 'advance', ms: ADVANCE_MS },
      expected: 200,
    })
    await quiet()
    await measure(async () => {
      await receiver.answerNext(200)
      await quiet()
    })
    await until('a delivered webhook', async () => {
      const listed = await send(`${gateway.url}/api/webhooks`, { headers: TILL, expected: 200 })
      return listed.includes('"delivered"') ? true : null
    })
    receiver.close()
  },
}

let orders = 0

async function newToken({ url, jwt }: WatchedGateway, more: Json = {}): Promise<string> {
  orders += 1
  const order = {
    ...{ merchantUrl: 'shop.example', currencyCode: '826', amount: '2500', transactionType: 'SALE' },
    ...{ orderId: `O-${orders}`, orderDescription: 'Two tickets' },
    ...more,
  }
  const headers = { authorization: `Bearer ${jwt}` }
  const { id } = JSON.parse(await send(`${url}/v1/access-tokens`, { headers, body: order, expected: 200 })) as Json
  return String(id)
}

async function submit({ url }: WatchedGateway, token: string, card: Json): Promise<Json> {
  return JSON.parse(await send(`${url}/api/payments/${token}`, { body: card, expected: 200 })) as Json
}

async function ask({ url, jwt }: WatchedGateway, path: string): Promise<Json> {
  return JSON.parse(await send(url + path, { headers: { authorization: `Bearer ${jwt}` }, expected: 200 })) as Json
}

function form(fields: Readonly<Record<string, string>>): URLSearchParams {
  return new URLSearchParams(fields)
}

/** A merchant's server that leaves webhooks unanswered until `answerNext` is called. */
async function openReceiver() {
  const responses: ServerResponse[] = []
  const server = createServer((request, response) => {
    request.resume()
    responses.push(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async answerNext(status: number): Promise<void> {
      const response = await until('a webhook', async () => responses.shift() ?? null)
      response.writeHead(status).end()
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
