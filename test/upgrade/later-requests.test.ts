// test/upgrade/later-requests.test.ts — new requests that refer to records of version 0.1: collections, refunds, repeat
// payments, completions, a payer's return from the issuer.
import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'vitest'
import { AT_KILL, MANIFEST, opened } from './copies.ts'
import type { Question } from './fixture.ts'
import type { OpenedDirectory } from './program/opened-directory.ts'
import { askOne } from './questions.ts'
import { START_AFTER_MS } from './take-over.ts'

const { credentials, killedAt } = MANIFEST

type Json = Readonly<Record<string, unknown>>

async function takenOver(): Promise<OpenedDirectory> {
  const open = await opened({ at: killedAt + START_AFTER_MS })
  await open.start()
  return open
}

/** Sends a request, as the demo account by default. Any status but 2xx fails. */
async function ask(open: OpenedDirectory, of: Omit<Question, 'account'> & { account?: string }): Promise<Json> {
  const { status, text } = await askOne(open, credentials, { account: 'demo', ...of })
  match(String(status), /^2/, `${of.path}: ${text}`)
  return text.startsWith('{') ? (JSON.parse(text) as Json) : {}
}

interface OldPayment {
  readonly id: string
  readonly order: { readonly orderId: string; readonly transactionType: string; readonly customerId: string | null }
  readonly crossReference: string
  readonly paymentMethodId: string | null
  readonly challenge: { readonly md: string } | null
}

/** An earlier payment, by its order. */
function oldPayment(isIt: (payment: OldPayment) => boolean): OldPayment {
  const payments = AT_KILL.records.filter(({ kind, account }) => kind === 'online-payment' && account === 'demo')
  const found = payments.map(({ record }) => record as OldPayment).find(isIt)
  if (found === undefined) throw new Error('there is no such payment')
  return found
}

/** Makes a token for a payment linked to an earlier one, and pays with it. Returns the outcome. */
async function follow(open: OpenedDirectory, order: Json, crossReference: string): Promise<Json> {
  const body = { merchantUrl: 'shop.example', currencyCode: '826', orderId: 'later', crossReference, ...order }
  const { id } = await ask(open, { by: 'jwt', method: 'POST', path: '/v1/access-tokens', body })
  const path = `/v1/cross-reference-payments/${id}`
  return ask(open, { by: 'jwt', method: 'POST', path, body: { crossReference } })
}

test('an old pre-authorisation is collected once, and an old sale is refunded up to the amount that an old refund leaves', async () => {
  const open = await takenOver()
  const held = oldPayment(({ order }) => order.orderId === 'held')
  const collection = { transactionType: 'COLLECTION', amount: '3500' }
  equal((await follow(open, collection, held.crossReference))['statusCode'], 0)
  const again = await follow(open, collection, held.crossReference)
  deepEqual([again['statusCode'], again['message']], [30, 'The referenced payment was collected already'])
  // 25.00 was paid, and an earlier refund of 15.00 is still in progress.
  const sold = oldPayment(({ order }) => order.orderId === 'to-be-refunded')
  const refund = (amount: string) => follow(open, { transactionType: 'REFUND', amount }, sold.crossReference)
  equal((await refund('1001'))['statusCode'], 30)
  equal((await refund('1000'))['statusCode'], 0)
  equal((await refund('1'))['statusCode'], 30)
})

test('an old saved card and the card of an old payment can pay again', async () => {
  const open = await takenOver()
  const saved = oldPayment(({ paymentMethodId }) => paymentMethodId !== null)
  const { customerId } = saved.order
  const body = {
    ...{ merchantUrl: 'shop.example', currencyCode: '826', amount: '1250', transactionType: 'SALE' },
    ...{ orderId: 'saved-again', customerId, paymentMethodId: saved.paymentMethodId },
  }
  const { id } = await ask(open, { by: 'jwt', method: 'POST', path: '/v1/access-tokens', body })
  const path = `/api/payments/recurring/${id}`
  const paid = await ask(open, { by: 'apiKey', method: 'POST', path, body: { cV2: '341' } })
  equal(paid['statusCode'], 0)
  const sold = oldPayment(({ order }) => order.orderId === 'to-be-refunded')
  equal((await follow(open, { transactionType: 'SALE', amount: '640' }, sold.crossReference))['statusCode'], 0)
})

test('an old merchantTransactionId is still taken', async () => {
  const open = await takenOver()
  const body = {
    ...{ merchantUrl: 'shop.example', currencyCode: '826', amount: '1', transactionType: 'SALE', orderId: 'O' },
    merchantTransactionId: 'MT-1',
  }
  const question = { account: 'demo', by: 'jwt', method: 'POST', path: '/v1/access-tokens', body } as const
  const { status, text } = await askOne(open, credentials, question)
  deepEqual([status, text], [400, 'merchantTransactionId already used'])
})

test('an old pre-authorisation at the counter is completed, and a terminal repeats its last old sale', async () => {
  const open = await takenOver()
  const held = AT_KILL.records
    .filter(({ kind, account }) => kind === 'terminal-transaction' && account === 'demo')
    .map(({ record }) => record as { request: { transactionType: string; amountMinor: number }; authCode: string })
    .find(({ request }) => request.transactionType === 'PRE_AUTH' && request.amountMinor === 4_100)
  const take = async (account: string, tid: string, body: Json) => {
    const path = `/pac/terminals/${tid}/transactions`
    const headers = { 'tollgate-scenario': 'approved' }
    const { requestId } = await ask(open, { account, by: 'apiKey', method: 'POST', path, body, headers })
    await open.clock.advance(60_000)
    return ask(open, { account, by: 'apiKey', method: 'GET', path: `${path}/${requestId}` })
  }
  const completion = { transactionType: 'COMPLETION', amount: 4_000, currency: 'GBP', authCode: held?.authCode }
  const { transactionResult, amountTotal } = await take('demo', 'VCMDEMOTIP0', completion)
  deepEqual([transactionResult, amountTotal], ['SUCCESSFUL', 4_000])
  const clock = { by: 'apiKey', method: 'POST', path: '/sandbox/clock', body: { do: 'release' } } as const
  await ask(open, { account: 'demo-eur', ...clock })
  await open.clock.advance(60_000)
  const repeated = await take('demo-eur', 'VCMEUROSIP0', { transactionType: 'DUPLICATE' })
  deepEqual([repeated['transactionResult'], repeated['amountTotal']], ['SUCCESSFUL', 1_000])
})

test('a payer returns who was sent to the issuer before the kill', async () => {
  const open = await takenOver()
  const { id, challenge } = oldPayment(({ order }) => order.orderId === 'challenged')
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = async (path: string, fields: Readonly<Record<string, string>>) => {
    const { status, text } = await open.ask('POST', path, form, new URLSearchParams(fields).toString())
    equal(status, 200, text)
  }
  await post('/acs/challenge/answer', { MD: challenge?.md ?? '', code: '1234', action: 'submit' })
  await post('/three-d-secure/return', { threeDSSessionData: challenge?.md ?? '', cres: 'x' })
  const shown = await ask(open, { by: 'apiKey', method: 'GET', path: `/api/payments/${id}` })
  // The security code was in memory only and lost in the kill, so the authorisation is reversed.
  deepEqual([shown['authentication'], shown['money']], ['authenticated', 'reversed'])
})
