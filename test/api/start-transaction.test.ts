// test/api/start-transaction.test.ts — which fields each transaction type requires, accepts and refuses.

import { equal, match, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { TERMINAL_TRANSACTION } from '../../src/engine/machines.ts'
import { refusedFieldIn } from '../support/refused-field.ts'
import { openShop, type ShopOptions } from '../support/shop.ts'
import type { Started } from '../support/till.ts'

const MINIMAL: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  SALE: { transactionType: 'SALE', amount: 2599, currency: 'GBP' },
  REFUND: { transactionType: 'REFUND', amount: 500, currency: 'GBP' },
  PRE_AUTH: { transactionType: 'PRE_AUTH', amount: 10_000, currency: 'GBP' },
  COMPLETION: { transactionType: 'COMPLETION', amount: 8_150, currency: 'GBP', authCode: 'AB12C3' },
  ACCOUNT_VERIFICATION: { transactionType: 'ACCOUNT_VERIFICATION' },
  DUPLICATE: { transactionType: 'DUPLICATE' },
}

const VALUES = {
  currency: 'GBP',
  amount: 2599,
  amountCashback: 1_000,
  cardholderNotPresent: true,
  authCode: 'AB12C3',
  amountPreAuthorisedTotal: 10_000,
} as const
type Field = keyof typeof VALUES

/** R required, O optional, N refused unless empty, I ignored. */
const TABLE: Readonly<Record<string, Readonly<Record<Field, 'R' | 'O' | 'N' | 'I'>>>> = {
  SALE: row('R', 'R', 'O', 'O', 'N', 'N'),
  REFUND: row('R', 'R', 'N', 'O', 'N', 'N'),
  PRE_AUTH: row('R', 'R', 'N', 'N', 'N', 'N'),
  COMPLETION: row('R', 'R', 'N', 'N', 'R', 'O'),
  ACCOUNT_VERIFICATION: row('O', 'I', 'N', 'N', 'N', 'N'),
  DUPLICATE: row('O', 'N', 'N', 'N', 'N', 'N'),
}

function row(...[currency, amount, amountCashback, cardholderNotPresent, authCode, total]: ('R' | 'O' | 'N' | 'I')[]) {
  return {
    currency: currency!,
    amount: amount!,
    amountCashback: amountCashback!,
    cardholderNotPresent: cardholderNotPresent!,
    authCode: authCode!,
    amountPreAuthorisedTotal: total!,
  }
}

/** Status of each body and, when it is refused, the named field. The terminal is free for each. */
async function outcomes(bodies: readonly unknown[], options: ShopOptions = {}): Promise<readonly string[]> {
  const shop = await openShop(options)
  const found: string[] = []
  for (const body of bodies) {
    const reply = await shop.till.start(body)
    const named = refusedFieldIn(reply.json['userMessage'])
    found.push(reply.status === 201 ? '201' : `${reply.status} ${named}`)
    if (reply.status !== 201) continue
    const started = reply.json as unknown as Started
    await shop.till.cancel(started)
    await shop.finished(started)
  }
  return found
}

async function expectAll(rows: readonly (readonly [body: unknown, outcome: string])[], options: ShopOptions = {}) {
  const found = await outcomes(
    rows.map(([body]) => body),
    options,
  )
  for (const [index, [body, outcome]] of rows.entries()) equal(found[index], outcome, JSON.stringify(body))
}

describe.each(Object.keys(TABLE))('%s', type => {
  const minimal = MINIMAL[type]!

  test('accepts its required fields alone', () => expectAll([[minimal, '201']]))

  test('requires, accepts and refuses each field as the table says', async () => {
    const rows: [unknown, string][] = []
    for (const field of Object.keys(VALUES) as Field[]) {
      const { [field]: _, ...without } = minimal
      const named = `422 ${field}`
      const rule = TABLE[type]![field]
      rows.push([without, rule === 'R' ? named : '201'])
      rows.push([{ ...minimal, [field]: VALUES[field] }, rule === 'N' ? named : '201'])
      for (const nothing of [null, '']) rows.push([{ ...minimal, [field]: nothing }, rule === 'R' ? named : '201'])
      if (rule === 'N')
        for (const nothing of [0, false, '0', 'false']) rows.push([{ ...minimal, [field]: nothing }, '201'])
      if (rule === 'N')
        for (const thing of ['x', '0.00', 1, true, [], {}]) rows.push([{ ...minimal, [field]: thing }, named])
    }
    await expectAll(rows)
  })
})

test('amounts have their ranges', () =>
  expectAll([
    [{ ...MINIMAL['SALE'], amount: 0 }, '422 amount'],
    [{ ...MINIMAL['SALE'], amount: -1 }, '422 amount'],
    [{ ...MINIMAL['SALE'], amount: 1 }, '201'],
    [{ ...MINIMAL['SALE'], amount: 99_999_999 }, '201'],
    [{ ...MINIMAL['SALE'], amount: 100_000_000 }, '422 amount'],
    [{ ...MINIMAL['SALE'], amountCashback: 0 }, '201'],
    [{ ...MINIMAL['SALE'], amountCashback: 10_000 }, '201'],
    [{ ...MINIMAL['SALE'], amountCashback: 10_001 }, '422 amountCashback'],
    [{ ...MINIMAL['SALE'], amountCashback: -1 }, '422 amountCashback'],
    [{ ...MINIMAL['COMPLETION'], amountPreAuthorisedTotal: 99_999_999 }, '201'],
    [{ ...MINIMAL['COMPLETION'], amountPreAuthorisedTotal: 100_000_000 }, '422 amountPreAuthorisedTotal'],
    // Zero counts as empty in an optional field.
    [{ ...MINIMAL['COMPLETION'], amountPreAuthorisedTotal: 0 }, '201'],
  ]))

