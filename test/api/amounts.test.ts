// test/api/amounts.test.ts — every amount that a till sends is read to the digit or refused, on each interface.
import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { OPERATIONS } from '../../src/api/operations/index.ts'
import { at } from '../support/restaurant.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { connectTill, openSocketShop } from '../support/socket-till.ts'
import { aTokenRequest, openWebShop } from '../support/web-shop.ts'

const TID = 'VCMDEMOSIP0'
const STARTS = `/terminals/${TID}/transactions`
const TABLE = { tableName: 'T', amount: 1000, currency: 'GBP' }
const SEEN = { lastKnownAmount: 1000, lastKnownPaidAmount: 0 }
const SALE = { transactionType: 'SALE', currency: 'GBP', amount: 1000 }
const COMPLETION = { transactionType: 'COMPLETION', currency: 'GBP', amount: 1000, authCode: 'AB12C3' }

interface Place {
  readonly field: string
  readonly operation: string
  readonly method?: string
  readonly path: string
  readonly body: object
  /** The value that the request succeeds with. */
  readonly value: 0 | 1000
  readonly versions?: readonly string[]
}

const PLACES: readonly Place[] = [
  { field: 'amount', operation: 'startTransaction', path: `/pac${STARTS}`, body: SALE, value: 1000 },
  { field: 'amount', operation: 'startTransaction', path: `/retail${STARTS}`, body: SALE, value: 1000 },
  {
    ...{ field: 'amountCashback', operation: 'startTransaction', path: `/pac${STARTS}` },
    ...{ body: SALE, value: 1000, versions: ['v2'] },
  },
  {
    ...{ field: 'amountPreAuthorisedTotal', operation: 'startTransaction', path: `/pac${STARTS}` },
    ...{ body: COMPLETION, value: 1000, versions: ['v2'] },
  },
  { field: 'amount', operation: 'createTable', method: 'PUT', path: '/pat/tables', body: TABLE, value: 1000 },
  { field: 'amount', operation: 'createTableByPost', path: '/pat/tables', body: TABLE, value: 1000 },
  ...changes('setTableAmount', 'PUT', '/amount', { newAmount: 1000 }),
  ...changes('setTableLock', 'PUT', '/lock', { locked: true }),
  ...changes('setTableReceipt', 'PUT', '/receipt', { newReceipt: [] }),
  ...changes('setTableWaiterIds', 'PUT', '/waiterids', { newWaiterIds: [] }),
  ...changes('deleteTable', 'DELETE', '', {}),
]

function changes(operation: string, method: string, path: string, change: object): readonly Place[] {
  const body = { ...SEEN, ...change }
  return Object.entries(body)
    .filter(([, value]) => typeof value === 'number')
    .map(([field, value]) => ({
      ...{ field, operation, method, path: `/pat/tables/T${path}`, body },
      value: value as Place['value'],
    }))
}

/** Ways to write the value that are taken, and ways that are refused. */
const ways = (value: 0 | 1000) => ({
  taken: [`${value}`, `${value}.00`, `${value}e0`, `${value * 10}E-1`, `"${value}"`, `" ${value} "`, `"00${value}"`],
  refused: [
    ...[`"${value}.00"`, `"${value}."`, `"${value}e0"`, `"1e3"`, `"+${value}"`, `"-${value}"`, '"460.00"', '"5.0"'],
    ...['"1 000"', '"1,000"', `"\\u0000${value}"`, `"\\u0000${value}.0"`, '"\\u00001e3"', '"٣"', '"0x10"'],
    ...[
      `${value}.5`,
      `${value}.00000000000000000001`,
      '999.99999999999999999999',
      '1e400',
      '10e-400',
      'true',
      '[1000]',
    ],
  ],
})

/** The status of a request with this text for the value of a field. */
async function statusOf(shop: Shop, version: string, place: Place, written: string): Promise<number> {
  const { field, method = 'POST', path, body } = place
  const text = JSON.stringify({ ...body, [field]: '?' }).replace('"?"', () => written)
  const headers = { accept: `application/connect.${version}+json`, 'content-type': 'application/json', ...PARTNER }
  return (await shop.till.ask(method, path, { body: text, headers })).status
}

const PARTNER = { 'software-house-id': 'house', 'installer-id': 'installer' }

/** Brings the shop back to where each request can succeed. */
async function prepared(shop: Shop, place: Place): Promise<void> {
  const table = await shop.gateway.tables.find('demo', 'T')
  if (table !== null) {
    const { amountMinor } = table.record
    await shop.gateway.tables.change('demo', 'T', { amountMinor, paidMinor: 0 }, { type: 'close' })
  }
  if (place.path.startsWith('/pat/tables/')) await shop.till.ask('PUT', '/pat/tables', { body: TABLE })
  await shop.clock.advance(60_000)
}

