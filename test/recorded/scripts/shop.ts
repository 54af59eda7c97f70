// test/recorded/scripts/shop.ts — a web shop's server and its payers' browsers, with frequent requests.
import type { Caller, Play, Reply } from '../play.ts'

/** The shop's server, with its JWT. */
export function shopOf(play: Play, uniqueKeys: Readonly<Record<string, unknown>> = {}): Caller {
  return play.as('shop', { authorization: `Bearer ${play.gateway.jwt(uniqueKeys)}` })
}

export function browserOf(play: Play): Caller {
  return play.as('browser')
}

/** Approved, without 3-D Secure. */
export const PLAIN = { cardName: 'John Watson', cardNumber: '5200000000000056', expiryDate: '12 / 30', cV2: '341' }
export const CHALLENGED = { ...PLAIN, cardNumber: '4456530000001096', cV2: '020' }
export const FRICTIONLESS = { ...PLAIN, cardNumber: '5200000000001005', cV2: '020' }

export const ORDER = {
  merchantUrl: 'shop.example',
  currencyCode: '826',
  amount: '1999',
  transactionType: 'SALE',
  orderId: 'O-1',
  orderDescription: 'Two tickets',
}

export type Changes = Readonly<Record<string, unknown>>

/** Creates an access token. */
export async function tokenOf(
  play: Play,
  changes: Changes = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { json } = await shopOf(play).post('/v1/access-tokens', { ...ORDER, ...changes }, headers)
  return String(json['id'])
}

/** Creates a token and pays with it. */
export async function paid(
  play: Play,
  changes: Changes = {},
  card: Changes = {},
): Promise<{ readonly token: string; readonly answer: Reply }> {
  const token = await tokenOf(play, changes)
  return { token, answer: await browserOf(play).post(`/api/payments/${token}`, { ...PLAIN, ...card }) }
}

/** Pays, and returns the cross reference. */
export async function referenceOf(play: Play, changes: Changes = {}): Promise<string> {
  const { token } = await paid(play, changes)
  return String((await shopOf(play).get(`/v1/payments/${token}`)).json['crossReference'])
}

/** Makes a payment that refers to an earlier one. Returns its token. */
export async function linked(
  play: Play,
  transactionType: string,
  crossReference: string,
  changes: Changes = {},
): Promise<string> {
  const token = await tokenOf(play, { transactionType, crossReference, ...changes })
  await shopOf(play).post(`/v1/cross-reference-payments/${token}`, { crossReference })
  return token
}
