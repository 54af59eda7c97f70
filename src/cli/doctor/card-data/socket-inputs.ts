// src/cli/doctor/card-data/socket-inputs.ts — sends canaries over WebSockets: in the address, in messages of a till,
// and in answers of a POS table provider.
import { once } from 'node:events'
import WebSocket from 'ws'
import { OPERATIONS } from '../../../api/operations/index.ts'
import type { Canaries } from './canaries.ts'
import { API_KEY, type ProbeSandbox } from './probe-sandbox.ts'
import { placed } from './schema-inputs.ts'

/** Time-out of an answer, in milliseconds: invalid messages are refused at once, and some messages have no answer. */
const ANSWER_MS = 300
/** A scripted terminal that approves, and one operated by key presses. */
const TERMINAL = 'VCMDEMOSIP0'
const WAITERS_TERMINAL = '22160001'

/** Sends all messages. Returns all answers. */
export async function socketInputs(sandbox: ProbeSandbox, canaries: Canaries): Promise<string> {
  const received: string[] = []
  for (const name of ['software-house-id', 'installer-id', 'api-version', 'token', 'note', 'x']) {
    const till = await connect(sandbox, 'pac', { [name]: canaries.next(`WebSocket ?${name}`) }, received)
    till?.terminate()
  }
  for (const version of ['v1', 'v0']) {
    const till = await connect(sandbox, 'pac', { 'api-version': version, ...PARTNER }, received)
    if (till === null) throw new Error('no till can connect to the sandbox')
    for (const message of messages(canaries)) await sendMessage(till, message)
    till.terminate()
  }
  await tablesOfTill(sandbox, canaries, received)
  return received.join('\n')
}

const PARTNER = { 'software-house-id': 'maker', 'installer-id': 'fitter' }

function* messages(canaries: Canaries): Generator<unknown> {
  for (const { name, params, example } of OPERATIONS.flatMap(({ rpc = [] }) => rpc)) {
    const base = { ...example.params, ...('tid' in example.params ? { tid: TERMINAL } : {}) }
    for (const { value } of placed(params, base, at => canaries.next(`${name} ${at}`)))
      yield { jsonrpc: '2.0', id: 1, method: name, params: value }
    yield { jsonrpc: '2.0', id: Number(canaries.plain(`${name} id`)), method: name, params: base }
    yield { jsonrpc: '2.0', id: canaries.next(`${name} id as text`), method: name, params: base }
  }
  yield { jsonrpc: '2.0', id: 1, method: canaries.next('a method') }
  yield { jsonrpc: '2.0', id: 1, result: { note: canaries.next('an answer to nothing') } }
  yield canaries.plain('a message that is no JSON')
}

/** Connects a till whose table list, locks and bills hold canaries, and requests them at a terminal. */
async function tablesOfTill(sandbox: ProbeSandbox, canaries: Canaries, received: string[]): Promise<void> {
  const till = await connect(sandbox, 'pat', { 'api-version': 'v1', ...PARTNER }, received)
  if (till === null) throw new Error('no till with tables can connect to the sandbox')
  const line = { value: `Paid ${canaries.next('a line of the till’s bill')}`, type: 'TEXT' }
  const answers: Readonly<Record<string, () => object>> = {
    tableListRequest: () => ({ tables: [canaries.next('a table of the till'), '7'], currency: 'GBP' }),
    tableLockRequest: () => ({ confirmed: true, amount: 100, currency: 'GBP', note: canaries.next('a lock') }),
    posReceiptRequest: () => ({ receiptLines: [line, canaries.next('a bare line of a bill')] }),
  }
  till.on('message', data => {
    const { id, method = '' } = JSON.parse(data.toString()) as { id?: number; method?: string }
    const result = answers[method]?.()
    if (id !== undefined && result !== undefined) till.send(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  const press = (key: object) =>
    sandbox.send(`/sandbox/terminals/${WAITERS_TERMINAL}/keys`, {
      method: 'POST',
      headers: { authorization: authorization(), 'content-type': 'application/json' },
      body: JSON.stringify(key),
    })
  await press({ key: 'waiter', waiterId: canaries.next('a waiter at a terminal') })
  for (const key of [
    { key: 'waiter', waiterId: '1' },
    { key: 'choose_table', table: '7' },
    { key: 'print_bill' },
    { key: 'pay_other' },
    { key: 'leave' },
  ]) {
    received.push((await press(key)).text)
    await settled(till)
  }
  till.terminate()
}

/** A pong arrives after everything sent before it. Waits for two, because the till's answer leads to more messages. */
async function settled(till: WebSocket): Promise<void> {
  for (let times = 0; times < 2; times += 1) {
    till.ping()
    await once(till, 'pong', { signal: AbortSignal.timeout(ANSWER_MS) })
  }
}

/** Connects a till. Null when the handshake is refused. */
async function connect(
  { url }: ProbeSandbox,
  area: 'pac' | 'pat',
  query: Readonly<Record<string, string>>,
  received: string[],
): Promise<WebSocket | null> {
  const address = `${url.replace(/^http/, 'ws')}/${area}?${new URLSearchParams({ token: API_KEY, ...query })}`
  const socket = new WebSocket(address)
  socket.on('message', data => received.push(data.toString()))
  socket.on('error', error => received.push(String(error)))
  return new Promise(resolve => {
    socket.once('open', () => resolve(socket))
    socket.once('close', () => resolve(null))
  })
}

/** Sends a message and waits for its answer; some messages have none. */
async function sendMessage(till: WebSocket, message: unknown): Promise<void> {
  till.send(typeof message === 'string' ? message : JSON.stringify(message))
  await once(till, 'message', { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => {})
}

export function authorization(): string {
  return `Basic ${Buffer.from(`doctor:${API_KEY}`).toString('base64')}`
}
