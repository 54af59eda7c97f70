// test/api/online/numeric-codes.test.ts — every request accepts numeric codes of currencies and countries with one to three
// digits, as text or as JSON numbers; records have three digits.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import type { OnlinePayment } from '../../../src/domain/online/payment.ts'
import { ALL_OPERATIONS } from '../../support/operations.ts'
import { aTokenRequest, openWebShop, PLAIN_CARD, type WebAnswer, type WebShop } from '../../support/web-shop.ts'

interface Place {
  /** Names of the field, from the body inwards. */
  readonly field: string
  /** Sends a request with the code. `stored`: the code in the record; NOT_STORED for a request that stores none. */
  send(web: WebShop, code: unknown): Promise<{ answer: WebAnswer; stored: string | undefined }>
}

const NOT_STORED = 'not stored'

/** Marks a number for a raw JSON body: JSON.stringify cannot write `36.0`. */
const RAW = '<raw>'

async function tokenWith(web: WebShop, changes: object, codeOf: (record: OnlinePayment) => string | undefined) {
  const body = rawOf({ ...aTokenRequest('N-1'), ...changes })
  const answer = await web.call('POST', '/v1/access-tokens', body)
  return { answer, stored: answer.status === 200 ? codeOf(await web.record(String(answer.json['id']))) : undefined }
}

async function payWith(
  web: WebShop,
  path: string,
  changes: object,
  codeOf: (record: OnlinePayment) => string | undefined,
) {
  const token = await web.token({ customerId: 'c-1', crossReference: await originalOf(web) })
  const answer = await web.browse(`/api/payments/${path}${token}`, rawOf({ ...PLAIN_CARD, ...changes }))
  return { answer, stored: answer.status === 200 ? codeOf(await web.record(token)) : undefined }
}

async function walletPay(
  web: WebShop,
  [wallet, path]: readonly [string, string],
  changes: object,
  codeOf: (record: OnlinePayment) => string | undefined,
) {
  const token = await web.token({ amount: '2599' })
  const sent = await walletToken(web, wallet, '826')
  const answer = await web.browse(
    path.replace('{token}', token),
    rawOf({ token: JSON.parse(sent.text)['token'], ...changes }),
  )
  return { answer, stored: answer.status === 200 ? codeOf(await web.record(token)) : undefined }
}

async function walletToken(web: WebShop, wallet: string, currencyCode: unknown) {
  const body = { wallet, cardNumber: PLAIN_CARD.cardNumber, expiryDate: '12/30', amount: 2599, currencyCode }
  const { json, status, text } = await web.shop.till.ask('POST', '/sandbox/wallet-tokens', { body })
  return { json, status, text, headers: {} }
}

const references = new WeakMap<WebShop, string>()

async function originalOf(web: WebShop): Promise<string> {
  const known = references.get(web)
  if (known !== undefined) return known
  const token = await web.token({ orderId: 'original' })
  await web.pay(token)
  const reference = await web.referenceOf(token)
  references.set(web, reference)
  return reference
}

function rawOf(body: object): string {
  return JSON.stringify(body).replace(new RegExp(`"${RAW}([^"]*)"`, 'g'), '$1')
}

const address = (countryCode: unknown) => ({ address1: '1 Quay', countryCode })
const shippingDetails = (countryCode: unknown) => ({ name: 'Ann', address: address(countryCode) })
const ofBilling = ({ submission }: OnlinePayment) => submission?.billingAddress.countryCode
const ofShipping = ({ submission }: OnlinePayment) => submission?.shippingDetails?.address.countryCode
const GOOGLE = ['GOOGLE_PAY', '/api/payments/{token}/google-pay'] as const
const APPLE = ['APPLE_PAY', '/api/payments/{token}/apple-pay'] as const
const APPLE_ANYWHERE = ['APPLE_PAY', '/cors/api/payments/{token}/apple-pay'] as const

const PLACES: Readonly<Record<string, readonly Place[]>> = {
  createAccessToken: [
    { field: 'currencyCode', send: (web, code) => tokenWith(web, { currencyCode: code }, r => r.order.currencyCode) },
    {
      field: 'userCountryCode',
      send: (web, code) => tokenWith(web, { userCountryCode: code }, r => r.order.billingAddress?.countryCode),
    },
    {
      field: 'shippingDetails.address.countryCode',
      send: (web, code) =>
        tokenWith(web, { shippingDetails: shippingDetails(code) }, r => r.order.shippingDetails?.address.countryCode),
    },
  ],
  payByCard: cardPlaces(''),
  payBySavedCard: cardPlaces('recurring/'),
  gatherDeviceData: ['billingAddress', 'shippingDetails.address'].map(field => ({
    field: `${field}.countryCode`,
    async send(web, code) {
      const changes =
        field === 'billingAddress' ? { billingAddress: address(code) } : { shippingDetails: shippingDetails(code) }
      const body = rawOf({ ...PLAIN_CARD, ...changes })
      const answer = await web.browse(`/api/device-data/${await web.token()}`, body)
      return { answer, stored: NOT_STORED }
    },
  })),
  payByApplePay: walletPlaces(APPLE),
  payByApplePayAnywhere: walletPlaces(APPLE_ANYWHERE),
  payByGooglePay: walletPlaces(GOOGLE),
}

