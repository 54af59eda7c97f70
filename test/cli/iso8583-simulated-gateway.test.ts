// test/cli/iso8583-simulated-gateway.test.ts — payments of the whole program over the simulated host; either is killed.
import { deepEqual, equal, match } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import plain87 from '../../src/acquirers/iso8583/dialects/plain-87-ascii.json' with { type: 'json' }
import pos87 from '../../src/acquirers/iso8583/dialects/pos-87-bcd.json' with { type: 'json' }
import { TEST_KEYS } from '../contract/payment-keys.suite.ts'
import { movedBy, type SimulatedHost, simulatedHost } from './simulated-host.ts'
import { begin, emptyDirectory, run, runJson, type Serving, serving } from './tollgate.ts'

const CARD = { cardName: 'John Watson', cardNumber: '5200000000000056', expiryDate: '12 / 30', cV2: '341' }
const PATIENCE = { timeout: 90_000, interval: 50 }
/** Long enough for a busy machine, because an answer that is late is reversed; repetitions and settling are short. */
const TIMERS = { ...plain87.timers, answerMs: 10_000, repeatsMs: [0, 500, 1_000], settleMs: 1_000 }

interface Payment {
  readonly transactionType: string
  readonly amountMinor: number
  readonly statusCode: number | null
}

interface Shop {
  /** Pays with a card, or with an earlier payment; returns the token. The payment may be open after that. */
  pay(transactionType: string, amount: number, crossReference?: string): Promise<string>
  statusOf(token: string): Promise<number | undefined>
  referenceOf(token: string): Promise<string>
  payments(): Promise<readonly Payment[]>
}

async function shopOf({ summary: { url } }: Serving, data: string, apiKey: string): Promise<Shop> {
  const { token } = await runJson<{ token: string }>(['token', 'harbour', '--data', data, '--audience', url])
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const read = async (id: string) => {
    const answer = await fetch(`${url}/v1/payments/${id}`, { headers })
    return (await answer.json()) as { readonly statusCode?: number; readonly crossReference: string }
  }
  let orders = 0
  return {
    async pay(transactionType, amount, crossReference) {
      orders += 1
      const order = { merchantUrl: 'shop.example', currencyCode: '826', orderId: `H-${transactionType}-${orders}` }
      const made = await post('/v1/access-tokens', { ...order, amount: String(amount), transactionType })
      const { id } = (await made.json()) as { readonly id: string }
      // A killed gateway answers nothing.
      const paid =
        crossReference === undefined
          ? post(`/api/payments/${id}`, CARD)
          : post(`/v1/cross-reference-payments/${id}`, { crossReference })
      void paid.catch(() => {})
      return id
    },
    statusOf: async id => (await read(id)).statusCode,
    referenceOf: async id => (await read(id)).crossReference,
    async payments() {
      const listed = await fetch(`${url}/api/payments?limit=100`, {
        headers: { authorization: `Basic ${Buffer.from(`till:${apiKey}`).toString('base64')}` },
      })
      return ((await listed.json()) as { readonly payments: readonly Payment[] }).payments
    },
  }
}

interface Bench {
  readonly data: string
  /** Document of the host. */
  readonly file: string
  host: SimulatedHost
  gateway: Serving
  shop: Shop
}

interface Given {
  readonly dialect: { readonly name: string; readonly settings: readonly number[] }
  /** Arguments of the host, beside its journal. */
  readonly hostArgs: readonly string[]
  /** Members of the document of the host, beside the usual ones. */
  readonly members: object
}

const SETTINGS: Readonly<Record<number, string>> = {
  ...{ 18: '5411', 24: '003', 32: '123456', 41: '29110001', 42: 'HARBOUR', 43: 'Harbour Cafe', 60: '000001' },
}

/** A host with a journal, and a gateway whose account harbour pays at it. */
async function opened({
  dialect = plain87,
  hostArgs = [],
  members = {},
}: Partial<Given> = {}): Promise<Bench & { restartHost(): Promise<void>; restartGateway(): Promise<void> }> {
  const [data, folder] = [emptyDirectory(), emptyDirectory()]
  const journal = ['--dialect', dialect.name, '--journal', join(folder, 'host.journal'), ...hostArgs]
  const host = await simulatedHost(journal)
  const own = { name: 'test-host', timers: TIMERS, examples: [] }
  writeFileSync(join(folder, 'dialect.json'), JSON.stringify({ ...dialect, ...own }))
  const file = join(folder, 'host.json')
  const settings = Object.fromEntries(dialect.settings.map(number => [number, SETTINGS[number] ?? '']))
  const document = { dialect: 'dialect.json', addresses: [{ host: '127.0.0.1', port: host.port }], tls: 'none' }
  writeFileSync(file, JSON.stringify({ ...document, timeZone: 'Europe/London', settings, ...members }))
  const create = ['accounts', 'create', 'harbour', '--name', 'Harbour', '--acquirer', 'iso8583']
  const hosts = ['--merchant-host', 'shop.example', '--data', data]
  const { apiKey } = await runJson<{ apiKey: string }>([...create, ...hosts])
  const serve = () => serving(data, { TOLLGATE_ACQUIRER_FILE: file })
  const gateway = await serve()
  const bench: Bench = { data, file, host, gateway, shop: await shopOf(gateway, data, apiKey) }
  return Object.assign(bench, {
    async restartHost() {
      bench.host.child.kill('SIGKILL')
      await bench.host.ended
      bench.host = await simulatedHost([...journal, '--port', String(host.port)])
    },
    async restartGateway() {
      bench.gateway.child.kill('SIGKILL')
      await bench.gateway.ended
      bench.gateway = await serve()
      bench.shop = await shopOf(bench.gateway, data, apiKey)
    },
  })
}

