// test/recorded/scripts/sockets.ts — tills at the counter over a WebSocket, in both versions, and JSON-RPC by POST.
import type { Play } from '../play.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { connect, type Line } from '../socket.ts'
import { APPROVES, BY_HAND, LONG_MS, operatorOf, press, SALE, SIGNS, start, tillOf, transactionsAt } from './tills.ts'

type SocketVersion = 'v0' | 'v1'

export function addressOf(version: SocketVersion, area = 'pac', more = ''): string {
  const partner = version === 'v1' ? '&software-house-id=maker&installer-id=fitter' : ''
  return `/${area}?token=demo-api-key&api-version=${version}${partner}${more}`
}

async function connected(play: Play, version: SocketVersion, who = `till ${version}`, receipts = true): Promise<Line> {
  const line = await connect(play, who, addressOf(version), {}, { receipts: version === 'v1' && receipts })
  if (line === null) throw new Error(`${who} is not let in`)
  return line
}

const inBoth = (
  name: string,
  play: (play: Play, version: SocketVersion) => Promise<void>,
  setup: Scenario['setup'] = {},
): readonly Scenario[] =>
  (['v0', 'v1'] as const).map(version => scenario(`${name}, ${version}`, playing => play(playing, version), setup))

/** Parameter that names a terminal, in each version. */
const at = (version: SocketVersion, tid: string) => ({ [version === 'v0' ? 'tpi' : 'tid']: tid })
const money = { currency: 'GBP', amount: 1250 }

async function lookingRound(play: Play, version: SocketVersion): Promise<void> {
  const till = await connected(play, version)
  await till.ask('connectedTerminals')
  await till.ask('connectedTerminals', { status: 'BUSY' })
  await till.ask('connectedTerminals', { status: 'ASLEEP' })
  await till.ask('connectedTerminals', { currency: 'EUR' })
  await till.ask('terminalDetails', at(version, APPROVES))
  await till.ask('terminalDetails', at(version, 'none'))
  await till.ask('terminalsDetails', { tpis: [APPROVES, 'none'] })
  await till.ask('terminalsDetails', {})
  await till.close()
}

async function payments(play: Play, version: SocketVersion): Promise<void> {
  const till = await connected(play, version)
  await till.ask('duplicate', at(version, APPROVES))
  await till.ask('sale', { ...at(version, APPROVES), ...money })
  await till.ask('duplicate', at(version, APPROVES))
  await till.ask('refund', { ...at(version, 'VCMDEMOSCD0'), ...money })
  await till.ask('sale', { ...at(version, 'VCMDEMODIP0'), ...money })
  await till.ask('sale', { ...at(version, APPROVES), ...money, amountCashback: 500 })
  await till.ask('preAuth', { ...at(version, APPROVES), ...money })
  await till.ask('accountVerification', at(version, APPROVES))
  await till.ask('sale', { ...at(version, 'VCMDEMOTIP0'), ...money })
}

async function completion(play: Play): Promise<void> {
  const till = await connected(play, 'v1')
  const held = await till.ask('preAuth', { tid: APPROVES, ...money })
  const { authCode } = held.result as { readonly authCode: string }
  await till.ask('completion', { tid: APPROVES, ...money, authCode, amountPreAuthorisedTotal: 1250 })
  await till.ask('completion', { tid: APPROVES, ...money })
}

async function signatures(play: Play, version: SocketVersion): Promise<void> {
  const till = await connected(play, version)
  const other = await connected(play, version, 'another till')
  for (const result of [{ accepted: true }, { accepted: false }, { accepted: 'perhaps' }, null]) {
    const sale = await till.begin('sale', { ...at(version, SIGNS), ...money })
    const { id } = await till.until(({ method }) => method === 'signatureVerificationRequest')
    await other.ask('sale', { ...at(version, SIGNS), ...money })
    if (result !== null) await till.say({ jsonrpc: '2.0', id, result })
    await till.until(({ id: replied, result }) => replied === sale && result !== undefined)
  }
  await till.say({ jsonrpc: '2.0', id: 1, result: { accepted: true } })
  await till.say({ jsonrpc: '2.0', id: 77, error: { code: 1, message: 'no' } })
}

