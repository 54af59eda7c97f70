// test/api/online/no-card-numbers.test.ts — no card number in databases, logs, exports, answers and the memory of the
// simulator, after online payments of all kinds.

import { deepEqual, ok } from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { systemRandom } from '../../../src/platform/random.ts'
import { fixedRing } from '../../../src/platform/vault/key-ring.ts'
import { openVault } from '../../../src/platform/vault/vault.ts'
import { openSqliteStore } from '../../../src/store/sqlite/store.ts'
import { numbersThatLookLikeCards } from '../../support/card-scanner.ts'
import { refusedFieldIn } from '../../support/refused-field.ts'
import { aTokenRequest, openWebShop, type WebShop } from '../../support/web-shop.ts'

const NUMBERS = ['5200000000000056', '4456530000001096', '4921810000009076', '5200000000001005']
const CODES = ['7316', '731', '341']

function emptyDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-scan-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Makes payments of all kinds. Returns all answers as one text. */
async function aDayOf(web: WebShop): Promise<string> {
  const said: string[] = []
  const browse = async (path: string, body: unknown) => said.push((await web.browse(path, body)).text)
  const card = { cardName: 'John Watson', cardNumber: NUMBERS[0], expiryDate: '12 / 30', cV2: '341' }
  const token = await web.token({ webHookUrl: 'https://shop.example/hook', customerId: 'c1' })
  await browse(`/api/payments/${token}`, { ...card, savePaymentMethod: true })
  await browse(`/api/payments/${token}`, card)
  const reference = await web.referenceOf(token)
  said.push(JSON.stringify(await web.payment(token)))
  said.push(JSON.stringify(await web.linked('REFUND', reference, { amount: '500' })))
  said.push(JSON.stringify(await web.linked('REFUND', reference, { amount: '999999' })))
  for (const change of [
    { cardNumber: NUMBERS[2], cV2: '875' },
    { cardNumber: NUMBERS[1], cV2: '020' },
    { cardNumber: NUMBERS[3], cV2: '020' },
    { cV2: '731' },
    { cV2: '7316' },
    { cardNumber: '5200 0000 0000 0057' },
    { cardNumber: `x${NUMBERS[0]}` },
    { cardNumber: `${NUMBERS[0]}0000` },
    { cardName: NUMBERS[0] },
    { expiryDate: NUMBERS[0] },
    { userEmailAddress: `${NUMBERS[0]}@example.com` },
    { billingAddress: { address1: NUMBERS[0] } },
    { unknown: NUMBERS[0] },
    { metaData: { note: NUMBERS[0] } },
    { metaData: { [NUMBERS[0] ?? '']: 'note' } },
    { shippingDetails: { name: 'A', address: { city: NUMBERS[0] } } },
  ])
    await browse(`/api/payments/${await web.token()}`, { ...card, ...change })
  await browse(`/api/payments/${await web.token()}`, `{"cardNumber":"${NUMBERS[0]}",`)
  await browse(`/api/payments/${await web.token()}`, `cardNumber=${NUMBERS[0]}&cV2=341`)
  await browse(`/api/payments/${NUMBERS[0]}`, card)
  for (const change of [
    { orderId: NUMBERS[0] },
    { orderDescription: `card ${NUMBERS[0]} 341` },
    { metaData: { note: NUMBERS[0] } },
    { userAddress1: NUMBERS[1] },
    { currencyCode: NUMBERS[0] },
    { [NUMBERS[0] ?? '']: NUMBERS[0] },
  ])
    said.push((await web.call('POST', '/v1/access-tokens', { ...aTokenRequest('SCAN'), ...change })).text)
  const crossing = await web.token({ transactionType: 'REFUND', crossReference: reference, amount: '1' })
  const path = `/v1/cross-reference-payments/${crossing}`
  said.push((await web.call('POST', path, { crossReference: NUMBERS[0], cv2: NUMBERS[1] })).text)
  await browse(`/api/device-data/${await web.token()}`, card)
  await web.shop.clock.advance(120_000)
  for (const path of ['/api/events?limit=200', '/api/webhooks', '/api/transactions', '/api/account'])
    said.push((await web.shop.till.ask('GET', path)).text)
  return said.join('\n')
}