/** Waits for the end of a payment, and returns its status. */
async function ended(bench: Bench, token: string): Promise<number | undefined> {
  await expect.poll(async () => [undefined, 40].includes(await bench.shop.statusOf(token)), PATIENCE).toBe(false)
  return bench.shop.statusOf(token)
}

const paid = async (bench: Bench, ...args: Parameters<Shop['pay']>) => ended(bench, await bench.shop.pay(...args))
const said = (bench: Bench, what: RegExp) => expect.poll(() => what.test(bench.host.said()), PATIENCE).toBe(true)

/** Net money of the payments that succeeded. A void gives back a sale; nothing else is voided here. */
function netOf(payments: readonly Payment[]): number {
  const sign: Readonly<Record<string, number>> = { SALE: 1, COLLECTION: 1, REFUND: -1, VOID: -1 }
  return payments
    .filter(({ statusCode }) => statusCode === 0)
    .reduce((sum, { transactionType, amountMinor }) => sum + (sign[transactionType] ?? 0) * amountMinor, 0)
}

async function agreeOn(bench: Bench, minor: number): Promise<void> {
  const theirs = (await bench.host.entries()).reduce((sum, entry) => sum + movedBy(entry), 0)
  deepEqual({ ours: netOf(await bench.shop.payments()), theirs }, { ours: minor, theirs: minor })
}

interface ReconciledBatch {
  readonly verdict: string
  readonly net: number
  readonly isSameNet: boolean | null
  readonly isClosed: boolean
  readonly uploaded: number | null
}

/** Runs the command beside the gateway. */
async function reconcile({ data, file }: Bench) {
  const { code, stdout, stderr } = await run(['iso8583', 'reconcile', '--data', data, '--json'], {
    TOLLGATE_ACQUIRER_FILE: file,
  })
  const { batches } = JSON.parse(stdout) as { readonly batches: readonly ReconciledBatch[] }
  return { code, stderr, batches }
}

test('sales, refunds, cancels and captures, also with faults of the host: both sides agree to the penny', async () => {
  const bench = await opened()
  const { shop, host } = bench
  const sale = await shop.pay('SALE', 1999)
  equal(await ended(bench, sale), 0)
  equal(await paid(bench, 'REFUND', 500, await shop.referenceOf(sale)), 0)
  const cancelled = await shop.pay('SALE', 3000)
  equal(await ended(bench, cancelled), 0)
  equal(await paid(bench, 'VOID', 3000, await shop.referenceOf(cancelled)), 0)
  const hold = await shop.pay('PREAUTH', 5000)
  equal(await ended(bench, hold), 0)
  equal(await paid(bench, 'COLLECTION', 3000, await shop.referenceOf(hold)), 0)
  equal(await paid(bench, 'SALE', 9_000_051), 5)
  await agreeOn(bench, 1999 - 500 + 3000)
  const reconciled = await reconcile(bench)
  deepEqual(
    reconciled.batches.map(({ verdict, net, isClosed }) => [verdict, net, isClosed]),
    [['balanced', 1999 - 500 + 3000, true]],
  )
  equal(reconciled.code, 0)
  for (const scenario of ['answer_twice', 'in_progress_first', 'slow_answer:1000', 'connection_closed']) {
    await host.plays({ next: [{ scenario }] })
    equal(await paid(bench, 'SALE', 101), 0, scenario)
  }
  for (const scenario of ['connection_dropped', 'answer_lost', 'half_answer', 'wrong_amount:7', 'partly_approved']) {
    await host.plays({ next: [{ scenario }] })
    equal(await paid(bench, 'SALE', 777), 5, scenario)
  }
  await agreeOn(bench, 1999 - 500 + 3000 + 4 * 101)
  // The host counts what it took and undid without our knowledge; a person sees that, and that the money is the same.
  const different = await reconcile(bench)
  deepEqual(
    different.batches.map(({ verdict, net, isSameNet, isClosed }) => [verdict, net, isSameNet, isClosed]),
    [['out_of_balance', 4 * 101, true, false]],
  )
  equal(different.code, 1)
  match(different.stderr, /1 of 1 batches did not agree\. Ask the acquirer\./)
  equal((await bench.gateway.stop()).code, 0)
}, 240_000)