async function cancels(play: Play, version: SocketVersion): Promise<void> {
  const till = await connected(play, version)
  await till.ask('cancelTransaction', at(version, BY_HAND))
  const isReply = (sale: number) => till.until(({ id, method }) => id === sale && method === undefined)
  const early = await till.begin('sale', { ...at(version, BY_HAND), ...money })
  await play.advance(2_000)
  await till.ask('terminalDetails', at(version, BY_HAND))
  await till.begin('cancelTransaction', at(version, BY_HAND))
  await isReply(early)
  const late = await till.begin('sale', { ...at(version, BY_HAND), ...money })
  await play.advance(2_000)
  await press(play, BY_HAND, { key: 'present_card', card: 'sim-visa-debit', how: 'insert' })
  await till.begin('cancelTransaction', at(version, BY_HAND))
  await press(play, BY_HAND, { key: 'pin', digits: '1234' }, { key: 'remove_card' })
  await isReply(late)
}

async function reports(play: Play, version: SocketVersion): Promise<void> {
  const till = await connected(play, version)
  for (const method of ['reportXBalance', 'reportBanking', 'reportZBalance', 'reportEndOfDay'])
    await till.ask(method, at(version, APPROVES))
  for (const reportType of ['X_BALANCE', 'BANKING', 'Z_BALANCE', 'END_OF_DAY', 'WEATHER'])
    await till.ask('report', { ...at(version, APPROVES), reportType })
}

async function wrong(play: Play, version: SocketVersion): Promise<void> {
  const till = await connected(play, version)
  const request = { jsonrpc: '2.0', id: 5, method: 'connectedTerminals' }
  for (const message of [
    '{',
    '[]',
    [request],
    'null',
    { ...request, jsonrpc: '1.0' },
    { ...request, id: 'a' },
    { ...request, id: -1 },
    { ...request, id: undefined },
    { ...request, method: 7 },
    { ...request, method: 'dance' },
    { ...request, params: [] },
    { ...request, params: { colour: 'red' } },
  ])
    await till.say(message)
  const sale = { ...at(version, APPROVES), ...money }
  for (const params of [
    {},
    { ...sale, amount: '1250' },
    { ...sale, amount: -1 },
    { ...sale, currency: 'QQQ' },
    { ...sale, currency: 'EUR' },
    { ...sale, ...at(version, 'none') },
    { ...sale, colour: 'red' },
  ])
    await till.ask('sale', params)
  await till.begin('sale', sale)
  await till.ask('sale', sale)
  await till.ask('duplicate', at(version, APPROVES))
}

async function faults(play: Play, version: SocketVersion): Promise<void> {
  const sale = { ...at(version, APPROVES), ...money }
  const next = (name: string) => operatorOf(play).post(`/sandbox/terminals/${APPROVES}/scenarios`, { next: [name] })
  const till = await connected(play, version, 'the till', false)
  for (const fault of ['http_500', 'http_503', 'approved+slow_answer:3000', 'silent_after_pin']) {
    await next(fault)
    await till.ask('sale', sale)
  }
  await next('approved+answer_lost')
  await till.begin('sale', sale)
  await till.closed()
  await play.advance(LONG_MS)
  const back = await connected(play, version, 'the till again', false)
  await back.ask('duplicate', at(version, APPROVES))
  await next('connection_dropped')
  await back.begin('sale', sale)
  await back.closed()
  await operatorOf(play).post('/sandbox/faults', { fault: 'http_503', path: '/pac', method: 'GET', times: 1 })
  await connect(play, 'the till again', addressOf(version))
}

async function twoInterfaces(play: Play): Promise<void> {
  const till = await connected(play, 'v1')
  const sale = await till.begin('sale', { tid: APPROVES, ...money })
  const { json } = await operatorOf(play).get('/api/transactions')
  const [first] = json['transactions'] as readonly { readonly requestId: string }[]
  await tillOf(play).post(transactionsAt(APPROVES), SALE)
  await tillOf(play).get(`${transactionsAt(APPROVES)}/${first?.requestId}`)
  await till.until(({ id, method }) => id === sale && method === undefined)
  const path = await start(tillOf(play), BY_HAND)
  await till.ask('terminalDetails', { tid: BY_HAND })
  await tillOf(play).delete(path)
  await play.gateway.revokeAccount()
  await till.closed()
}

