// test/api/online/withdrawn-currency.test.ts — a withdrawn currency is refused for new orders, and works for earlier
// payments.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { readTokenRequest } from '../../../src/api/online/token-request.ts'
import { refusedFieldIn } from '../../support/refused-field.ts'
import { aTokenRequest, openWebShop, type WebShop } from '../../support/web-shop.ts'

const LEV = '975'

/** A payment in leva whose token was made before their withdrawal. */
async function paidInLeva(
  web: WebShop,
  transactionType: string,
  orderId: string,
): Promise<{ token: string; reference: string }> {
  const read = readTokenRequest({ ...aTokenRequest(orderId), transactionType }, '')
  ok('value' in read)
  const issued = await web.shop.gateway.online.issue('demo', { ...read.value.order, currencyCode: LEV })
  ok('token' in issued)
  equal((await web.pay(issued.token))['statusCode'], 0)
  return { token: issued.token, reference: await web.referenceOf(issued.token) }
}

test('every type of new payment is refused in a withdrawn currency, as in an unknown one', async () => {
  const web = await openWebShop()
  for (const [transactionType, amount] of [
    ['SALE', '1999'],
    ['PREAUTH', '1999'],
    ['ACCOUNT_VERIFICATION', '0'],
  ]) {
    const request = { ...aTokenRequest('W'), transactionType, amount }
    const [withdrawn, unknown] = await Promise.all(
      [LEV, '000'].map(currencyCode => web.call('POST', '/v1/access-tokens', { ...request, currencyCode })),
    )
    for (const answer of [withdrawn, unknown])
      deepEqual([answer?.status, refusedFieldIn(answer?.text)], [400, 'currencyCode'], transactionType)
    match(withdrawn?.text ?? '', /it is withdrawn: BGN is no longer money/)
  }
})

test('an earlier payment is shown with its currency, and can be collected, refunded and voided', async () => {
  const web = await openWebShop()
  const currencyCode = LEV
  const sale = await paidInLeva(web, 'SALE', 'W-1')
  equal((await web.record(sale.token)).order.currencyCode, LEV)
  equal((await web.linked('REFUND', sale.reference, { currencyCode, amount: '500' }))['statusCode'], 0)
  const held = await paidInLeva(web, 'PREAUTH', 'W-2')
  equal((await web.linked('COLLECTION', held.reference, { currencyCode, amount: '1000' }))['statusCode'], 0)
  const other = await paidInLeva(web, 'SALE', 'W-3')
  equal((await web.linked('VOID', other.reference, { currencyCode }))['statusCode'], 0)
  const { id } = await web.record(sale.token)
  const shown = await web.shop.api.inject({
    url: `/api/payments/${id}`,
    headers: { host: 'localhost', authorization: `Basic ${Buffer.from('u:demo-api-key').toString('base64')}` },
  })
  equal(shown.statusCode, 200, shown.body)
  equal(JSON.parse(shown.body).currency, 'BGN')
})
