// test/api/metrics.test.ts — refusals are counted by their codes, over HTTP and sockets; payments by type and result.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { REFUSALS } from '../../src/domain/refusals.ts'
import type { Meters } from '../../src/engine/ports/log.ts'
import { countPayments } from '../../src/services/online/payment-log.ts'
import { openShop } from '../support/shop.ts'
import { connectTill, openSocketShop } from '../support/socket-till.ts'
import { openWebShop } from '../support/web-shop.ts'

test('a refusal is counted once, by its code', async () => {
  const shop = await openShop()
  await shop.till.ask('GET', '/api/transactions/none')
  await shop.till.ask('GET', '/nowhere')
  await shop.till.ask('GET', '/api/payments?status=x')
  await shop.tillOf('no-key', 'VCMDEMOSIP0').ask('GET', '/api/account')
  await shop.till.ask('GET', '/api/account')
  deepEqual(shop.refusals, ['transaction_unknown', 'path_unknown', 'filter_invalid', 'credentials_refused'])
})

test('refusals on a socket are counted, too', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop, { version: 'v1' })
  till.request('sale', { tid: 'VCMDEMOSIP0', currency: 'GBP', amount: 'x' }, 1)
  till.request('sale', { tid: 'none', currency: 'GBP', amount: 100 }, 2)
  await till.settle()
  await till.close()
  deepEqual(shop.refusals, ['field_invalid', 'terminal_unavailable'])
})

test('a label of refusals is one of the documented codes', async () => {
  const shop = await openShop()
  for (const path of ['/x', '/y', '/api/z']) await shop.till.ask('GET', path)
  for (const code of shop.refusals) equal(Object.hasOwn(REFUSALS, code), true)
  deepEqual([...new Set(shop.refusals)], ['path_unknown'])
})

test('online payments are counted by type and result', async () => {
  const counted: string[] = []
  const meters = {
    paymentStarted: (type: string) => void counted.push(`started ${type}`),
    paymentFinished: (type: string, result: string) => void counted.push(`${type} ${result}`),
  } as Meters
  const web = await openWebShop()
  web.shop.gateway.feed.followAll(countPayments(meters))
  const paid = await web.token({ orderId: 'A' })
  await web.pay(paid)
  await web.linked('VOID', await web.referenceOf(paid))
  deepEqual(counted, ['started SALE', 'SALE successful', 'started VOID', 'VOID successful'])
})
