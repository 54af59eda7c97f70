// test/recorded/scripts/table-sockets.ts — POS table providers (tills that store their own tables) on a WebSocket.
import type { Json, JsonObject } from '../json.ts'
import type { Play } from '../play.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { connect, type Line } from '../socket.ts'
import { addressOf } from './sockets.ts'
import { titlesOfTimeline } from './tables.ts'
import { APPROVES, BY_HAND, operatorOf, press } from './tills.ts'

type SocketVersion = 'v0' | 'v1'
type Answers = (method: string, params: JsonObject) => object | null

const BILL = [{ value: 'Set menu  43.80', type: 'TEXT' }]
const result = (value: Json): object => ({ result: value })

/** A till with one table, number 7. */
const SEVEN: Answers = method => {
  if (method === 'tableListRequest') return result({ tables: ['7', 'Bar 2'], currency: 'GBP' })
  if (method === 'tableLockRequest') return result({ confirmed: true, amount: 4_380, currency: 'GBP' })
  return result({ receiptLines: BILL })
}

const but =
  (changes: Readonly<Record<string, object | null>>): Answers =>
  (method, params) =>
    Object.hasOwn(changes, method) ? (changes[method] ?? null) : SEVEN(method, params)

async function till(play: Play, version: SocketVersion, answers: Answers, more = ''): Promise<Line> {
  const line = await connect(play, `the till`, addressOf(version, 'pat', more))
  if (line === null) throw new Error('the till is not let in')
  line.answering(answers)
  return line
}

/** Starts a waiter, and advances time while the till answers. */
async function waiter(play: Play, line: Line, steps: readonly object[], seconds = 40): Promise<void> {
  const script = { name: 'script', steps }
  await operatorOf(play).post(`/sandbox/terminals/${APPROVES}/waiter`, { script, table: '7', waiterId: '12' })
  for (let step = 0; step < seconds * 2; step += 1) {
    await line.settle()
    await play.advance(500)
  }
  await line.settle()
}

const inBoth = (name: string, play: (play: Play, version: SocketVersion) => Promise<void>): readonly Scenario[] =>
  (['v0', 'v1'] as const).map(version => scenario(`${name}, ${version}`, playing => play(playing, version)))

async function context(play: Play, version: SocketVersion): Promise<void> {
  const line = await till(play, version, SEVEN, '&final-pos-receipt-request')
  const split = { do: 'split_equally', shares: 2 }
  await waiter(play, line, [{ do: 'print_bill' }, split, { do: 'pay', gratuityMinor: 400 }, { do: 'pay_other' }])
  const operator = operatorOf(play)
  const { json } = await operator.get('/api/tables')
  const [table] = json['tables'] as readonly { readonly tableId: string }[]
  await operator.ask('GET', `/api/tables/${table?.tableId}/timeline`, { show: titlesOfTimeline })
}

async function unfit(play: Play, version: SocketVersion): Promise<void> {
  for (const changes of [
    { tableListRequest: null },
    { tableLockRequest: result({ confirmed: false }) },
    { tableLockRequest: result({ confirmed: true }) },
    { tableLockRequest: null },
    { posReceiptRequest: { error: { code: -32603, message: 'no', data: { userMessage: 'Ask the manager.' } } } },
    { posReceiptRequest: result({ receiptLines: 7 }) },
  ]) {
    const line = await till(play, version, but(changes))
    await waiter(play, line, [{ do: 'print_bill' }, { do: 'leave' }], 15)
    await line.close()
  }
}

async function byHand(play: Play): Promise<void> {
  const error = { error: { code: -32603, message: 'no', data: { userMessage: 'Ask the manager.' } } }
  const line = await till(play, 'v1', but({ tableLockRequest: error }))
  await press(play, BY_HAND, { key: 'waiter', waiterId: '12' })
  await line.settle()
  await play.advance(2_000)
  await press(play, BY_HAND, { key: 'choose_table', table: '7' })
  await line.settle()
  await play.advance(2_000)
  await operatorOf(play).get(`/sandbox/terminals/${BY_HAND}`)
}

async function replaced(play: Play, version: SocketVersion): Promise<void> {
  const first = await till(play, version, SEVEN)
  const second = await till(play, version, SEVEN)
  await first.closed()
  await second.say({ jsonrpc: '2.0', id: 5, method: 'connectedTerminals' })
  await second.say({ jsonrpc: '2.0', id: 5, result: {} })
  await second.say('{')
  await second.close()
}

/** Payments made while the till is disconnected are reported when it is back. */
async function away(play: Play, version: SocketVersion): Promise<void> {
  const line = await till(play, version, SEVEN)
  const steps = [{ do: 'pay' }, { do: 'leave' }]
  await operatorOf(play).post(`/sandbox/terminals/${APPROVES}/waiter`, { script: { name: 's', steps }, table: '7' })
  for (let step = 0; step < 6; step += 1) {
    await line.settle()
    await play.advance(500)
  }
  await line.close()
  await play.advance(60_000)
  const back = await till(play, version, SEVEN)
  await play.advance(1_000)
  await back.settle()
}

export const TABLE_SOCKETS: readonly Scenario[] = [
  ...inBoth('a visit from the list to the unlock', context),
  ...inBoth('answers that are refusals, wrong or missing', unfit),
  scenario('an error is shown at the terminal', byHand),
  ...inBoth('a second till takes the place of the first', replaced),
  ...inBoth('a till that was away hears what was paid', away),
]
