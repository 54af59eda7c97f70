// test/upgrade/maker/restaurant.ts — tables that a till uploads, tables of a POS table provider, and waiters.
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Caller, GatewayProcess, Json } from './gateway.ts'

const MINUTE_MS = 60_000

const addressOf = (name: string) => `/pat/tables/${encodeURIComponent(name)}`

export async function upload(till: Caller, name: string, amount: number, more: Json = {}): Promise<void> {
  const currency = till.account === 'demo-eur' ? 'EUR' : 'GBP'
  await till.ask('PUT', '/pat/tables', { tableName: name, amount, currency, ...more })
}

/** Starts a waiter, and advances time until it has left or its terminal is unplugged. */
async function serve(till: Caller, tid: string, script: unknown, table: string, waiterId = '7'): Promise<void> {
  const terminal = `/sandbox/terminals/${tid}`
  await till.ask('POST', `${terminal}/waiter`, { script, table, waiterId })
  for (let step = 0; step < 200; step += 1) {
    await till.advance(2_000)
    const { json } = await till.ask('GET', terminal)
    if (json['connected'] === false) {
      await till.ask('POST', `${terminal}/keys`, { key: 'plug_in' })
      return
    }
    if (json['waiter'] === null) return
    // A terminal that hangs longer than any limit is unplugged.
    if (step === 150) await till.ask('POST', `${terminal}/keys`, { key: 'unplug' })
  }
  throw new Error(`the waiter at ${tid} does not leave ${table}`)
}

const steps = (name: string, ...given: readonly Json[]) => ({ name, steps: given })

const BILL = [
  { value: '2 x Set menu       54.00', type: 'TEXT' },
  { value: 'Wine               20.00', format: ['BOLD'] },
]

/** Uploaded tables: each change by the till, each kind of payment, a lock whose lease expires. */
export async function playUploadedTables(till: Caller, tid: string): Promise<void> {
  const change = async (name: string, what: string, body: Json) => {
    const { json } = await till.ask('GET', addressOf(name))
    const seen = { lastKnownAmount: json['amount'], lastKnownPaidAmount: json['amountPaid'] }
    if (what === '') await till.ask('DELETE', addressOf(name), seen)
    else await till.ask('PUT', `${addressOf(name)}/${what}`, { ...seen, ...body })
  }
  await till.ask(
    'PUT',
    '/pat/tables',
    { tableName: 'Window 2', amount: 5_400, currency: 'GBP', waiterIds: ['7', '8'], receiptLines: BILL },
    {
      headers: {
        'idempotency-key': 'table-window',
        accept: 'application/connect.v2+json',
        'software-house-id': 'maker',
        'installer-id': 'fitter',
      },
    },
  )
  await change('Window 2', 'amount', { newAmount: 7_400 })
  await change('Window 2', 'receipt', { newReceipt: BILL })
  await change('Window 2', 'waiterids', { newWaiterIds: ['7'] })
  await change('Window 2', 'lock', { locked: true, lockedBy: 'Till 1' })
  await change('Window 2', 'lock', { locked: true, lockedBy: 'Till 2', override: true })
  await change('Window 2', 'lock', { locked: false, lockedBy: 'Till 2' })
  await serve(till, tid, 'split_in_three', 'Window 2')
  await change('Window 2', '', {})
  for (const [name, amount, script] of [
    ['Bar 1', 2_000, 'split_with_cash'],
    ['Bar 2', 2_100, 'declined_then_paid'],
    ['Bar 3', 2_200, 'with_gratuity'],
    ['Bar 4', 2_300, 'approved_and_forgotten'],
    ['Bar 5', 2_400, 'line_lost_after_approval'],
    ['Bar 6', 2_500, steps('cancelled_share', { do: 'pay', scenario: 'cancelled' }, { do: 'leave' })],
    ['Bar 7', 2_600, steps('failed_share', { do: 'pay', scenario: 'unsuccessful' }, { do: 'leave' })],
    ['Terrace/left', 3_000, 'half_and_leave'],
    ['Terrace/right', 3_100, 'dies_after_a_share'],
  ] as const) {
    await upload(till, name, amount)
    await serve(till, tid, script, name)
  }
  // The lease expires of the terminal that was unplugged while it held a lock.
  await till.advance(16 * MINUTE_MS)
  await change('Bar 1', '', {})
  await till.ask('POST', `/sandbox/terminals/${tid}/keys`, { key: 'run_report', reportType: 'X_BALANCE' })
  await till.advance(MINUTE_MS)
}

