// test/api/online/field-faults.test.ts — refusals of online fields say what is wrong and what is allowed, in one line.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { aTokenRequest, openWebShop, PLAIN_CARD } from '../../support/web-shop.ts'

const CURRENCY = 'It must be the ISO 4217 number of a currency, such as 826 for GBP.'
const RANGE = 'It must be a whole number from 1 to 9999999999999'
const GBP = `${RANGE} in minor units of GBP: 25.99 is 2599.`
const TYPE = 'It must be one of SALE, PREAUTH, COLLECTION, REFUND, VOID, ACCOUNT_VERIFICATION.'
const COUNTRY = 'It must be the ISO 3166-1 number of a country, such as 826 for the United Kingdom.'

/** Other fields of the request, the field, its value, and the text of the refusal. */
const TOKENS: readonly (readonly [object, string, unknown, string])[] = [
  [{}, 'amount', undefined, `Invalid amount: it is missing. ${GBP}`],
  [{}, 'amount', null, `Invalid amount: it is missing. ${GBP}`],
  [{}, 'amount', '0', `Invalid amount: it is zero. ${GBP}`],
  [{}, 'amount', 0, `Invalid amount: it is zero. ${GBP}`],
  [{}, 'amount', '-1', `Invalid amount: it is negative. ${GBP}`],
  [{}, 'amount', -1, `Invalid amount: it is negative. ${GBP}`],
  [{}, 'amount', '19.99', `Invalid amount: it has a decimal point. ${GBP}`],
  [{}, 'amount', 19.99, `Invalid amount: it has a fraction. ${GBP}`],
  [{}, 'amount', '1e3', `Invalid amount: it is not a number. ${GBP}`],
  [{}, 'amount', '10000000000000', `Invalid amount: it is too large. ${GBP}`],
  [{}, 'amount', true, `Invalid amount: it is true or false. ${GBP}`],
  [{}, 'amount', ['1'], `Invalid amount: it is a list. ${GBP}`],
  [{}, 'amount', {}, `Invalid amount: it is an object. ${GBP}`],
  [{ currencyCode: '392' }, 'amount', '0', `Invalid amount: it is zero. ${RANGE}: JPY has no minor units.`],
  [
    { currencyCode: '392' },
    'amount',
    '25.00',
    `Invalid amount: it has a decimal point. ${RANGE}: JPY has no minor units.`,
  ],
  [
    { currencyCode: '414' },
    'amount',
    '25.999',
    `Invalid amount: it has a decimal point. ${RANGE} in minor units of KWD: 25.999 is 25999.`,
  ],
  [
    { transactionType: 'ACCOUNT_VERIFICATION' },
    'amount',
    '1',
    'Invalid amount: it is not zero. It must be 0 for ACCOUNT_VERIFICATION.',
  ],
  [{}, 'currencyCode', undefined, `Invalid currencyCode: it is missing. ${CURRENCY}`],
  [{}, 'currencyCode', 'GBP', `Invalid currencyCode: it is not a numeric code. ${CURRENCY}`],
  [{}, 'currencyCode', '000', `Invalid currencyCode: it is not the number of a currency. ${CURRENCY}`],
  [{}, 'currencyCode', '8260', `Invalid currencyCode: it is not a numeric code. ${CURRENCY}`],
  [{}, 'currencyCode', '975', `Invalid currencyCode: it is withdrawn: BGN is no longer money. ${CURRENCY}`],
  [{}, 'transactionType', undefined, `Invalid transactionType: it is missing. ${TYPE}`],
  [{}, 'transactionType', 'sale', `Invalid transactionType: it has an unknown value. ${TYPE}`],
  [{}, 'transactionType', 7, `Invalid transactionType: it is a number. ${TYPE}`],
  [{}, 'merchantUrl', undefined, 'Invalid merchantUrl: it is missing. It must be a text of 1 to 2048 characters.'],
  [{}, 'orderId', undefined, 'Invalid orderId: it is missing. It must be a text of 1 to 50 characters.'],
  [{}, 'orderId', 1001, 'Invalid orderId: it is a number. It must be a text of at most 50 characters.'],
  [{}, 'orderId', 'x'.repeat(51), 'Invalid orderId: it is too long. It must be a text of at most 50 characters.'],
  [
    {},
    'orderId',
    'a\u0000b',
    'Invalid orderId: it has a character or a form that is not allowed. It must be a text of at most 50 characters.',
  ],
  [
    {},
    'merchantTransactionId',
    'x'.repeat(65),
    'Invalid merchantTransactionId: it is too long. It must be a text of at most 64 characters.',
  ],
  [{}, 'crossReference', 7, 'Invalid crossReference: it is a number. It must be a text of at most 64 characters.'],
  [{}, 'transactionSource', 'ECOM', 'Invalid transactionSource: it has an unknown value. It must be MOTO.'],
  [{}, 'userCountryCode', 'GB', `Invalid userCountryCode: it is not a numeric code. ${COUNTRY}`],
  [{}, 'newTransaction', 'maybe', 'Invalid newTransaction: it is neither true nor false. It must be true or false.'],
  [{}, 'shippingDetails', 'none', 'Invalid shippingDetails: it is text. It must be an object.'],
  [{}, 'webHookUrl', 'ftp://shop.example', 'Invalid webHookUrl: it must begin with https:// or http://.'],
  [{}, 'cofSetup', 'RECURRING', 'Invalid cofSetup: it is text. It must be an object of 2048 characters at most.'],
]

