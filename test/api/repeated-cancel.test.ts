// test/api/repeated-cancel.test.ts — a cancel that is repeated in the signature stage is answered and adds nothing.
import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { openShop } from '../support/shop.ts'
import { connectTill, openSocketShop } from '../support/socket-till.ts'

const TID = 'VCMDEMOSIS0'

describe.each([
  ['v0', 422],
  ['v1', 422],
  ['v2', 202],
] as const)('in %s', (version, status) => {
  test.each([0, 1])('DELETE is %i times too late before, and repeated while a signature is awaited', async before => {
    const headers = { accept: `application/connect.${version}+json`, 'software-house-id': 's', 'installer-id': 'i' }
    const shop = await openShop({ terminal: TID })
    const sale = await shop.till.sale(2599)
    await shop.until(sale, before === 1 ? 'PLEASE_WAIT' : 'SIGNATURE_VERIFICATION')
    for (let late = 0; late < before; late += 1) await shop.till.cancel(sale, { headers })
    await shop.until(sale, 'SIGNATURE_VERIFICATION')
    if (before === 0) equal((await shop.till.cancel(sale, { headers })).status, status)
    const once = await shop.till.look(sale)
    equal(once.notifications.includes('UNABLE_TO_CANCEL_TRANSACTION'), true)
    equal(once.notifications[0], 'SIGNATURE_VERIFICATION')
    for (let again = 0; again < 3; again += 1) {
      equal((await shop.till.cancel(sale, { headers })).status, status)
      await shop.clock.advance(1_000)
      deepEqual(await shop.till.look(sale), once)
    }
    await shop.till.sign(sale, true)
    equal((await shop.finished(sale)).transactionResult, 'SUCCESSFUL')
  })
})

test('on a socket it is answered as well, and nothing more is sent', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  till.request('sale', { tid: TID, currency: 'GBP', amount: 1250 })
  await till.until('SIGNATURE_VERIFICATION')
  const cancel = () => till.ask('cancelTransaction', { tid: TID })
  deepEqual((await cancel()).result, { tid: TID, cancelling: true })
  const once = till.notifications()
  equal(once.at(-1), 'SIGNATURE_VERIFICATION')
  deepEqual((await cancel()).result, { tid: TID, cancelling: true })
  deepEqual(till.notifications(), once)
})