describe.each(['v0', 'v1', 'v2'])('in %s', version => {
  const places = PLACES.filter(({ versions }) => versions?.includes(version) ?? true)
  test.each(places)('$field of $operation at $path is read to the digit or refused', async place => {
    const shop = await openShop()
    const { taken, refused } = ways(place.value)
    const statuses: Record<string, number> = {}
    for (const written of [...taken, ...refused]) {
      await prepared(shop, place)
      statuses[written] = Math.floor((await statusOf(shop, version, place, written)) / 100)
    }
    deepEqual(statuses, Object.fromEntries([...taken.map(each => [each, 2]), ...refused.map(each => [each, 4])]))
  })
})

test('these are all the amounts there are', () => {
  const found = OPERATIONS.filter(({ area }) => area === 'connect').flatMap(({ name, body }) =>
    Object.entries((body?.schema as { properties?: Record<string, { type?: string }> })?.properties ?? {})
      .filter(([, { type }]) => type === 'integer')
      .map(([field]) => `${name}.${field}`),
  )
  deepEqual(
    new Set(found.filter(each => each !== 'callJsonRpc.id')),
    new Set(PLACES.map(({ operation, field }) => `${operation}.${field}`)),
  )
})

const NUMBERS = ['1250', '1250.00', '1.25e3', '125000e-2']
const NO_NUMBERS = ['"1250"', '"1250.00"', '"\\u00001250"', '"\\u00001250.0"', '1250.5', '1249.99999999999999999999']

describe('on a socket text is no amount', () => {
  const sale = (amount: string, id: number) =>
    `{"jsonrpc":"2.0","id":${id},"method":"sale","params":{"tid":"${TID}","currency":"GBP","amount":${amount}}}`

  test.each(NUMBERS)('%s is taken', async amount => {
    const shop = await openSocketShop()
    const till = await connectTill(shop)
    till.say(sale(amount, 7))
    equal((await till.answerTo(7)).result?.['amountBase'], 1250)
  })

  test.each(NO_NUMBERS)('%s is refused', async amount => {
    const shop = await openSocketShop()
    const till = await connectTill(shop)
    till.say(sale(amount, 7))
    equal((await till.answerTo(7)).error?.code, -32602)
  })

  /** A till that confirms the lock of its table with this text for what is to be paid; what the waiter sees. */
  async function toPayAfter(amount: string): Promise<number | undefined> {
    const shop = await openSocketShop()
    const query = 'token=demo-api-key&api-version=v1&software-house-id=maker&installer-id=fitter'
    const till = await connectTill(shop, { path: '/pat', query })
    let seen = 0
    const talk = async () => {
      await till.settle()
      for (const { id, method } of till.heard.slice(seen)) {
        const result =
          method === 'tableLockRequest' ? `{"confirmed":true,"amount":${amount},"currency":"GBP"}` : '{"tables":["7"]}'
        if (id !== undefined && method !== undefined) till.say(`{"jsonrpc":"2.0","id":${id},"result":${result}}`)
      }
      seen = till.heard.length
      await till.settle()
    }
    const waiter = at(shop, TID, talk)
    await waiter.press({ key: 'waiter', waiterId: '12' })
    await waiter.until(({ waiter: now }) => now?.tables.join() === '7')
    await waiter.press({ key: 'choose_table', table: '7' })
    const { waiter: now } = await waiter.screen()
    return now?.openMinor
  }

  test.each(NUMBERS)('a table with %s to pay is taken', async amount => {
    equal(await toPayAfter(amount), 1250)
  })

  test.each(NO_NUMBERS)('a table with %s to pay is not', async amount => {
    equal(await toPayAfter(amount), 0)
  })
})

describe('online, text of digits and integers are amounts, and nothing else is', () => {
  const statusOfToken = async (amount: string) => {
    const web = await openWebShop()
    const body = JSON.stringify({ ...aTokenRequest('R'), amount: '?' }).replace('"?"', () => amount)
    return (await web.call('POST', '/v1/access-tokens', body)).status
  }

  test.each([...NUMBERS, '"1250"', '"01250"'])('%s is taken', async amount => equal(await statusOfToken(amount), 200))

  test.each([...NO_NUMBERS.slice(1), '" 1250 "', '"1e3"', '"\\u00001e3"'])('%s is refused', async amount =>
    equal(await statusOfToken(amount), 400),
  )
})