test('a token request is refused with what is wrong and what is allowed', async () => {
  const web = await openWebShop()
  for (const [others, field, value, text] of TOKENS) {
    const answer = await web.call('POST', '/v1/access-tokens', { ...aTokenRequest('F'), ...others, [field]: value })
    deepEqual([answer.status, answer.text], [400, text])
    equal(answer.headers['content-type'], 'text/plain; charset=utf-8')
  }
})

const NUMBER = 'It must be the number on the card.'
const EXPIRY = 'It must be the month and year on the card, such as 12/30.'
const CODE = 'It must be three digits, or four on American Express.'
const NAME = 'It must be 1 to 255 characters that can be printed.'

const CARDS: readonly (readonly [string, unknown, string])[] = [
  ['cardNumber', undefined, `Invalid cardNumber: it is missing. ${NUMBER}`],
  ['cardNumber', ' ', `Invalid cardNumber: it is empty. ${NUMBER}`],
  [
    'cardNumber',
    '123',
    `Invalid cardNumber: it has other characters than digits, or too few or too many of them. ${NUMBER}`,
  ],
  ['cardNumber', '5200000000000057', `Invalid cardNumber: it has a wrong length or check digit. ${NUMBER}`],
  ['cardNumber', 5200000000000056, 'Invalid cardNumber: it is a number. It must be a text of at most 40 characters.'],
  ['expiryDate', undefined, `Invalid expiryDate: it is missing. ${EXPIRY}`],
  ['expiryDate', '01/20', `Invalid expiryDate: it is in the past. ${EXPIRY}`],
  ['expiryDate', '13/30', `Invalid expiryDate: it is not a month, or too far in the future. ${EXPIRY}`],
  ['cV2', undefined, `Invalid cV2: it is missing. ${CODE}`],
  ['cV2', '1234', `Invalid cV2: it does not have the digits of this scheme. ${CODE}`],
  ['cardName', undefined, `Invalid cardName: it is missing. ${NAME}`],
  ['cardName', 'x'.repeat(256), `Invalid cardName: it is empty, too long, or holds a card number. ${NAME}`],
  ['metaData', ['a'], /^Invalid metaData: it is a list\. It must be an object of at most 50 texts/.source],
]

test('a card payment is refused with what is wrong and what is allowed, and no digit of the card', async () => {
  const web = await openWebShop()
  const token = await web.token()
  for (const [field, value, text] of CARDS) {
    const answer = await web.browse(`/api/payments/${token}`, { ...PLAIN_CARD, [field]: value })
    const { statusCode, message, ...others } = answer.json
    deepEqual([answer.status, statusCode, others], [400, 400, {}])
    if (text.startsWith('^')) equal(new RegExp(text).test(String(message)), true, String(message))
    else equal(message, text)
  }
})
