// test/recorded/scripts/sandbox.ts — operations of the simulator.
import { basic, type Play } from '../play.ts'
import { withoutReceipts } from '../receipts.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { APPROVES, BY_HAND, LONG_MS, operatorOf, press, SALE, start, tillOf, transactionsAt } from './tills.ts'

/** Lists are cut: only their shape matters. */
function firstTwo(body: unknown): unknown {
  return Object.fromEntries(
    Object.entries(body as object).map(([name, value]) => [
      name,
      Array.isArray(value) ? [...value.slice(0, 2), `${value.length} in all`] : value,
    ]),
  )
}

async function accounts(play: Play): Promise<void> {
  const anybody = play.as('somebody')
  const show = (body: unknown) =>
    JSON.parse(
      JSON.stringify(body)
        .replaceAll(/VCM[A-Z]{4}(?=[A-Z]{3}0)/g, 'VCM<tag>')
        .replace(/"(jwt|keyId)":"[^"]+"/g, '"$1":"<$1>"'),
    ) as unknown
  const { json } = await anybody.ask('POST', '/sandbox/accounts', { body: { name: 'My Shop', currency: 'EUR' }, show })
  const own = play.as('the new account', basic(String(json['key'])))
  await own.get('/api/account')
  await own.ask('GET', '/api/terminals', { show })
  await anybody.post('/sandbox/accounts', { timeZone: 'Mars/Olympus' })
  await anybody.post('/sandbox/accounts', { name: 'x'.repeat(25) })
  await anybody.ask('POST', '/sandbox/accounts', { show })
  await anybody.post('/sandbox/accounts', {})
}

async function terminals(play: Play): Promise<void> {
  const operator = operatorOf(play)
  const at = '/sandbox/terminals'
  await operator.ask('GET', '/sandbox/cards', { show: firstTwo })
  await operator.ask('GET', at, { show: firstTwo })
  await operator.get(`${at}/${BY_HAND}`)
  await operator.get(`${at}/none`)
  await operator.get(at, { authorization: '' })
  await operator.get(at, basic('wrong'))
  await operator.post(at, { tid: 'VCMBARDIP0', settings: { gratuity: true } })
  await operator.post(at, { tid: 'VCMBARDIP0' })
  await operator.post(at, { tid: 'VCMEUROSIP0' })
  await operator.post(at, { tid: '' })
  await operator.ask('PATCH', `${at}/VCMBARDIP0/settings`, { body: { paceMs: 0, mode: 'table' } })
  await operator.ask('PATCH', `${at}/VCMBARDIP0/settings`, { body: { paceMs: -1 } })
  await operator.ask('PATCH', `${at}/none/settings`, { body: {} })
  await operator.post(`${at}/VCMBARDIP0/reset`)
  await operator.post(`${at}/none/reset`)
  await operator.delete(`${at}/VCMBARDIP0`)
  await operator.delete(`${at}/VCMBARDIP0`)
  await operator.post(`${at}/none/keys`, { key: 'unplug' })
  for (const body of [
    { key: 'pin', digits: '1234' },
    { key: 'present_card', card: 'sim-visa-debit' },
    { key: 'fly' },
    {},
    '{',
  ])
    await operator.post(`${at}/${BY_HAND}/keys`, body)
  await press(play, BY_HAND, { key: 'take_paper_out' }, { key: 'put_paper_in' }, { key: 'unplug' }, { key: 'plug_in' })
  await operator.ask('GET', '/sandbox/waiters', { show: firstTwo })
  await operator.post(`${at}/${APPROVES}/waiter`, { script: 'no_such' })
  await operator.post(`${at}/none/waiter`, { script: 'pay_in_one' })
}

async function scenarios(play: Play): Promise<void> {
  const operator = operatorOf(play)
  const mine = {
    name: 'slow_decline',
    title: 'Slow.',
    like: 'contactless_approved',
    acquirer: { answer: 'declined', slowMs: 10_000 },
  }
  await operator.ask('GET', '/sandbox/scenarios', { show: firstTwo })
  await operator.get('/sandbox/scenarios/approved')
  await operator.get('/sandbox/scenarios/none')
  await operator.post('/sandbox/scenarios', mine)
  await operator.get('/sandbox/scenarios/slow_decline')
  await operator.post('/sandbox/scenarios', { ...mine, name: 'approved' })
  await operator.post('/sandbox/scenarios', { ...mine, colour: 'red' })
  const next = `/sandbox/terminals/${APPROVES}/scenarios`
  await operator.post(next, { next: ['slow_decline', { scenario: 'void', times: 2 }], afterwards: 'declined' })
  await operator.get(next)
  const path = await start(tillOf(play), APPROVES)
  await play.advance(LONG_MS)
  await operator.get(next)
  await operator.post(next, { next: ['none'] })
  await operator.post('/sandbox/terminals/none/scenarios', { next: [] })
  await operator.get('/sandbox/terminals/none/scenarios')
  const requestId = path.slice(path.lastIndexOf('/') + 1)
  await operator.get(`/sandbox/transactions/${requestId}/scenario`)
  await operator.get('/sandbox/transactions/none/scenario')
  await operator.delete('/sandbox/scenarios/slow_decline')
  await operator.delete('/sandbox/scenarios/slow_decline')
  await operator.ask('GET', '/sandbox/schemas/scenario.json', { show: schemaInShort })
}

