// test/api/late-outcome.test.ts — a terminal that authorises by itself reports the outcome after the time limit.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import type { Ending } from '../../src/domain/counter/transaction-events.ts'
import type { TerminalCall, TerminalDriver, TerminalSink } from '../../src/engine/ports/terminal.ts'
import { freshSettings } from '../../src/services/provisioning/provisioning.ts'
import { anEnding } from '../support/records.ts'
import { openShop } from '../support/shop.ts'
import { keyOf, upload } from '../support/table-till.ts'
import type { Started } from '../support/till.ts'

const TID = '22169999'
const MINUTE_MS = 60_000
const AMOUNTS = { baseMinor: 2599, cashbackMinor: 0, gratuityMinor: 401 }

/** A shop whose terminal says nothing until the test lets it. */
async function openSilentShop(longestTransactionMs?: number) {
  const calls = new Map<string, TerminalCall>()
  const done = async () => {}
  let sink: TerminalSink | undefined
  const driver: TerminalDriver = {
    ...{ name: 'silent', authorisedBy: 'terminal', presence: () => ({ paperOut: false }) },
    ...{ cancel: done, answerSignature: done, answerAuthorisation: done, runReport: done, close: done },
    lastTransaction: async () => ({ state: 'running' }),
    ...(longestTransactionMs === undefined ? {} : { longestTransactionMs }),
    async start(call) {
      calls.set(call.transaction.requestId, call)
    },
    async listen(given) {
      sink = given
    },
  }
  const shop = await openShop({ terminal: TID, drivers: [driver] })
  const settings = { account: 'demo', tid: TID, driver: 'silent', settings: freshSettings('GBP') }
  ok('record' in (await shop.gateway.provisioning.addTerminal(settings)))
  const ends = async ({ requestId }: Pick<Started, 'requestId'>, sequence: number, ending: Partial<Ending>) => {
    ok(calls.has(requestId), 'the terminal was never asked')
    await sink?.report({
      ...{ account: 'demo', requestId, sequence },
      reports: [{ type: 'ended', ending: anEnding(ending) }],
    })
    await shop.settle()
  }
  const managed = async ({ requestId }: Started) => (await shop.till.ask('GET', `/api/transactions/${requestId}`)).json
  const timedOut = async () => {
    const sale = await shop.till.sale(2599)
    for (let minute = 0; minute < 10; minute += 1) await shop.clock.advance(MINUTE_MS)
    equal((await shop.finished(sale)).transactionResult, 'TIMED_OUT')
    return sale
  }
  return { shop, ends, managed, timedOut }
}

const UNKNOWN = { final: false, moneyTaken: 'unknown', safeToRetry: false, nextStep: 'check_terminal' }

test('a success that is reported late settles the verdict, and the till goes on to read what it has read', async () => {
  const { shop, ends, managed, timedOut } = await openSilentShop()
  const sale = await timedOut()
  const before = await managed(sale)
  deepEqual(before['verdict'], UNKNOWN)
  await ends(sale, 1, { amounts: AMOUNTS, authCode: 'AB12C3' })
  const after = await managed(sale)
  const settled = { final: true, moneyTaken: 'yes', safeToRetry: false, nextStep: 'settle_bill' }
  deepEqual(after['verdict'], settled)
  deepEqual([after['totalMinor'], after['gratuityMinor']], [3000, 401])
  deepEqual(after['connect'], before['connect'])
  // A second end, even with the next number, changes nothing.
  await ends(sale, 2, { result: 'DECLINED' })
  deepEqual((await managed(sale))['verdict'], settled)
  const { json } = await shop.till.ask('GET', '/api/events?limit=100')
  const events = json['events'] as readonly { readonly id: string; readonly type: string }[]
  deepEqual(
    events.filter(({ id }) => id === sale.requestId).map(({ type }) => type),
    [...['started', 'timed_out', 'found_successful']],
  )
})

for (const result of ['DECLINED', 'CANCELLED', 'UNSUCCESSFUL', 'VOID'] as const)
  test(`after a late ${result} another try is safe`, async () => {
    const { ends, managed, timedOut } = await openSilentShop()
    const sale = await timedOut()
    await ends(sale, 1, { result })
    const retry = { final: true, moneyTaken: 'no', safeToRetry: true, nextStep: 'try_again' }
    deepEqual((await managed(sale))['verdict'], retry)
  })

const BY = { operator: 'Ann', reason: 'Seen on the terminal.' }

test('somebody who has looked closes a transaction once, and the verdict and a DUPLICATE follow', async () => {
  const { shop, ends, managed, timedOut } = await openSilentShop()
  const sale = await timedOut()
  const path = `/api/transactions/${sale.requestId}/close`
  const before = await managed(sale)
  const closed = await shop.till.ask('POST', path, { body: { outcome: 'taken', authCode: 'XY12', ...BY } })
  const settled = { final: true, moneyTaken: 'yes', safeToRetry: false, nextStep: 'settle_bill' }
  deepEqual([closed.status, closed.json['verdict'], closed.json['totalMinor']], [200, settled, 2599])
  deepEqual((await managed(sale))['connect'], before['connect'])
  const again = await shop.till.ask('POST', path, { body: { outcome: 'not_taken', ...BY } })
  deepEqual([again.status, again.json['code']], [409, 'transaction_not_closable'])
  const duplicate = await shop.till.started({ transactionType: 'DUPLICATE' })
  await shop.settle()
  await ends(duplicate, 1, { result: 'UNSUCCESSFUL', messages: ['nothing_to_repeat'] })
  const told = await shop.finished(duplicate)
  deepEqual([told.transactionResult, told.amountTotal, told.authCode], ['SUCCESSFUL', 2599, 'XY12'])
})

