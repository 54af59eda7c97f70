// test/api/scenarios.test.ts — scenarios of a till's tests: a queue per terminal, one by header; from the library and from
// documents of the account.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { SCENARIO_NAMES } from '../../src/simulator/scenarios/built-in.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { send } from '../support/till.ts'

const QUEUE = '/sandbox/terminals/VCMDEMOSIP0/scenarios'

async function sell(shop: Shop, scenario?: string): Promise<string | undefined> {
  const headers = scenario === undefined ? {} : { 'tollgate-scenario': scenario }
  const reply = await shop.till.start({ transactionType: 'SALE', amount: 2599, currency: 'GBP' }, { headers })
  equal(reply.status, 201, reply.text)
  return (await shop.finished(reply.json as never)).transactionResult
}

test('a queue is played in order, and then the id of the terminal decides again', async () => {
  const shop = await openShop()
  const set = await shop.till.ask('POST', QUEUE, { body: { next: ['declined', 'declined', 'approved'] } })
  equal(set.status, 200, set.text)
  deepEqual(
    [await sell(shop), await sell(shop), await sell(shop), await sell(shop)],
    ['DECLINED', 'DECLINED', 'SUCCESSFUL', 'SUCCESSFUL'],
  )
  deepEqual((await shop.till.ask('GET', QUEUE)).json, { next: [], afterwards: null })
})

test('a queue can repeat a scenario, and name one for all later payments', async () => {
  const shop = await openShop()
  const body = { next: [{ scenario: 'void', times: 2 }], afterwards: 'unsuccessful' }
  deepEqual((await shop.till.ask('POST', QUEUE, { body })).json, body)
  equal(await sell(shop), 'VOID')
  deepEqual((await shop.till.ask('GET', QUEUE)).json, { ...body, next: [{ scenario: 'void', times: 1 }] })
  deepEqual([await sell(shop), await sell(shop), await sell(shop)], ['VOID', 'UNSUCCESSFUL', 'UNSUCCESSFUL'])
  equal((await shop.till.ask('POST', QUEUE, { body: { next: [] } })).status, 200)
  equal(await sell(shop), 'SUCCESSFUL')
})

test('Tollgate-Scenario applies to one request and leaves the queue unchanged', async () => {
  const shop = await openShop()
  await shop.till.ask('POST', QUEUE, { body: { next: ['declined'] } })
  deepEqual([await sell(shop, 'void'), await sell(shop), await sell(shop)], ['VOID', 'DECLINED', 'SUCCESSFUL'])
})

test('a refused request does not use up the queue or its header', async () => {
  const shop = await openShop({ terminal: '22160001' })
  const queue = '/sandbox/terminals/22160001/scenarios'
  const sale = await shop.till.sale(2599)
  // The terminal has it before the scenario of the next one is chosen.
  await shop.settle()
  await shop.till.ask('POST', queue, { body: { next: ['declined'] } })
  const headers = { 'tollgate-scenario': 'paper_out_at_start' }
  const busy = await shop.till.start({ transactionType: 'SALE', amount: 1, currency: 'GBP' }, { headers })
  equal(busy.status, 422)
  await shop.till.cancel(sale)
  equal((await shop.finished(sale)).transactionResult, 'CANCELLED')
  const next = await shop.till.sale(2599)
  const { notifications, transactionResult } = await shop.finished(next)
  deepEqual([notifications.includes('REPLACE_PAPER'), transactionResult], [false, 'DECLINED'])
})

test('a request repeated with its Idempotency-Key plays the scenario of the first', async () => {
  const shop = await openShop()
  const body = { transactionType: 'SALE', amount: 2599, currency: 'GBP' }
  const ask = (scenario: string) =>
    shop.till.start(body, { headers: { 'idempotency-key': 'once', 'tollgate-scenario': scenario } })
  const first = await ask('declined')
  deepEqual((await ask('void')).json, first.json)
  equal((await shop.finished(first.json as never)).transactionResult, 'DECLINED')
})

test('an unknown scenario is refused with its place', async () => {
  const shop = await openShop()
  const unknown = await shop.till.ask('POST', QUEUE, { body: { next: ['approved', 'aproved'] } })
  deepEqual([unknown.status, unknown.json['code'], unknown.json['field']], [422, 'scenario_unplayable', 'next[1]'])
  match(String(unknown.json['detail']), /no scenario named "aproved"/)
  const sale = { transactionType: 'SALE', amount: 1, currency: 'GBP' }
  const header = await shop.till.start(sale, { headers: { 'tollgate-scenario': 'nope' } })
  equal(header.status, 422)
  match(String(header.json['userMessage']), /no scenario named "nope"/)
  // Nothing was started.
  equal(await sell(shop), 'SUCCESSFUL')
  for (const [body, field] of [
    [{}, 'next'],
    [{ next: 'approved' }, 'next'],
    [{ next: [7] }, 'next[0]'],
    [{ next: [{ scenario: 'approved', times: 0 }] }, 'next[0].times'],
    [{ next: [{ times: 2 }] }, 'next[0].scenario'],
    [{ next: [], finally: 'approved' }, 'finally'],
    [{ next: [], afterwards: 'nope' }, 'afterwards'],
  ] as const) {
    const reply = await shop.till.ask('POST', QUEUE, { body })
    deepEqual([reply.status, reply.json['field']], [422, field], JSON.stringify(body))
  }
  equal((await shop.till.ask('POST', '/sandbox/terminals/none/scenarios', { body: { next: [] } })).status, 404)
})

