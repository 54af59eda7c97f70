// test/api/late-outcome.test.ts — a terminal that authorises by itself reports the outcome after the time limit.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import type { Ending } from '../../src/domain/counter/transaction-events.ts'
import type { TerminalCall, TerminalDriver, TerminalSink } from '../../src/engine/ports/terminal.ts'
import { freshSettings } from '../../src/services/provisioning/provisioning.ts'
import { anEnding } from '../support/records.ts'
import { openShop } from '../support/shop.ts'
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
  const ends = async ({ requestId }: Started, sequence: number, ending: Partial<Ending>) => {
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
