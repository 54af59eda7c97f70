// test/crash/connected/online.ts — online payments over the acquirer's host and the directory server, followed to their end across
// deaths of the gateway.
import { equal } from 'node:assert/strict'
import { PATIENCE_MS } from '../mortal-gateway.ts'
import type { ConnectedTown } from './town.ts'

/** The peer of the directory server authenticates the first, sends the second to its issuer, and refuses the third. */
export const CARDS = {
  frictionless: { cardName: 'John Watson', cardNumber: '4456530000001096', cV2: '020' },
  challenged: { cardName: 'Geoff Wayne', cardNumber: '4456530000000007', cV2: '020' },
  notAuthenticated: { cardName: 'Geoff Wayne', cardNumber: '4976350000006891', cV2: '342' },
} as const

const BROWSER = {
  ...{ language: 'en-GB', javaEnabled: false, colourDepth: 24, screenHeight: 900, screenWidth: 1440 },
  timeZoneMinutes: 0,
}
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
/** Statuses of a payment that has ended. */
const ENDS = [0, 4, 5, 20, 30]
/** It waits for the payer at the issuer. */
const CHALLENGE = 3

export interface OnlineOrder {
  readonly transactionType: 'SALE' | 'PREAUTH' | 'REFUND' | 'VOID' | 'COLLECTION'
  readonly amount: number
  /** How the card comes: typed by the shop, typed by the payer, or by an earlier payment. */
  readonly by: 'telephone' | keyof typeof CARDS | { readonly payment: string }
}

export interface OnlineEnd {
  readonly status: number
  readonly reference: string
}

/** Pays, and reads the outcome twice. */
export async function payOnline(town: ConnectedTown, order: OnlineOrder): Promise<OnlineEnd> {
  const token = await accessToken(town, order)
  const end = await town.gateway.patiently(`the end of ${token}`, PATIENCE_MS.payment, endOf(town, token, order))
  const again = await read(town, token)
  equal(again?.statusCode, end.status, `payment ${token} has changed its outcome`)
  return end
}

let orders = 0

/** A lost answer leaves a token that nobody pays. */
async function accessToken({ line, bearer }: ConnectedTown, order: OnlineOrder): Promise<string> {
  for (;;) {
    orders += 1
    const body = {
      ...{ merchantUrl: 'shop.example', currencyCode: '826', amount: String(order.amount), orderId: `C-${orders}` },
      transactionType: order.transactionType,
      ...(order.by === 'telephone' ? { transactionSource: 'MOTO' } : {}),
    }
    const made = await line.ask('POST', '/v1/access-tokens', { headers: bearer, body })
    if (made === null) continue
    equal(made.status, 200, made.text)
    return (JSON.parse(made.text) as { readonly id: string }).id
  }
}

/** Posts the card, or the earlier payment. The answer may be lost. */
async function post({ line, bearer }: ConnectedTown, token: string, { by }: OnlineOrder) {
  if (typeof by === 'object')
    return line.ask('POST', `/v1/cross-reference-payments/${token}`, {
      ...{ headers: bearer, body: { crossReference: by.payment } },
    })
  const card = { ...(by === 'telephone' ? CARDS.frictionless : CARDS[by]), expiryDate: '12 / 30' }
  const body = by === 'telephone' ? card : { ...card, browser: BROWSER }
  return line.ask('POST', `/api/payments/${token}`, { headers: { 'user-agent': 'Mozilla/5.0' }, body })
}

interface Shown {
  readonly statusCode?: number
  readonly crossReference: string
}

async function read({ line, bearer }: ConnectedTown, token: string): Promise<Shown | null> {
  const { status, text } = await line.insist('GET', `/v1/payments/${token}`, { headers: bearer })
  if (status === 404) return null
  equal(status, 200, text)
  return JSON.parse(text) as Shown
}

async function endOf(town: ConnectedTown, token: string, order: OnlineOrder): Promise<OnlineEnd> {
  for (;;) {
    const shown = await read(town, token)
    if (shown !== null && ENDS.includes(shown.statusCode ?? -1))
      return { status: shown.statusCode ?? -1, reference: shown.crossReference }
    // The payer's page does both again until it is told the outcome.
    if (shown === null) await post(town, token, order)
    else if (shown.statusCode === CHALLENGE) await passIssuer(town, token, order)
  }
}

/** The payer proves who it is, the issuer says so to the gateway, and the browser comes back. */
async function passIssuer(town: ConnectedTown, token: string, order: OnlineOrder): Promise<void> {
  const answer = await post(town, token, order)
  if (answer === null || answer.status !== 200) return
  const { md, statusCode } = JSON.parse(answer.text) as { readonly md?: string; readonly statusCode: number }
  if (statusCode !== CHALLENGE || md === undefined) return
  await town.gateway.up()
  const { resultsStatus } = await town.scheme.ask('/result?status=Y')
  // The directory server repeats what was not confirmed; here the payer's page leads it to that.
  if (resultsStatus !== '01') return
  const cres = Buffer.from(JSON.stringify({ messageType: 'CRes', transStatus: 'Y' })).toString('base64url')
  const body = new URLSearchParams({ threeDSSessionData: md, cres }).toString()
  await town.line.ask('POST', '/three-d-secure/return', { headers: FORM, body })
}
