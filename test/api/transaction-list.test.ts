// test/api/transaction-list.test.ts — the list of transactions has the amounts and the scheme that each has by itself.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { openShop, type Shop } from '../support/shop.ts'
import type { Started } from '../support/till.ts'

interface Line {
  readonly requestId: string
  readonly totalMinor: number | null
  readonly gratuityMinor: number | null
  readonly cashbackMinor: number | null
  readonly scheme: string | null
}

interface InFull extends Line {
  readonly connect: {
    readonly amountTotal?: number
    readonly amountGratuity?: number
    readonly amountCashback?: number
    readonly cardSchemeName?: string
  }
}

const SALE = { transactionType: 'SALE', amount: 2599, currency: 'GBP' }

async function started(shop: Shop, play: string, body: object): Promise<Started> {
  const reply = await shop.till.start(body, { headers: { 'tollgate-scenario': play } })
  equal(reply.status, 201, reply.text)
  return reply.json as unknown as Started
}

async function newest(shop: Shop): Promise<Line> {
  const { json } = await shop.till.ask('GET', '/api/transactions?limit=1')
  const [line] = json['transactions'] as readonly Line[]
  if (line === undefined) throw new Error('nothing is listed')
  return line
}

const spent = ({ totalMinor, gratuityMinor, cashbackMinor, scheme }: Line) => [
  ...[totalMinor, gratuityMinor, cashbackMinor],
  scheme,
]

test.each<readonly [play: string, body: object, expected: readonly unknown[]]>([
  ['chip_pin_approved', SALE, [2599, 0, 0, 'VISA']],
  ['chip_pin_approved', { ...SALE, amountCashback: 1_000 }, [3599, 0, 1_000, 'VISA']],
  ['contactless_approved', { ...SALE, transactionType: 'REFUND' }, [2599, 0, 0, 'VISA']],
  ['chip_pin_approved', { ...SALE, transactionType: 'PRE_AUTH' }, [2599, 0, 0, 'VISA']],
  ['chip_pin_declined', SALE, [2599, 0, 0, 'VISA']],
  ['technical_failure', SALE, [2599, 0, 0, 'VISA']],
  ['silent_after_approval', SALE, [2599, 0, 0, 'VISA']],
  ['cancelled_at_card', SALE, [0, 0, 0, null]],
  ['chip_pin_approved', { transactionType: 'DUPLICATE', currency: 'GBP' }, [0, 0, 0, null]],
])('%s, %o: the list has the amounts and the scheme of the single read', async (play, body, expected) => {
  const shop = await openShop()
  const transaction = await started(shop, play, body)
  deepEqual(spent(await newest(shop)), [null, null, null, null])
  await shop.finished(transaction)
  const line = await newest(shop)
  const { json } = await shop.till.ask('GET', `/api/transactions/${transaction.requestId}`)
  const { connect, record, ...own } = json as unknown as InFull & { readonly record: unknown }
  deepEqual(line, own)
  const { amountTotal, amountGratuity, amountCashback, cardSchemeName = '' } = connect
  deepEqual(spent(line), [amountTotal, amountGratuity, amountCashback, cardSchemeName || null])
  deepEqual(spent(line), expected)
})

test('a gratuity that the customer adds is in the list', async () => {
  const shop = await openShop()
  await shop.till.ask('PATCH', '/sandbox/terminals/VCMDEMOSIP0/settings', { body: { gratuity: true } })
  const transaction = await started(shop, 'chip_pin_approved', SALE)
  const { amountGratuity = 0, amountTotal } = await shop.finished(transaction)
  const line = await newest(shop)
  deepEqual(spent(line), [amountTotal, amountGratuity, 0, 'VISA'])
  equal(line.totalMinor, 2599 + amountGratuity)
  equal(amountGratuity, 259)
})