function cardPlaces(path: string): readonly Place[] {
  return [
    {
      field: 'billingAddress.countryCode',
      send: (web, code) => payWith(web, path, { billingAddress: address(code) }, ofBilling),
    },
    {
      field: 'shippingDetails.address.countryCode',
      send: (web, code) => payWith(web, path, { shippingDetails: shippingDetails(code) }, ofShipping),
    },
  ]
}

function walletPlaces(wallet: readonly [string, string]): readonly Place[] {
  return [
    {
      field: 'billingContact.countryCode',
      send: (web, code) => walletPay(web, wallet, { billingContact: address(code) }, ofBilling),
    },
    {
      field: 'shippingContact.countryCode',
      send: (web, code) => walletPay(web, wallet, { shippingContact: address(code) }, ofShipping),
    },
  ]
}

/** The same code in each written form. */
function formsOf(code: number): readonly unknown[] {
  return [...new Set([1, 2, 3].map(length => String(code).padStart(length, '0'))), code, `${RAW}${code}.0`]
}

for (const [operation, places] of Object.entries(PLACES))
  test(`${operation} accepts numeric codes of one to three digits, and stores three`, async () => {
    const web = await openWebShop()
    for (const { field, send } of places)
      for (const code of [8, 36, 826])
        for (const form of formsOf(code)) {
          const { answer, stored } = await send(web, form)
          equal(answer.status, 200, `${field} = ${JSON.stringify(form)}: ${answer.text}`)
          if (stored !== NOT_STORED) equal(stored, String(code).padStart(3, '0'), `${field} = ${JSON.stringify(form)}`)
        }
  })

test('other codes and unknown currencies are refused with 400', async () => {
  const web = await openWebShop()
  const wrong = [
    '0826',
    '8260',
    '-8',
    '+8',
    ' 8',
    '8 ',
    '8.5',
    '0x8',
    '٨',
    'GB',
    8.5,
    -8,
    1000,
    `${RAW}8e3`,
    true,
    ['8'],
    {},
  ]
  for (const operation of ['createAccessToken', 'payByCard', 'payBySavedCard', 'gatherDeviceData'])
    for (const { field, send } of PLACES[operation] ?? [])
      for (const code of wrong) {
        const { answer } = await send(web, code)
        equal(answer.status, 400, `${operation} ${field} = ${JSON.stringify(code)}`)
      }
  for (const currencyCode of ['0', 0, '1', '99', 7])
    equal((await web.call('POST', '/v1/access-tokens', { ...aTokenRequest('U'), currencyCode })).status, 400)
})

test('the table has every operation with a numeric code in its body', () => {
  const expected = ALL_OPERATIONS.filter(({ area, body }) => /^(shop|browser)$/.test(area) && body !== undefined)
    .map(({ name, body }) => [name, codesIn(body?.schema)] as const)
    .filter(([, fields]) => fields.length > 0)
    .map(([name]) => name)
  const wallets = ['payByApplePay', 'payByApplePayAnywhere', 'payByGooglePay']
  deepEqual(Object.keys(PLACES).toSorted(), [...expected, ...wallets].toSorted())
  for (const operation of ALL_OPERATIONS)
    if (!wallets.includes(operation.name) && PLACES[operation.name] !== undefined)
      deepEqual(
        PLACES[operation.name]?.map(({ field }) => field).toSorted(),
        codesIn(operation.body?.schema),
        operation.name,
      )
})

/** Paths of the fields of a schema that hold a numeric code, sorted. */
function codesIn(schema: unknown, path = ''): readonly string[] {
  const { properties = {} } = (schema ?? {}) as { properties?: Readonly<Record<string, object>> }
  return Object.entries(properties)
    .flatMap(([name, inner]) =>
      /(country|currency)code$/i.test(name) ? [path + name] : codesIn(inner, `${path}${name}.`),
    )
    .toSorted()
}

test('both forms of a currency code are the same for duplicates and collections', async () => {
  const web = await openWebShop()
  const pay = async (currencyCode: unknown) =>
    (await web.pay(await web.token({ orderId: 'A-1', currencyCode })))['statusCode']
  deepEqual([await pay('036'), await pay(36)], [0, 20])
  const held = await web.token({ orderId: 'A-2', currencyCode: '8', transactionType: 'PREAUTH' })
  await web.pay(held)
  const collected = await web.linked('COLLECTION', await web.referenceOf(held), { orderId: 'A-2', currencyCode: '008' })
  equal(collected['statusCode'], 0)
})

test('a test wallet accepts each form of the currency code, and its token pays', async () => {
  const web = await openWebShop()
  for (const currencyCode of ['36', '036', 36])
    for (const [wallet, path] of [GOOGLE, APPLE]) {
      const made = await walletToken(web, wallet, currencyCode)
      equal(made.status, 201, made.text)
      const token = await web.token({ amount: '2599', currencyCode: '036' })
      const paid = await web.browse(path.replace('{token}', token), { token: made.json['token'] })
      equal(paid.json['statusCode'], 0, `${wallet} ${JSON.stringify(currencyCode)}`)
    }
})