test('an authorisation code has 1 to 20 readable characters', () =>
  expectAll([
    [{ ...MINIMAL['COMPLETION'], authCode: 'x' }, '201'],
    [{ ...MINIMAL['COMPLETION'], authCode: 'x'.repeat(20) }, '201'],
    [{ ...MINIMAL['COMPLETION'], authCode: 'x'.repeat(21) }, '422 authCode'],
    [{ ...MINIMAL['COMPLETION'], authCode: 'a\u0000b' }, '422 authCode'],
    [{ ...MINIMAL['COMPLETION'], authCode: '\ud800' }, '422 authCode'],
    [{ ...MINIMAL['COMPLETION'], authCode: 123456 }, '422 authCode'],
    [{ ...MINIMAL['COMPLETION'], authCode: 1.5 }, '422 authCode'],
  ]))

test('types and currencies are case-sensitive', () =>
  expectAll([
    [{}, '422 transactionType'],
    [{ ...MINIMAL['SALE'], transactionType: null }, '422 transactionType'],
    [{ ...MINIMAL['SALE'], transactionType: 'sale' }, '422 transactionType'],
    [{ ...MINIMAL['SALE'], transactionType: 'SALE_REVERSAL' }, '422 transactionType'],
    [{ ...MINIMAL['SALE'], transactionType: ['SALE'] }, '422 transactionType'],
    [{ ...MINIMAL['SALE'], currency: 'gbp' }, '422 currency'],
    [{ ...MINIMAL['SALE'], currency: 'USD' }, '422 currency'],
    [{ ...MINIMAL['SALE'], currency: 826 }, '422 currency'],
    [{ transactiontype: 'SALE', amount: 1, currency: 'GBP' }, '422 transactionType'],
    [{ transactionType: 'SALE', Amount: 1, currency: 'GBP' }, '422 amount'],
  ]))

test('the currency must be that of the terminal', async () => {
  await expectAll([
    [{ ...MINIMAL['SALE'], currency: 'EUR' }, '422 currency'],
    [{ transactionType: 'DUPLICATE', currency: 'EUR' }, '422 currency'],
  ])
  await expectAll([[{ ...MINIMAL['SALE'], currency: 'EUR' }, '201']], { account: 'demo-eur' })
})

test('strictCompletion requires the pre-authorised total of a completion', () =>
  expectAll(
    [
      [MINIMAL['COMPLETION'], '422 amountPreAuthorisedTotal'],
      [{ ...MINIMAL['COMPLETION'], amountPreAuthorisedTotal: 10_000 }, '201'],
      [MINIMAL['SALE'], '201'],
    ],
    { settings: { strictCompletion: true } },
  ))

test('a pre-authorisation is completed with its authorisation code', async () => {
  const shop = await openShop()
  const held = await shop.finished(await shop.till.started(MINIMAL['PRE_AUTH']))
  equal(held.transactionResult, 'SUCCESSFUL')
  const completion = { transactionType: 'COMPLETION', amount: 8_150, currency: 'GBP', authCode: held.authCode }
  const end = await shop.finished(await shop.till.started(completion))
  equal(end.transactionResult, 'SUCCESSFUL')
  equal(end.amountTotal, 8_150)
})

test('cashback is paid out, and keyed payments skip the prompt for the card', async () => {
  const shop = await openShop()
  const withCashback = await shop.finished(await shop.till.sale(2599, { amountCashback: 1_000 }))
  equal(withCashback.amountCashback, 1_000)
  equal(withCashback.amountTotal, 3_599)
  const keyed = await shop.finished(await shop.till.sale(2599, { cardholderNotPresent: 'true' }))
  equal(keyed.paymentMethod, 'KEYED')
  ok(!keyed.notifications.includes('PRESENT_CARD'))
})

test('the partner headers are stored with the transaction', async () => {
  const shop = await openShop({ headers: { 'software-house-id': ' house ', 'installer-id': 'installer' } })
  const sale = await shop.till.sale(100)
  const entry = await shop.gateway.engine.read(TERMINAL_TRANSACTION, { account: 'demo', id: sale.requestId })
  equal(entry?.record.partner.softwareHouseId, 'house')
  equal(entry?.record.partner.installerId, 'installer')
})

test('an unknown or unplugged terminal is unavailable, whatever the body', async () => {
  const shop = await openShop()
  await shop.till.ask('POST', '/sandbox/terminals/22160001/keys', { body: { key: 'unplug' } })
  for (const tid of ['22160001', '99999999', 'vcmdemosip0', 'a b/c?d', '$&', 'x'.repeat(100)])
    for (const body of [MINIMAL['SALE'], 'not json', undefined]) {
      const reply = await shop.till.at(tid).start(body)
      equal(reply.status, 404)
      ok(String(reply.json['userMessage']).startsWith(`${tid} is unavailable. Please try again in 10 seconds`), tid)
      equal(reply.headers['retry-after'], '10')
    }
})

test('a terminal that waits for a signature answers 423 with the location of its transaction', async () => {
  const shop = await openShop({ terminal: 'VCMDEMOSIS0' })
  const first = await shop.till.sale(2599)
  await shop.until(first, 'SIGNATURE_VERIFICATION')
  const second = await shop.till.start(MINIMAL['SALE'])
  equal(second.status, 423)
  equal(second.json['location'], first.location)
  match(String(second.json['userMessage']), /^VCMDEMOSIS0 is waiting for a signature check\.$/)
  equal((await shop.till.sign({ requestId: '', location: String(second.json['location']) }, true)).status, 202)
  equal((await shop.finished(first)).transactionResult, 'SUCCESSFUL')
  // The terminal is free again.
  equal((await shop.till.start(MINIMAL['SALE'])).status, 201)
})