test('the library is listed, and each of its documents can be defined under another name', async () => {
  const shop = await openShop()
  const { scenarios } = (await shop.till.ask('GET', '/sandbox/scenarios')).json as {
    scenarios: { name: string; title: string; from: string }[]
  }
  deepEqual(
    scenarios.map(({ name, from }) => `${from} ${name}`),
    SCENARIO_NAMES.map(name => `library ${name}`),
  )
  ok(scenarios.every(({ title }) => title.length > 0))
  for (const { name } of scenarios) {
    const document = (await shop.till.ask('GET', `/sandbox/scenarios/${name}`)).json
    equal(document['name'], name)
    const mine = await shop.till.ask('POST', '/sandbox/scenarios', { body: { ...document, name: `my_${name}` } })
    deepEqual([mine.status, mine.json], [201, { name: `my_${name}` }], mine.text)
  }
  equal((await shop.till.ask('GET', '/sandbox/scenarios/nope')).status, 404)
})

test('a document of the account is played like one of the library, until it is deleted', async () => {
  const shop = await openShop()
  const body = {
    name: 'slow_decline',
    like: 'contactless_approved',
    acquirer: { answer: 'declined', reason: 'insufficient_funds', slowMs: 10_000 },
    plans: {
      declined: [
        { do: 'show', notification: 'DECLINED' },
        { do: 'pause', ms: 5_000 },
        { do: 'end', result: 'DECLINED' },
      ],
    },
  }
  equal((await shop.till.ask('POST', '/sandbox/scenarios', { body })).status, 201)
  const startedAt = shop.clock.now()
  equal(await sell(shop, 'slow_decline'), 'DECLINED')
  const tookMs = shop.clock.now() - startedAt
  ok(tookMs >= 15_000 && tookMs < 20_000, String(tookMs))
  deepEqual((await shop.till.ask('GET', '/sandbox/scenarios/slow_decline')).json, body)

  const stranger = shop.tillOf('demo-eur-api-key', 'VCMEUROSIP0', 'EUR')
  equal((await stranger.ask('GET', '/sandbox/scenarios/slow_decline')).status, 404)
  await shop.till.ask('POST', QUEUE, { body: { next: ['slow_decline'] } })
  equal((await shop.till.ask('DELETE', '/sandbox/scenarios/slow_decline')).status, 422)
  equal(await sell(shop), 'DECLINED')
  equal((await shop.till.ask('DELETE', '/sandbox/scenarios/slow_decline')).status, 204)
  equal((await shop.till.ask('DELETE', '/sandbox/scenarios/slow_decline')).status, 404)
  equal((await shop.till.ask('DELETE', '/sandbox/scenarios/approved')).status, 404)
})

test('an invalid document is refused with the place and the reason', async () => {
  const shop = await openShop()
  for (const [document, field, says] of [
    [{}, 'name', /name is missing/],
    [{ name: 'Slow' }, 'name', /lower-case letters/i],
    [{ name: 'approved' }, 'name', /built-in/],
    [{ name: 'a', like: 'nope' }, 'like', /built-in/],
    [{ name: 'a', card: 'visa' }, 'card', /sim-visa-debit/],
    [{ name: 'a', plan: {} }, 'plan', /unknown; allowed are name, title/],
    [{ name: 'a', plans: { aproved: [] } }, 'plans.aproved', /allowed are started/],
    [{ name: 'a', plans: { approved: [] } }, 'plans.approved', /must not be empty/],
    [{ name: 'a', plans: { approved: [{ do: 'sing' }] } }, 'plans.approved[0].do', /must be one of show, pause/],
    [
      { name: 'a', plans: { approved: [{ do: 'pause', ms: 1.5 }] } },
      'plans.approved[0].ms',
      /whole number.*not "?1\.5/,
    ],
    [{ name: 'a', plans: { approved: [{ do: 'end', result: 'TIMED_OUT' }] } }, 'plans.approved[0].result', /one of/],
    [{ name: 'a', plans: { approved: [{ do: 'pause', ms: 1 }] } }, 'plans.approved[0]', /last step/],
    [{ name: 'a', acquirer: { answer: 'perhaps' } }, 'acquirer.answer', /approved, declined, nothing/],
  ] as const) {
    const reply = await shop.till.ask('POST', '/sandbox/scenarios', { body: document })
    deepEqual([reply.status, reply.json['field']], [422, field], reply.text)
    match(String(reply.json['detail']), says)
  }
})

test('the JSON schema of scenarios is published, without the ids of its parts', async () => {
  const shop = await openShop()
  const reply = await send(shop.api.inject, 'GET', '/sandbox/schemas/scenario.json', {})
  equal(reply.status, 200)
  deepEqual(Object.keys(reply.json['properties'] as object).slice(0, 3), ['name', 'title', 'like'])
  ok(!reply.text.includes('$id'))
})

test('a scenario that a terminal has yet to play is not deleted', async () => {
  const { till } = await openShop()
  const queue = (body: object) => till.ask('POST', '/sandbox/terminals/VCMDEMOSIP0/scenarios', { body })
  const mine = { name: 'mine', like: 'declined' }
  equal((await till.ask('POST', '/sandbox/scenarios', { body: mine })).status, 201)
  for (const body of [{ next: ['approved', 'mine+answer_twice'] }, { next: [], afterwards: 'mine' }]) {
    equal((await queue(body)).status, 200)
    const refused = await till.ask('DELETE', '/sandbox/scenarios/mine')
    deepEqual([refused.status, refused.json['field']], [422, 'name'])
  }
  equal((await queue({ next: [] })).status, 200)
  equal((await till.ask('DELETE', '/sandbox/scenarios/mine')).status, 204)
})
