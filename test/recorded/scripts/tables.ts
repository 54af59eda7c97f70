// test/recorded/scripts/tables.ts — tables that a till uploads over REST, waiters at them, and terminal reports.
import type { Caller, Play } from '../play.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { BY_HAND, LONG_MS, look, operatorOf, press, tillOf, VERSIONS, type Version } from './tills.ts'

type InVersion = (play: Play, version: Version) => Promise<void>

const inEach = (name: string, play: InVersion, versions: readonly Version[] = VERSIONS): readonly Scenario[] =>
  versions.map(version => scenario(`${name}, ${version}`, playing => play(playing, version)))

const NAMED = ['v0', 'v1', 'v2'] as const

const BILL = [
  { value: '2 x Set menu       54.00', type: 'TEXT' },
  { value: 'Thank you', type: 'TEXT', format: ['BOLD'] },
]
const TABLE = { tableName: 'Window 2', amount: 5400, currency: 'GBP', waiterIds: ['7'], receiptLines: BILL }
const AT = '/pat/tables/Window%202'
const SEEN = { lastKnownAmount: 5400, lastKnownPaidAmount: 0 }
const WAITER = '/sandbox/terminals/VCMDEMOSIP0/waiter'

async function uploaded(play: Play, version: Version): Promise<void> {
  const till = tillOf(play, version)
  const key = { 'idempotency-key': 'table-1' }
  await till.put('/pat/tables', TABLE, key)
  await till.put('/pat/tables', TABLE, key)
  await till.put('/pat/tables', { ...TABLE, amount: 1 }, key)
  await till.put('/pat/tables', TABLE)
  await till.post('/pat/tables', { ...TABLE, tableName: 'Bar/1', receiptLines: undefined })
  await till.get('/pat/tables')
  await till.get('/pat/tables?locked=true&currency=GBP')
  await till.get('/pat/tables?locked=perhaps')
  const table = await till.get(AT)
  await till.get(`${AT}?receipt=true`)
  await till.ask('HEAD', AT)
  await till.get(AT, { 'if-none-match': table.headers['etag'] ?? '' })
  const waiting = till.get(AT, { 'if-none-match': table.headers['etag'] ?? '', prefer: 'wait=20' })
  await till.put(`${AT}/amount`, { ...SEEN, newAmount: 6100 })
  await play.gateway.settle()
  await waiting
  await till.put(`${AT}/receipt`, { ...SEEN, lastKnownAmount: 6100, newReceipt: [{ value: 'Total 61.00' }] })
  await till.put(`${AT}/waiterids`, { ...SEEN, lastKnownAmount: 6100, newWaiterIds: ['7', '9'] })
  const lock = { ...SEEN, lastKnownAmount: 6100, locked: true }
  await till.put(`${AT}/lock`, { ...lock, lockedBy: 'Till 1' })
  await till.put(`${AT}/lock`, { ...lock, lockedBy: 'Till 2', override: false })
  await till.put(`${AT}/amount`, { ...SEEN, lastKnownAmount: 6100, newAmount: 1 })
  await till.put(`${AT}/lock`, { ...lock, lockedBy: 'Till 2', override: true })
  await till.get('/pat/tables?locked=true')
  await till.put(`${AT}/lock`, { ...lock, locked: false, lockedBy: 'Till 2' })
  await till.get(`${AT}?receipt=true`)
  await till.delete(AT, { ...SEEN, lastKnownAmount: 6100 })
  await till.get(AT)
}

async function refused(play: Play, version: Version): Promise<void> {
  const till = tillOf(play, version)
  await till.get('/pat/nothing')
  await till.post('/pat/reports', {})
  await till.get('/pat/tables', { authorization: '' })
  for (const changes of [
    { tableName: '' },
    { tableName: '..' },
    { tableName: '4111111111111111' },
    { tableName: undefined },
    { amount: -1 },
    { currency: 'QQQ' },
    { waiterIds: 7 },
    { receiptLines: [{}] },
  ])
    await till.put('/pat/tables', { ...TABLE, ...changes })
  await till.put('/pat/tables', TABLE)
  for (const what of ['amount', 'receipt', 'waiterids', 'lock']) {
    await till.put(`/pat/tables/none/${what}`, SEEN)
    await till.put(`${AT}/${what}`, {})
  }
  const amount = { ...SEEN, newAmount: 1 }
  await till.put(`${AT}/amount`, { ...amount, lastKnownAmount: 1 })
  await till.put(`${AT}/amount`, { ...amount, lastKnownPaidAmount: 1 })
  await till.delete(AT, { ...SEEN, lastKnownAmount: 1 })
  await till.delete(AT, {})
  await till.delete('/pat/tables/none', SEEN)
}

