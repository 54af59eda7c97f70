// test/recorded/scripts/refusals.ts — refusals of till requests over REST, in each version, and repeated requests.
import { basic, type Play } from '../play.ts'
import { type Scenario, scenario } from '../scenario.ts'
import {
  APPROVES,
  BY_HAND,
  LONG_MS,
  operatorOf,
  PARTNER,
  SALE,
  SIGNS,
  start,
  tillOf,
  transactionsAt,
  VERSIONS,
  type Version,
} from './tills.ts'

type InVersion = (play: Play, version: Version) => Promise<void>

const inEach = (name: string, play: InVersion, versions: readonly Version[] = VERSIONS): readonly Scenario[] =>
  versions.map(version => scenario(`${name}, ${version}`, playing => play(playing, version)))

const NAMED = ['v0', 'v1', 'v2'] as const

const AT = transactionsAt(APPROVES)

async function refused(play: Play, version: Version): Promise<void> {
  const till = tillOf(play, version)
  await till.get('/pac/terminals', { authorization: '' })
  await till.get('/pac/terminals', basic('wrong'))
  await till.get('/pac/terminals', { authorization: 'Bearer demo-api-key' })
  await till.get('/pac/nothing')
  await till.ask('PATCH', AT, { body: SALE })
  await till.delete('/pac/terminals')
  await till.post(transactionsAt('none'), SALE)
  await till.get(`${AT}/none`)
  await till.delete(`${AT}/none`)
  await till.put(`${AT}/none/signature`, { accepted: true })
  await till.get(`${transactionsAt('none')}/none`)
  await till.get(`/pac/terminals/${APPROVES}/reports/none`)
  await till.post('/pac/terminals/none/reports', { reportType: 'BANKING' })
  await till.post(AT, SALE, { 'content-type': 'text/plain' })
  await till.post(AT, '{')
  await till.post(AT, '[]')
  await till.post(AT, '')
  await till.post(AT, `{"a":"${'a'.repeat(70_000)}"}`.slice(0, 66_000))
  for (const changes of [
    { transactionType: 'GIFT' },
    { transactionType: undefined },
    { amount: -1 },
    { amount: '12.5' },
    { amount: 0 },
    { amount: 100_000_000 },
    { currency: 'QQQ' },
    { currency: undefined },
    { amountCashback: -5 },
  ])
    await till.post(AT, { ...SALE, ...changes })
  await till.post(AT, SALE, { 'idempotency-key': 'k'.repeat(300) })
  await till.post(AT, SALE, { 'tollgate-scenario': 'no_such_thing' })
  await till.post(AT, SALE, { 'tollgate-scenario': 'http_503' })
  await till.post(AT, SALE, { 'tollgate-scenario': 'http_500' })
}

async function twice(play: Play, version: Version): Promise<void> {
  const till = tillOf(play, version)
  const key = { 'idempotency-key': 'bill-1' }
  await till.post(AT, SALE, key)
  await till.post(AT, SALE, key)
  await till.post(AT, { ...SALE, amount: 1 }, key)
  await till.post(transactionsAt('VCMDEMODIP0'), SALE, key)
  await play.advance(LONG_MS)
  await till.post(AT, SALE, key)
  const reports = `/pac/terminals/${APPROVES}/reports`
  for (const reportType of ['BANKING', 'BANKING', 'X_BALANCE'])
    await till.post(reports, { reportType }, { 'idempotency-key': 'report-1' })
}

async function versions(play: Play): Promise<void> {
  const till = play.as('till', basic('demo-api-key'))
  for (const accept of [
    'application/connect.v9+json',
    'application/connect.v1+json;q=0.1, application/connect.v0+json;q=0.9',
    'application/json',
    '*/*',
    'text/html',
    'application/connect.v2+json',
  ])
    await till.get(`/pac/terminals/${APPROVES}`, { accept })
  const newest = { accept: 'application/connect.v2+json' }
  await till.get(`/pac/terminals/${APPROVES}`, { ...newest, 'software-house-id': 'maker' })
  await till.get(`/pac/terminals/${APPROVES}`, { ...newest, ...PARTNER, 'installer-id': '4111111111111111' })
  await till.get(`/retail/terminals/${APPROVES}`, { accept: 'application/connect.v9+json' })
  await till.get(`/pat/tables`, { accept: 'application/connect.v9+json' })
}