describe('kill -9 of the gateway', () => {
  test('while a sale, a refund and a capture wait for their answers', async () => {
    const bench = await opened()
    const sale = await bench.shop.pay('SALE', 1999)
    equal(await ended(bench, sale), 0)
    const hold = await bench.shop.pay('PREAUTH', 5000)
    equal(await ended(bench, hold), 0)
    const [ofSale, ofHold] = [await bench.shop.referenceOf(sale), await bench.shop.referenceOf(hold)]
    await bench.host.plays({ next: [{ scenario: 'acquirer_silent', times: 3 }] })
    const open = [
      await bench.shop.pay('SALE', 777),
      await bench.shop.pay('REFUND', 500, ofSale),
      await bench.shop.pay('COLLECTION', 4000, ofHold),
    ]
    await said(bench, /<- 0200 .*amount=000000000777/)
    await said(bench, /<- 0200 .*amount=000000000500/)
    await said(bench, /<- 0220 .*amount=000000004000/)
    await bench.restartGateway()
    const statuses = await Promise.all(open.map(token => ended(bench, token)))
    await said(bench, /<- 0221 .*amount=000000004000/)
    equal(statuses[2], 0, 'an advice is repeated until it is answered')
    const net = (statuses[1] === 0 ? -500 : 0) + 1999 + 4000
    await agreeOn(bench, net)
    equal((bench.host.said().match(/<- 0200 .*amount=000000000777/g) ?? []).length, 1, 'a sale is sent once')
  }, 240_000)

  test('while a reversal waits for its answer, and when the money was taken without one', async () => {
    const bench = await opened()
    await bench.host.plays({
      next: [{ scenario: 'answer_lost' }, { scenario: 'slow_acquirer:600000', of: 'reversal' }],
    })
    const sale = await bench.shop.pay('SALE', 777)
    await said(bench, /<- 0420 /)
    deepEqual(
      (await bench.host.entries()).map(({ state }) => state),
      ['charged'],
    )
    await bench.restartGateway()
    await said(bench, /<- 0421 /)
    equal(await ended(bench, sale), 30)
    await agreeOn(bench, 0)
  }, 240_000)
})

test('kill -9 of the host after it took the money: the sale is reversed when it is back', async () => {
  const bench = await opened()
  equal(await paid(bench, 'SALE', 1999), 0)
  await bench.host.plays({ next: [{ scenario: 'slow_answer:600000' }] })
  const sale = await bench.shop.pay('SALE', 777)
  await expect.poll(async () => (await bench.host.entries()).length, PATIENCE).toBe(2)
  await bench.restartHost()
  equal(await ended(bench, sale), 5)
  deepEqual(
    (await bench.host.entries()).map(({ kind, state }) => `${kind} ${state}`),
    ['charge charged', 'charge reversed', 'reversal done'],
  )
  equal(await paid(bench, 'SALE', 101), 0)
  await agreeOn(bench, 1999 + 101)
}, 240_000)

test('messages with codes: the keys are in a security module, or in the store of a sandbox', async () => {
  const folder = emptyDirectory()
  const [keyFile, moduleKeys] = [join(folder, 'mac.txt'), join(folder, 'keys.json')]
  const MAC = TEST_KEYS[0]?.hex ?? ''
  writeFileSync(keyFile, MAC)
  writeFileSync(moduleKeys, JSON.stringify({ keys: TEST_KEYS.map(({ hex, ...key }) => ({ ...key, key: hex })) }))
  const module = begin(['simulate', 'hsm', '--keys', moduleKeys])
  const [, port = ''] = await module.printed(/port (\d+)\.\n/)
  const keys = { securityModule: { host: '127.0.0.1', port: Number(port) }, tls: 'none' }
  const bench = await opened({ dialect: pos87, hostArgs: ['--mac-key', keyFile], members: { keys } })
  equal(await paid(bench, 'SALE', 1999), 0)
  module.child.kill('SIGKILL')
  await module.ended
  const waiting = await bench.shop.pay('SALE', 500)
  await expect.poll(() => /no code for a message/.test(bench.gateway.said()), PATIENCE).toBe(true)
  await begin(['simulate', 'hsm', '--keys', moduleKeys, '--port', port]).printed(/port/)
  equal(await ended(bench, waiting), 0, 'it is sent when the module is back')
  await agreeOn(bench, 2499)
  // The command opens the cards in the vault of the gateway, which runs on.
  await bench.host.plays({ next: [{ scenario: 'out_of_balance', of: 'reconciliation' }] })
  const uploaded = await reconcile(bench)
  deepEqual(
    uploaded.batches.map(batch => [batch.verdict, batch.net, batch.isClosed, batch.uploaded]),
    [['uploaded', 2499, true, 2]],
  )
  equal(uploaded.code, 0)
  await agreeOn(bench, 2499)
  equal((await bench.gateway.stop()).code, 0)

  const software = await opened({ dialect: pos87, hostArgs: ['--mac-key', keyFile], members: { keys: 'software' } })
  const load = ['iso8583', 'keys', 'load', 'host-mac', '--use', 'mac', '--part', keyFile, '--check-value', '08D7B4']
  equal((await run([...load, '--data', software.data])).code, 0)
  equal(await paid(software, 'SALE', 1999), 0)
}, 240_000)