const PAID_BY_THREE = { script: 'split_in_three', table: 'Window 2', waiterId: '7' }

async function paid(play: Play, version: Version): Promise<void> {
  const till = tillOf(play, version)
  await till.put('/pat/tables', TABLE)
  await operatorOf(play).post(WAITER, PAID_BY_THREE)
  await play.advance(4_000)
  await till.delete(AT, SEEN)
  await till.put(`${AT}/lock`, { ...SEEN, locked: false })
  await play.advance(3 * LONG_MS)
  await till.get(AT)
  await till.get('/pat/tables')
  await operatorOf(play).get('/api/tables?open=true')
  await till.delete(AT, { ...SEEN, lastKnownPaidAmount: 5400 })
}

async function reports(play: Play, version: Version): Promise<void> {
  const till = tillOf(play, version)
  await till.get('/pat/reports')
  await press(play, BY_HAND, { key: 'run_report', reportType: 'X_BALANCE' })
  await play.advance(LONG_MS)
  const { json } = await till.get('/pat/reports')
  await till.get('/pat/reports?tid=VCMDEMOSIP0')
  await till.get('/pat/reports?tpi=VCMDEMOSIP0')
  const [report] = json['reports'] as readonly { readonly reportId?: string; readonly requestId?: string }[]
  await till.get(`/pat/reports/${report?.reportId ?? report?.requestId}`)
  await till.get('/pat/reports/none')
}

async function tableOf(operator: Caller): Promise<string> {
  const { json } = await operator.get('/api/tables')
  return `/api/tables/${(json['tables'] as readonly { readonly tableId: string }[])[0]?.tableId}`
}

/** Runs a waiter script on a table, and reads the table from all sides. */
async function waiters(play: Play, script: unknown): Promise<void> {
  const [till, operator] = [tillOf(play), operatorOf(play)]
  await till.put('/pat/tables', TABLE)
  await operator.post(WAITER, { script, table: 'Window 2', waiterId: '7' })
  await play.advance(5 * LONG_MS)
  await till.get(AT)
  const table = await tableOf(operator)
  await operator.get(table)
  await operator.ask('GET', `${table}/timeline`, { show: titlesOfTimeline })
}

/** Entries of a timeline, without their data. */
export function titlesOfTimeline(body: unknown): unknown {
  const { entries, ...others } = body as { readonly entries?: readonly object[] }
  return { ...others, ...(entries === undefined ? {} : { entries: entries.map(titleOf) }) }
}

function titleOf(entry: object): unknown {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => typeof value !== 'object'))
}

/** A waiter who presses keys. */
async function byHand(play: Play): Promise<void> {
  const [till, operator] = [tillOf(play), operatorOf(play)]
  await till.put('/pat/tables', { ...TABLE, receiptLines: [{ value: '2 x Menu  54.00' }] })
  await operator.ask('PATCH', `/sandbox/terminals/${BY_HAND}/settings`, { body: { gratuity: true } })
  const keys = (...given: object[]) => press(play, BY_HAND, ...given)
  await keys({ key: 'waiter', waiterId: '7' }, { key: 'choose_table', table: 'Nowhere' })
  await keys({ key: 'choose_table', table: 'Window 2' }, { key: 'print_bill' }, { key: 'split_equally', shares: 2 })
  await keys({ key: 'pay_other' }, { key: 'pay_other', amountMinor: 999_999 }, { key: 'pay' })
  await till.delete(AT, { ...SEEN, lastKnownPaidAmount: 2700 })
  await keys({ key: 'gratuity', amountMinor: 300 }, { key: 'present_card', card: 'sim-visa-debit', how: 'tap' })
  await play.advance(LONG_MS)
  await keys({ key: 'leave' })
  await look(till, AT)
  await operator.ask('GET', `${await tableOf(operator)}/events`)
}