async function closing(play: Play): Promise<void> {
  const talks = await connected(play, 'v1', 'one that talks too much')
  for (let index = 0; index < 3; index += 1)
    await talks.say({ jsonrpc: '2.0', id: index, method: 'connectedTerminals', params: { currency: 'EUR' } })
  await talks.closed()
  const long = await connected(play, 'v1', 'one that sends too much')
  await long.say({ jsonrpc: '2.0', id: 1, method: 'a'.repeat(2_000) })
  await long.closed()
}

async function bytes(play: Play): Promise<void> {
  const binary = await connected(play, 'v1', 'one that sends bytes')
  await binary.say(new Uint8Array([1, 2, 3]))
  await binary.close()
}

async function noAnswer(play: Play, version: SocketVersion): Promise<void> {
  const till = await connected(play, version)
  const asked = await till.begin('duplicate', at(version, BY_HAND))
  await operatorOf(play).post(`/sandbox/terminals/${BY_HAND}/keys`, { key: 'unplug' })
  await till.until(({ id, method }) => id === asked && method === undefined)
}

async function stops(play: Play): Promise<void> {
  const till = await connected(play, 'v1')
  await till.begin('sale', { tid: BY_HAND, ...money })
  const stopped = play.gateway.stop()
  await till.closed()
  await stopped
}

async function silent(play: Play): Promise<void> {
  const till = await connect(play, 'one that is silent', addressOf('v1'), {}, { autoPong: false })
  await play.advance(100_000)
  await till?.closed()
}

async function overHttp(play: Play, version: SocketVersion): Promise<void> {
  const till = play.as('till', { ...tillOf(play).headers, accept: '*/*' })
  const path = addressOf(version).replace('token=demo-api-key&', '')
  const post = async (method: string, params?: object): Promise<void> => {
    const answered = till.post(path, { jsonrpc: '2.0', id: 31, method, ...(params === undefined ? {} : { params }) })
    await play.gateway.settle()
    await play.advance(LONG_MS)
    await answered
  }
  await post('connectedTerminals', { currency: 'EUR' })
  await post('terminalDetails', at(version, APPROVES))
  await post('terminalsDetails', { tpis: [APPROVES] })
  await post('duplicate', at(version, APPROVES))
  await start(tillOf(play), APPROVES)
  await play.advance(LONG_MS)
  await post('duplicate', at(version, APPROVES))
  await start(tillOf(play), BY_HAND)
  await play.advance(2_000)
  await post('cancelTransaction', at(version, BY_HAND))
  for (const method of ['reportXBalance', 'reportBanking', 'report'])
    await post(method, { ...at(version, APPROVES), reportType: 'X_BALANCE' })
  await post('sale', { ...at(version, APPROVES), ...money })
  await till.post(path, '{')
  await till.post(path, [])
  await till.post('/pac?api-version=v9', {})
  await till.post('/pac?api-version=v1', {}, { 'software-house-id': '', 'installer-id': '' })
  await till.post(path, {}, { authorization: '' })
}

export const SOCKETS: readonly Scenario[] = [
  ...inBoth('terminals', lookingRound),
  ...inBoth('payments of each kind', payments),
  scenario('a pre-authorisation and its completion, v1', completion),
  ...inBoth('signatures', signatures),
  ...inBoth('cancels', cancels),
  ...inBoth('reports', reports),
  ...inBoth('what is wrong', wrong),
  ...inBoth('faults on demand', faults),
  scenario('a socket and REST at one terminal, until the key is revoked', twoInterfaces),
  scenario('tills that are cut off', closing, { messagesPerSecond: 2, messageBytes: 1_000 }),
  scenario('a till that sends bytes', bytes),
  scenario('a till that does not answer pings', silent),
  ...inBoth('a terminal that does not answer', noAnswer),
  scenario('a gateway that stops', stops),
  ...inBoth('JSON-RPC by POST', overHttp),
]