test('a card number in another field is refused by the name of that field', async () => {
  const web = await openWebShop()
  const card = { cardName: 'John Watson', cardNumber: NUMBERS[0], expiryDate: '12 / 30', cV2: '341' }
  for (const [change, field] of [
    [{ cardName: NUMBERS[0] }, 'cardName'],
    [{ cardName: 'J 5200 0000 0000 0056' }, 'cardName'],
    [{ userEmailAddress: `${NUMBERS[0]}@example.com` }, 'userEmailAddress'],
    [{ billingAddress: { address1: NUMBERS[0] } }, 'billingAddress.address1'],
    [{ metaData: { note: NUMBERS[0] } }, 'metaData.note'],
    [{ metaData: { [NUMBERS[0] ?? '']: 'note' } }, 'metaData'],
  ] as const) {
    const answer = await web.browse(`/api/payments/${await web.token()}`, { ...card, ...change })
    deepEqual([answer.status, refusedFieldIn(answer.json['message'])], [400, field])
  }
  // Long numbers that are not card numbers.
  const fine = {
    userPhoneNumber: '+44 7911 123456 ext 1234',
    metaData: { at: '1778072607003', id: '5200000000000057' },
  }
  const paid = await web.browse(`/api/payments/${await web.token()}`, { ...card, ...fine })
  deepEqual([paid.status, paid.json['statusCode']], [200, 0])
})

test('a card number in another field of a saved-card or wallet payment is refused', async () => {
  const web = await openWebShop()
  const first = await web.token()
  await web.pay(first)
  const crossReference = await web.referenceOf(first)
  const saved = await web.browse(`/api/payments/recurring/${await web.token({ crossReference })}`, {
    cV2: '341',
    billingAddress: { address1: `${NUMBERS[0]} 12/30` },
  })
  deepEqual([saved.status, refusedFieldIn(saved.json['message'])], [400, 'billingAddress.address1'])
  for (const [body, field] of [
    [{ billingContact: { addressLines: [`1 ${NUMBERS[0]}`] } }, 'billingContact.address1'],
    [{ email: `${NUMBERS[0]}@example.com` }, 'email'],
    [{ metaData: { note: `${NUMBERS[0]} 123` } }, 'metaData.note'],
  ] as const) {
    const answer = await web.browse(`/api/payments/${await web.token()}/google-pay`, { token: '{}', ...body })
    deepEqual([answer.status, refusedFieldIn(answer.json['message'])], [400, field])
  }
})

test('online payments leave no card number and no security code behind', async () => {
  const directory = emptyDirectory()
  const file = await openSqliteStore({ directory })
  const web = await openWebShop({
    store: () => file,
    images: () => file,
    vault: (store, clock) =>
      openVault({ store, clock, random: systemRandom(), ring: fixedRing([systemRandom().bytes(32)]) }),
    webhookSender: { post: async () => ({ outcome: 'answered', status: 500 }) },
  })
  const said = await aDayOf(web)
  const exported = JSON.stringify(await file.imageOf('demo', []))
  const logged = JSON.stringify(web.shop.log.lines)
  const remembered = JSON.stringify(
    (['device', 'journal', 'order', 'hold', 'authentication', 'online-script'] as const).flatMap(collection =>
      web.shop.memory.list(collection, { limit: 10_000 }).map(({ key, body }) => `${key} ${body}`),
    ),
  )
  for (const text of [said, exported]) ok(text.includes('520000******0056'))
  ok(remembered.includes('amountMinor'))
  for (const [what, text] of Object.entries({ said, exported, logged, remembered })) {
    deepEqual(numbersThatLookLikeCards(text), [], what)
    for (const number of NUMBERS) ok(!text.includes(number), `${what} holds ${number.slice(-4)}`)
  }
  const files = readdirSync(directory)
  ok(files.includes('tollgate.db'), files.join())
  for (const name of files) {
    const text = readFileSync(join(directory, name), 'latin1')
    deepEqual(numbersThatLookLikeCards(text), [], name)
  }
  // Codes are short enough to occur by chance, so only whole values are searched.
  for (const code of CODES) ok(!`${exported}${logged}${remembered}`.includes(`"${code}"`), code)
  await file.close()
})