/** Title and property names of a schema. */
export function schemaInShort(body: unknown): unknown {
  const { properties = {}, ...others } = body as {
    readonly properties?: object
    readonly $schema?: string
    readonly title?: string
  }
  return { $schema: others.$schema, title: others.title, properties: Object.keys(properties) }
}

async function faults(play: Play): Promise<void> {
  const operator = operatorOf(play)
  const arm = (body: object) => operator.post('/sandbox/faults', body)
  const till = tillOf(play)
  await operator.ask('GET', '/sandbox/faults', { show: firstTwo })
  await arm({ fault: 'http_500', method: 'GET', path: '/pac/**', times: 2 })
  await arm({ fault: 'declined', path: '/pac/**' })
  await arm({ fault: 'http_500' })
  await operator.ask('GET', '/sandbox/faults', { show: body => ({ armed: (body as { armed: unknown }).armed }) })
  await till.get('/pac/terminals')
  await till.get(`/pac/terminals/${APPROVES}`)
  await arm({ fault: 'http_503', path: '/api/**' })
  await operator.get('/api/account')
  await arm({ fault: 'slow_answer:3000', path: '/pac/terminals' })
  const slow = till.ask('GET', '/pac/terminals', { show: 'status and headers' })
  await play.gateway.settle()
  await play.advance(4_000)
  await slow
  await arm({ fault: 'http_500', path: '/v1/**' })
  await operator.delete('/sandbox/faults')
  await operator.delete('/sandbox/faults', undefined, { authorization: '' })
}

async function clock(play: Play): Promise<void> {
  const operator = operatorOf(play)
  const move = (body: unknown) => operator.post('/sandbox/clock', body)
  await operator.get('/sandbox/clock')
  await move({ do: 'freeze' })
  const path = await start(tillOf(play), 'VCMDEMOSIS0')
  await move({ do: 'advance', ms: 5_000 })
  await tillOf(play).get(path)
  await move({ do: 'set', to: '2020-01-01T00:00:00Z' })
  await move({ do: 'advance', ms: 100_000 })
  await tillOf(play).ask('GET', path, { show: withoutReceipts })
  await move({ do: 'set', to: '2026-12-31T23:59:00Z' })
  await move({ do: 'release' })
  await operator.get('/sandbox/clock')
  await move({ do: 'reset' })
  await move({ do: 'turn' })
  await move({ do: 'advance', ms: -1 })
  await move({ do: 'set', to: 'tomorrow' })
  await move({})
}

async function states(play: Play): Promise<void> {
  const operator = operatorOf(play)
  await operator.get('/sandbox/snapshots')
  await operator.post('/sandbox/seed', { count: 3, overMs: 600_000 })
  await operator.post('/sandbox/seed', { count: 2, transactionType: 'SALE', scenario: 'declined', terminals: ['none'] })
  await operator.post('/sandbox/seed', { count: 0 })
  await operator.post('/sandbox/seed', { count: 1, scenario: 'none' })
  await operator.post('/sandbox/snapshots', { name: 'busy_day' })
  await operator.post('/sandbox/snapshots', { name: '' })
  await operator.post('/sandbox/snapshots', { name: 'No!' })
  const path = await start(tillOf(play), APPROVES)
  await operator.post('/sandbox/seed', { count: 1 })
  await operator.get('/sandbox/snapshots')
  await operator.post('/sandbox/snapshots/busy_day/restore')
  await tillOf(play).get(path)
  await operator.post('/sandbox/snapshots/none/restore')
  await operator.ask('GET', '/api/transactions', { show: withoutReceipts })
  await operator.delete('/sandbox/snapshots/busy_day')
  await operator.delete('/sandbox/snapshots/busy_day')
  await operator.post('/sandbox/reset')
  await operator.get('/api/transactions')
}

/** Answers to a till under faults of scenarios. */
async function played(play: Play): Promise<void> {
  const till = tillOf(play)
  for (const name of [
    'card_expired',
    'lost_or_stolen',
    'approved+wrong_amount:100',
    'cashback_prompted',
    'paper_runs_out',
    'approved+link_lost_after_authorisation:8000',
    'approved+acquirer_silent',
  ]) {
    const { json } = await till.post(
      transactionsAt(APPROVES),
      { ...SALE, amount: 3_000 },
      { 'tollgate-scenario': name },
    )
    await play.advance(5 * LONG_MS)
    await till.ask('GET', `${transactionsAt(APPROVES)}/${json['requestId']}`, { show: withoutReceipts })
    if (name.startsWith('paper'))
      await operatorOf(play).post(`/sandbox/terminals/${APPROVES}/keys`, { key: 'put_paper_in' })
  }
}

export const SANDBOX: readonly Scenario[] = [
  scenario('test accounts', accounts, { testAccountsPerHour: 2 }),
  scenario('terminals', terminals),
  scenario('scenarios', scenarios),
  scenario('faults', faults),
  scenario('the clock', clock),
  scenario('states', states),
  scenario('transactions under scenarios', played),
]