async function addresses(play: Play): Promise<void> {
  const till = tillOf(play)
  await till.get(`//pac//terminals/${APPROVES}/`)
  await till.get(`/PAC/terminals/${APPROVES}`)
  await till.get(`http://pay.example/pac/terminals/${APPROVES}`)
  await till.get('/pac/terminals/%zz')
  await till.get('/pac/terminals/a%00b')
  await till.get('/pac/terminals', { host: 'not a host' })
  await till.get(`/pac/terminals/${'a'.repeat(300)}`)
  await till.get(`/pac/terminals?a=${'a'.repeat(4_100)}`)
  await till.get(`/pac/terminals/${APPROVES}`, { 'x-request-id': 'till-1/42' })
  await till.get(`/pac/terminals/${APPROVES}`, { 'x-request-id': '4111111111111111' })
  await till.get(`/pac/terminals/${APPROVES}`, { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' })
}

async function busy(play: Play): Promise<void> {
  const till = tillOf(play)
  await till.post(transactionsAt(BY_HAND), { transactionType: 'DUPLICATE' })
  await play.advance(LONG_MS)
  const signed = await start(till, SIGNS)
  await play.advance(10_000)
  for (const version of VERSIONS) {
    await tillOf(play, version).post(transactionsAt(SIGNS), SALE)
    await tillOf(play, version).post(`/pac/terminals/${SIGNS}/reports`, { reportType: 'BANKING' })
  }
  await till.put(`${signed}/signature`, { accepted: 'perhaps' })
  await operatorOf(play).post(`/sandbox/terminals/${BY_HAND}/keys`, { key: 'unplug' })
  for (const version of VERSIONS) await tillOf(play, version).post(transactionsAt(BY_HAND), SALE)
}

async function strangers(play: Play): Promise<void> {
  const path = await start(tillOf(play), APPROVES)
  const stranger = tillOf(play, 'v2', 'demo-eur-api-key')
  await stranger.get(path)
  await stranger.post(AT, SALE)
  await stranger.get('/pac/terminals')
  await stranger.post(transactionsAt('VCMEUROSIP0'), SALE)
  await stranger.post(transactionsAt('VCMEUROSIP0'), { ...SALE, currency: 'EUR' })
  await play.gateway.revokeAccount()
  await play.advance(2_000)
  await tillOf(play).get(path)
}

async function tooFast(play: Play): Promise<void> {
  for (const version of VERSIONS) {
    const till = tillOf(play, version)
    await till.get(`/pac/terminals/${APPROVES}`)
    await till.get(`/pac/terminals/${APPROVES}`)
    await play.advance(2_000)
  }
}

/** A pending request fills the limit, so further ones are refused. */
async function full(play: Play): Promise<void> {
  const held = tillOf(play).post(AT, SALE, { 'tollgate-scenario': 'slow_answer:3000' })
  await play.gateway.settle()
  for (const version of VERSIONS) await tillOf(play, version).get(`/pac/terminals/${APPROVES}`)
  await operatorOf(play).get('/api/account')
  await play.as('shop', { authorization: `Bearer ${play.gateway.jwt()}` }).get('/v1/payment-methods')
  await play.advance(5_000)
  await held
}

export const REFUSED: readonly Scenario[] = [
  ...inEach('what is refused', refused, NAMED),
  ...inEach('the same key twice, with the same request and with another', twice),
  scenario('versions asked for', versions),
  scenario('addresses in other forms', addresses),
  scenario('terminals that are busy, or not there', busy),
  scenario('another account, and one that is revoked', strangers),
  scenario('requests that come too fast', tooFast, { pauseMs: 1_000 }),
  scenario('no more requests at once', full, { requestsAtOnce: 1 }),
  scenario('the default version is an older one', play => versions(play), { defaultVersion: 'v1' }),
  scenario('partner headers are not demanded', play => versions(play), { partnerHeaders: 'accept' }),
]