test('a terminal that agrees with who closed changes nothing; one that contradicts makes the verdict unknown', async () => {
  for (const [outcome, result, verdict] of [
    ['taken', 'SUCCESSFUL', { final: true, moneyTaken: 'yes', safeToRetry: false, nextStep: 'settle_bill' }],
    ['taken', 'DECLINED', UNKNOWN],
    ['not_taken', 'DECLINED', { final: true, moneyTaken: 'no', safeToRetry: true, nextStep: 'try_again' }],
    ['not_taken', 'SUCCESSFUL', UNKNOWN],
  ] as const) {
    const { shop, ends, managed, timedOut } = await openSilentShop()
    const sale = await timedOut()
    await shop.till.ask('POST', `/api/transactions/${sale.requestId}/close`, { body: { outcome, ...BY } })
    await ends(sale, 1, { result, amounts: AMOUNTS })
    deepEqual((await managed(sale))['verdict'], verdict, `${outcome} ${result}`)
    const contradicted = shop.log.lines.filter(({ message }) => message.startsWith('terminal contradicts'))
    equal(contradicted.length, verdict === UNKNOWN ? 1 : 0)
  }
})

test.each([
  ['the terminal says that it was taken', 'SUCCESSFUL', [1250, 0, 0]],
  ['the terminal says that it was declined', 'DECLINED', [0, 0, 0]],
  ['somebody says that it was taken', 'taken', [1000, 0, 0]],
  ['somebody says that it was not taken', 'not_taken', [0, 0, 0]],
] as const)('the share of a table waits until its outcome is known: %s', async (_name, outcome, expected) => {
  const { shop, ends } = await openSilentShop()
  equal((await upload(shop)).status, 201)
  const key = await keyOf(shop)
  const sums = async () => {
    const { json } = await shop.till.ask('GET', `/api/tables/${key.tableId}`)
    return [json['paidMinor'], json['reservedMinor'], json['unknownMinor']]
  }
  await shop.gateway.tables.lockFor(key, { tid: TID, waiterId: '7' })
  const share = { paymentId: 'p1', tid: TID, amountMinor: 1000, gratuityMinor: 0 }
  const begun = await shop.gateway.tables.takePayment(key, share)
  ok('requestId' in begun)
  const { requestId } = begun
  await shop.clock.advance(10 * MINUTE_MS)
  deepEqual(await sums(), [0, 1000, 1000])
  if (outcome === 'taken' || outcome === 'not_taken') {
    const body = { outcome, ...BY }
    equal((await shop.till.ask('POST', `/api/transactions/${requestId}/close`, { body })).status, 200)
    await shop.settle()
  } else await ends({ requestId }, 1, { result: outcome, amounts: { ...AMOUNTS, baseMinor: 1250 } })
  deepEqual(await sums(), expected)
})

test('what cannot be closed is refused and stays as it is', async () => {
  const { shop, managed, ends } = await openSilentShop()
  const sale = await shop.till.sale(2599)
  const close = (id: string, body: object) => shop.till.ask('POST', `/api/transactions/${id}/close`, { body })
  const taken = { outcome: 'taken', ...BY }
  equal((await close('none', taken)).json['code'], 'transaction_unknown')
  equal((await close(sale.requestId, taken)).json['code'], 'transaction_not_closable')
  equal((await close(sale.requestId, { ...taken, outcome: 'perhaps' })).json['code'], 'field_invalid')
  const card = await close(sale.requestId, { ...taken, reason: 'The card 4111 1111 1111 1111 was charged.' })
  deepEqual([card.status, card.json['code']], [422, 'field_invalid'])
  await ends(sale, 1, { result: 'DECLINED' })
  equal((await close(sale.requestId, taken)).json['code'], 'transaction_not_closable')
  equal(((await managed(sale))['verdict'] as { moneyTaken: string }).moneyTaken, 'no')
})

test('a transaction has the time that its terminal may need without a fault', async () => {
  for (const [longestMs, expected] of [
    [undefined, 200_000],
    [400_000, 400_000],
    [1_000, 200_000],
  ] as const) {
    const { shop, managed } = await openSilentShop(longestMs)
    const sale = await shop.till.sale(2599)
    await shop.clock.advance(expected - 1)
    equal((await managed(sale))['result'], null, String(longestMs))
    await shop.clock.advance(1)
    equal((await managed(sale))['result'], 'TIMED_OUT', String(longestMs))
  }
})

test('a DUPLICATE reports the late outcome when the terminal has forgotten it', async () => {
  const { shop, ends, timedOut } = await openSilentShop()
  const sale = await timedOut()
  await ends(sale, 1, { amounts: AMOUNTS, authCode: 'AB12C3' })
  const duplicate = await shop.till.started({ transactionType: 'DUPLICATE' })
  await shop.settle()
  await ends(duplicate, 1, { result: 'UNSUCCESSFUL', messages: ['nothing_to_repeat'] })
  const told = await shop.finished(duplicate)
  deepEqual([told.transactionResult, told.amountTotal, told.authCode], ['SUCCESSFUL', 3000, 'AB12C3'])
})
