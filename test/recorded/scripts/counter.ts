// test/recorded/scripts/counter.ts — payments and reports at the counter over REST, in every version and under both prefixes.
import type { Play } from '../play.ts'
import { type Scenario, scenario } from '../scenario.ts'
import {
  APPROVES,
  BY_HAND,
  LONG_MS,
  look,
  operatorOf,
  press,
  SALE,
  SIGNS,
  start,
  tillOf,
  transactionsAt,
  VERSIONS,
  type Version,
  whole,
} from './tills.ts'

type InVersion = (play: Play, version: Version) => Promise<void>

const inEach = (name: string, play: InVersion, versions: readonly Version[] = VERSIONS): readonly Scenario[] =>
  versions.map(version => scenario(`${name}, ${version}`, playing => play(playing, version)))

const NAMED = ['v0', 'v1', 'v2'] as const

async function terminals(play: Play, version: Version): Promise<void> {
  const till = tillOf(play, version)
  const few = (body: unknown) => ({ terminals: (body as { terminals: unknown[] }).terminals.slice(0, 2) })
  for (const prefix of ['/pac', '/retail']) {
    await till.ask('GET', `${prefix}/terminals`, { show: few })
    await till.get(`${prefix}/terminals?status=BUSY`)
    await till.get(`${prefix}/terminals?currency=EUR`)
    await till.get(`${prefix}/terminals?status=ASLEEP`)
    await till.ask('GET', `${prefix}/terminals?capabilities=REFUND`, { show: few })
    await till.get(`${prefix}/terminals/${APPROVES}`)
    await till.get(`${prefix}/terminals/none`)
    await till.ask('HEAD', `${prefix}/terminals`)
    await till.post(`${prefix}/terminals`, {})
  }
}

async function sale(play: Play, version: Version): Promise<void> {
  const till = tillOf(play, version)
  const path = await start(till, APPROVES)
  const first = await till.get(path)
  await till.ask('HEAD', path)
  await till.get(`/pac/terminals/${APPROVES}`)
  await till.post(transactionsAt(APPROVES), SALE)
  const etag = { 'if-none-match': first.headers['etag'] ?? '' }
  await till.get(path, etag)
  const waiting = till.get(path, { ...etag, prefer: 'wait=10' })
  await play.advance(LONG_MS)
  await waiting
  const last = await till.get(path)
  await till.get(path, { 'if-none-match': last.headers['etag'] ?? '', prefer: 'wait=10' })
  await look(till, path.replace('/pac/', '/retail/'))
  await till.delete(path)
  await whole(play, till, APPROVES, { transactionType: 'DUPLICATE' })
}

/** A till under the oldest prefix. */
async function underRetail(play: Play, version: Version): Promise<void> {
  const till = tillOf(play, version)
  const path = await start(till, APPROVES, SALE, '/retail')
  const cancelled = till.delete(path)
  await play.advance(LONG_MS)
  await cancelled
  await look(till, path)
  const signed = await start(till, SIGNS, SALE, '/retail')
  await play.advance(10_000)
  await till.put(`${signed}/signature`, { accepted: true })
  await play.advance(LONG_MS)
  await look(till, signed)
  const report = await till.post(`/retail/terminals/${APPROVES}/reports`, { reportType: 'BANKING' })
  await play.advance(LONG_MS)
  await look(till, `/retail/terminals/${APPROVES}/reports/${report.json['requestId']}`)
}

async function refund(play: Play, version: Version): Promise<void> {
  const till = tillOf(play, version)
  await whole(play, till, 'VCMDEMOSCD0', { ...SALE, transactionType: 'REFUND' })
  await whole(play, till, 'VCMDEMOSCN0', { ...SALE, amount: 500, amountCashback: 100 })
  await whole(play, till, APPROVES, { ...SALE, cardholderNotPresent: true })
  await till.post(transactionsAt(APPROVES), { transactionType: 'PRE_AUTH', amount: 1, currency: 'GBP' })
}

async function outcomes(play: Play, version: Version): Promise<void> {
  const till = tillOf(play, version)
  for (const code of ['DIP0', 'UIP0', 'CIP0', 'VIP0']) await whole(play, till, `VCMDEMO${code}`)
  const lost = await start(till, 'VCMDEMOTIP0')
  await play.advance(250_000)
  await look(till, lost)
}

async function cancel(play: Play, version: Version): Promise<void> {
  const till = tillOf(play, version)
  const early = await start(till, BY_HAND)
  await play.advance(2_000)
  const cancelled = till.delete(early)
  await play.advance(LONG_MS)
  await cancelled
  await look(till, early)
  await till.delete(early)
  const late = await start(till, BY_HAND)
  await play.advance(2_000)
  await press(play, BY_HAND, { key: 'present_card', card: 'sim-visa-debit', how: 'insert' })
  const refused = till.delete(late)
  await play.advance(30_000)
  await refused
  await look(till, late)
}