interface TillTable {
  readonly amount: number
  paid: number
}

/** A POS table provider on a socket that accepts everything. */
export interface TableTill {
  readonly tables: Map<string, TillTable>
  /** Methods called on it. */
  readonly heard: readonly string[]
  close(): Promise<void>
}

export async function connectTableTill(gateway: GatewayProcess, till: Caller): Promise<TableTill> {
  const address = new URL('/pat', gateway.url.replace('http', 'ws'))
  const flags = 'final-pos-receipt-request&api-version=v1&software-house-id=maker&installer-id=fitter'
  const socket = new WebSocket(`${address}?${flags}&token=${till.apiKey}`)
  const tables = new Map<string, TillTable>()
  const heard: string[] = []
  const currency = till.account === 'demo-eur' ? 'EUR' : 'GBP'
  socket.on('message', data => {
    const { id, method, params = {} } = JSON.parse(data.toString()) as { id?: number; method?: string; params?: Json }
    if (method === undefined) return
    heard.push(method)
    const table = tables.get(String(params['tableId']))
    if (method === 'transactionResponse' && table !== undefined) table.paid += Number(params['amountPaid'])
    if (id !== undefined) socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: answer(method, table) }))
  })
  function answer(method: string, table: TillTable | undefined): Json {
    if (method === 'tableListRequest') return { tables: [...tables.keys()], currency }
    if (method === 'tableLockRequest')
      return { confirmed: table !== undefined, amount: (table?.amount ?? 0) - (table?.paid ?? 0), currency }
    return { receiptLines: [{ type: 'TEXT', value: 'Thank you' }] }
  }
  await once(socket, 'open')
  return {
    tables,
    heard,
    async close() {
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}

/** Tables of a provider that disconnects before the last waiter leaves, and stays away for a day. */
export async function playTillTables(gateway: GatewayProcess, till: Caller, tid: string): Promise<void> {
  const first = await connectTableTill(gateway, till)
  for (const name of ['Till table 1', 'Till table 2', 'Till table 3', 'Till table 4'])
    first.tables.set(name, { amount: 4_380, paid: 0 })
  await serve(till, tid, 'pay_in_one', 'Till table 1', '12')
  await serve(till, tid, 'split_with_cash', 'Till table 2', '12')
  await serve(till, tid, 'declined_then_paid', 'Till table 3', '12')
  await leaveWithoutTill(till, tid, 'Till table 4', first)
  // The pending messages expire.
  await till.advance(25 * 60 * MINUTE_MS)
}

/** A waiter pays a share and unlocks the table after its till has disconnected, so messages to the till stay pending. */
export async function leaveWithoutTill(till: Caller, tid: string, table: string, socket: TableTill): Promise<void> {
  const terminal = `/sandbox/terminals/${tid}`
  const script = steps('slow', { do: 'pay', amountMinor: 1_000 }, { do: 'wait', ms: 20_000 }, { do: 'leave' })
  await till.ask('POST', `${terminal}/waiter`, { script, table, waiterId: '12' })
  // Until the share is paid. The message about it is due at the unlock.
  for (let step = 0; step < 60; step += 1) {
    await till.advance(500)
    const { json } = await till.ask('GET', terminal)
    const { openMinor } = (json['waiter'] ?? {}) as { readonly openMinor?: number }
    if (openMinor === 3_380) break
  }
  await socket.close()
  await till.advance(40_000)
}