/** Two waiters at one table. */
async function contended(play: Play): Promise<void> {
  const [till, operator] = [tillOf(play), operatorOf(play)]
  await till.put('/pat/tables', TABLE)
  const keys = (tid: string, ...given: object[]) => press(play, tid, ...given)
  await keys(BY_HAND, { key: 'waiter', waiterId: '7' }, { key: 'choose_table', table: 'Window 2' })
  await keys('22160002', { key: 'waiter', waiterId: '8' }, { key: 'choose_table', table: 'Window 2' })
  await keys('22160002', { key: 'waiter', waiterId: '7' }, { key: 'choose_table', table: 'Window 2' })
  await till.put(`${AT}/lock`, { ...SEEN, locked: true, lockedBy: 'Till 1' })
  await till.put(`${AT}/lock`, { ...SEEN, locked: true, lockedBy: 'Till 1', override: true })
  await keys(BY_HAND, { key: 'pay' })
  await operator.get(`/sandbox/terminals/${BY_HAND}`)
  await till.put(`${AT}/lock`, { ...SEEN, locked: false, lockedBy: 'Till 1' })
  await keys(BY_HAND, { key: 'pay' })
  await operator.get(`/sandbox/terminals/${BY_HAND}`)
  await operator.post(`/sandbox/terminals/${BY_HAND}/reset`)
  await play.advance(LONG_MS)
  await till.get(AT)
  await operator.get(`/sandbox/terminals/${BY_HAND}`)
}

/** Guests who pay penny by penny. */
async function tooOften(play: Play): Promise<void> {
  await tillOf(play).put('/pat/tables', TABLE)
  await press(play, BY_HAND, { key: 'waiter', waiterId: '7' }, { key: 'choose_table', table: 'Window 2' })
  for (let penny = 0; penny < 200; penny += 1) {
    await play.gateway.send({
      ...{ method: 'POST', url: `/sandbox/terminals/${BY_HAND}/keys`, payload: '{"key":"pay_other","amountMinor":1}' },
      headers: { host: 'pay.example', ...operatorOf(play).headers, 'content-type': 'application/json' },
    })
    await play.advance(1_000)
  }
  await press(play, BY_HAND, { key: 'pay_other', amountMinor: 1 })
  await operatorOf(play).get(`/sandbox/terminals/${BY_HAND}`)
}

async function tooMany(play: Play): Promise<void> {
  const till = tillOf(play)
  const quiet = (index: number) =>
    play.gateway.send({
      method: 'PUT',
      url: '/pat/tables',
      headers: {
        host: 'pay.example',
        authorization: `Basic ${btoa('till:demo-api-key')}`,
        'content-type': 'application/json',
      },
      payload: JSON.stringify({ tableName: `T${index}`, amount: 1, currency: 'GBP' }),
    })
  for (let index = 0; index < 1_000; index += 1) await quiet(index)
  await till.put('/pat/tables', TABLE)
}

export const TABLES: readonly Scenario[] = [
  ...inEach('a table from its upload to its end', uploaded),
  ...inEach('what is refused about tables', refused, NAMED),
  ...inEach('a table that three guests pay', paid, NAMED),
  ...inEach('reports that are run at terminals', reports),
  scenario('one of two guests pays in cash', play => waiters(play, 'split_with_cash')),
  scenario('a declined card, and another one', play => waiters(play, 'declined_then_paid')),
  scenario('a tip', play => waiters(play, 'with_gratuity')),
  scenario('a terminal that dies with the lock', play => waiters(play, 'dies_after_a_share')),
  scenario('approved and forgotten', play => waiters(play, 'approved_and_forgotten')),
  scenario('by what each guest has had', play =>
    waiters(play, { name: 'own', steps: [{ do: 'split_amounts', amountsMinor: [1000, 400] }, { do: 'pay_rest' }] }),
  ),
  scenario('a waiter who presses keys', byHand),
  scenario('two waiters at one table, and a till that takes it away', contended),
  scenario('more payments than a table may have', tooOften),
  scenario('more tables than there may be', tooMany),
]