async function signatures(play: Play, version: Version): Promise<void> {
  const till = tillOf(play, version)
  const accepted = await start(till, SIGNS)
  await till.put(`${accepted}/signature`, { accepted: true })
  await play.advance(10_000)
  await look(till, accepted)
  await till.post(transactionsAt(SIGNS), SALE)
  await till.put(`${accepted}/signature`, {})
  await till.put(`${accepted}/signature`, { accepted: true })
  await play.advance(LONG_MS)
  await look(till, accepted)
  const refused = await start(till, SIGNS)
  await play.advance(10_000)
  await till.put(`${refused}/signature`, { accepted: false })
  await play.advance(LONG_MS)
  await look(till, refused)
  await till.put(`${refused}/signature`, { accepted: false })
  const unanswered = await start(till, SIGNS)
  await play.advance(150_000)
  await look(till, unanswered)
}

async function reports(play: Play, version: Version): Promise<void> {
  const till = tillOf(play, version)
  const at = `/pac/terminals/${APPROVES}/reports`
  const path = async (reportType: string) => `${at}/${(await till.post(at, { reportType })).json['requestId']}`
  await start(till, APPROVES)
  await till.post(at, { reportType: 'X_BALANCE' })
  await play.advance(LONG_MS)
  for (const reportType of ['X_BALANCE', 'BANKING', 'Z_BALANCE', 'END_OF_DAY']) {
    const report = await path(reportType)
    const running = await look(till, report)
    await till.get(report, { 'if-none-match': running.headers['etag'] ?? '""' })
    await play.advance(LONG_MS)
    await look(till, report)
  }
  await till.post(at, { reportType: 'WEATHER' })
  await till.get(`${at}/none`)
  const lost = `/pac/terminals/${BY_HAND}/reports`
  const never = (await till.post(lost, { reportType: 'X_BALANCE' })).json['requestId']
  await operatorOf(play).post(`/sandbox/terminals/${BY_HAND}/keys`, { key: 'unplug' })
  await play.advance(200_000)
  await press(play, BY_HAND, { key: 'plug_in' })
  await till.get(`${lost}/${never}`)
}

/** Types that only the newest version has. */
async function newestTypes(play: Play): Promise<void> {
  const till = tillOf(play)
  const held = await whole(play, till, APPROVES, { transactionType: 'PRE_AUTH', amount: 10_000, currency: 'GBP' })
  const authCode = held.json['authCode']
  const completion = { transactionType: 'COMPLETION', amount: 8_150, currency: 'GBP', authCode }
  await whole(play, till, APPROVES, { ...completion, amountPreAuthorisedTotal: 10_000 })
  await whole(play, till, APPROVES, { transactionType: 'ACCOUNT_VERIFICATION' })
  await whole(play, till, APPROVES, { ...SALE, amountCashback: 1_000 })
  for (const other of ['v0', 'v1'] as const)
    await tillOf(play, other).get(new URL(String(held.json['location'])).pathname)
  await till.post(transactionsAt(APPROVES), { transactionType: 'COMPLETION', amount: 1, currency: 'GBP' })
  await till.post(transactionsAt(APPROVES), { transactionType: 'DUPLICATE', amount: 1 })
}

/** A person at the terminal, which prompts for a gratuity. */
async function byHand(play: Play): Promise<void> {
  const till = tillOf(play)
  await operatorOf(play).ask('PATCH', `/sandbox/terminals/${BY_HAND}/settings`, {
    body: { gratuity: true, printing: false },
  })
  const path = await start(till, BY_HAND)
  await play.advance(2_000)
  const insert = { key: 'present_card', card: 'sim-visa-debit', how: 'insert' }
  await press(play, BY_HAND, { key: 'gratuity', amountMinor: 300 }, insert)
  await press(play, BY_HAND, { key: 'pin', digits: '9999' }, { key: 'pin', digits: '1234' }, { key: 'remove_card' })
  await play.advance(LONG_MS)
  await look(till, path)
}

export const COUNTER: readonly Scenario[] = [
  ...inEach('the terminals', terminals),
  ...inEach('a sale from its start to its duplicate', sale),
  ...inEach('a cancel, a signature and a report under /retail', underRetail),
  ...inEach('a refund and a sale with what only newer tills can ask', refund, NAMED),
  ...inEach('declined, failed, cancelled at the terminal, void and lost', outcomes, NAMED),
  ...inEach('a cancel in time and one that comes too late', cancel, NAMED),
  ...inEach('a signature accepted, refused and not answered', signatures, NAMED),
  ...inEach('reports of each kind', reports, NAMED),
  scenario('pre-authorisation, completion and account verification', newestTypes),
  scenario('a person at the terminal, with a tip and a wrong PIN', byHand),
]
