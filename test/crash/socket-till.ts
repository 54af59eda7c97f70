// test/crash/socket-till.ts — a till on a WebSocket. After a broken connection it reconnects, waits for the terminal and
// reads its last transaction, as the interface prescribes.
import { equal, ok } from 'node:assert/strict'
import type { SeededRandom } from '../support/seeded-random.ts'
import type { Line } from './line.ts'
import { PATIENCE_MS } from './mortal-gateway.ts'
import { connect, type Json, type Message, type Wire, type WireParts } from './wire.ts'

export interface SocketSale {
  readonly account: string
  readonly tid: string
  /** Unique among the sales on this terminal. Minor units. */
  readonly amountMinor: number
  /** The result received over the connection; null when it broke first. */
  answered: string | null
  /** The result of the terminal's last transaction; null when that is another one. */
  found: string | null
}

export interface SocketTillParts extends WireParts {
  readonly account: string
  readonly currency: string
  readonly tid: string
  readonly line: Line
  readonly random: SeededRandom
  readonly sales: SocketSale[]
  readonly isOpen: () => boolean
}

const PATH = '/pac?api-version=v1&software-house-id=maker&installer-id=fitter'
/** Error codes after which nothing was started: the terminal is busy or unavailable. */
const NOT_NOW = new Set([-32071, -32602, -32073])

/** Makes sales until the shop is closed. Resolves when the outcome of the last sale is known. */
export async function runSocketTill(parts: SocketTillParts): Promise<void> {
  let open: SocketSale | null = null
  while (parts.isOpen() || open !== null) {
    const wire = await connect(parts, PATH, (message, line) => hear(parts, message, line))
    if (wire === null) continue
    while (!wire.broken && (parts.isOpen() || open !== null)) {
      if (open === null) {
        open = { ...newSale(parts), answered: null, found: null }
        parts.sales.push(open)
        if (await sell(parts, wire, open)) open = null
      } else if (await findOut(parts, wire, open)) open = null
    }
    wire.close()
    await parts.gateway.patiently('the close of a line', PATIENCE_MS.death, wire.ended)
  }
}

function newSale({ account, tid, sales }: SocketTillParts): Pick<SocketSale, 'account' | 'tid' | 'amountMinor'> {
  return { account, tid, amountMinor: 100 + sales.filter(sale => sale.tid === tid).length }
}

/** Answers signature requests, or lets them time out. Sometimes cancels after the first notification. */
function hear({ random, tid }: SocketTillParts, { id, method, params }: Message, wire: Wire): void {
  const chance = random.integer(6)
  if (method === 'signatureVerificationRequest' && chance > 1)
    wire.say({ jsonrpc: '2.0', id, result: { accepted: chance > 2 } })
  if (method === 'terminalNotification' && params?.['notificationValue'] === 'PRESENT_CARD' && chance === 0)
    void wire.ask('cancelTransaction', { tid })
}

/** True when the outcome is known. */
async function sell({ tid, currency }: SocketTillParts, wire: Wire, sale: SocketSale): Promise<boolean> {
  const answer = await wire.ask('sale', { tid, currency, amount: sale.amountMinor })
  if (answer === null) return false
  // An error means that nothing was started.
  if (answer.error !== undefined) return true
  sale.answered = String(answer.result?.['transactionResult'])
  return true
}

/** After a broken connection: waits until the terminal is free, reads its last transaction, and compares. */
async function findOut(parts: SocketTillParts, wire: Wire, sale: SocketSale): Promise<boolean> {
  const { tid } = parts
  const details = await wire.ask('terminalDetails', { tid })
  if (details === null) return false
  if (details.result?.['status'] !== 'AVAILABLE') {
    await itsTransaction(parts)
    return false
  }
  const again = await wire.ask('duplicate', { tid })
  if (again === null || (again.error !== undefined && NOT_NOW.has(again.error.code))) return false
  if (again.error !== undefined) {
    equal(again.error.code, -32074, again.error.message)
    return true
  }
  const result = String(again.result?.['transactionResult'])
  if (result === 'TIMED_OUT') return false
  if (again.result?.['amountBase'] === sale.amountMinor) sale.found = result
  return true
}

/** Waits for the end of the terminal's transaction. */
async function itsTransaction({ line, tid }: SocketTillParts): Promise<void> {
  const { text } = await line.insist('GET', '/api/terminals')
  const { terminals } = JSON.parse(text) as { readonly terminals: readonly Json[] }
  const requestId = terminals.find(each => each['tid'] === tid)?.['transaction']
  if (typeof requestId !== 'string') return
  const path = `/pac/terminals/${tid}/transactions/${requestId}`
  await line.insist('GET', path, { headers: { prefer: 'wait=1' } })
}

/** A transaction in the list of the management API. */
export interface ListedSale {
  readonly requestId: string
  readonly tid: string
  readonly transactionType: string
  readonly amountMinor: number
  readonly result: string | null
  readonly verdict: { readonly moneyTaken: string }
}

/** Each sale was started at most once, and its result at the till agrees with the gateway. */
export function checkSocketSales(sales: readonly SocketSale[], listed: readonly ListedSale[]): void {
  const tids = new Set(sales.map(({ tid }) => tid))
  const started = listed.filter(({ tid, transactionType }) => tids.has(tid) && transactionType === 'SALE')
  for (const { tid, amountMinor, answered, found } of sales) {
    const those = started.filter(each => each.tid === tid && each.amountMinor === amountMinor)
    const what = `${amountMinor} on ${tid}`
    ok(those.length <= 1, `${what} was sold twice`)
    const [one] = those
    const taken = one?.verdict.moneyTaken ?? 'no'
    if (answered !== null) {
      equal(one?.result, answered, what)
      if (answered !== 'TIMED_OUT') equal(taken, answered === 'SUCCESSFUL' ? 'yes' : 'no', what)
    } else equal(taken, found === 'SUCCESSFUL' ? 'yes' : 'no', `${what}: the terminal said ${found}`)
  }
  equal(started.length, new Set(started.map(({ tid, amountMinor }) => `${tid} ${amountMinor}`)).size)
  for (const { tid, amountMinor } of started)
    ok(
      sales.some(sale => sale.tid === tid && sale.amountMinor === amountMinor),
      `nobody asked for ${amountMinor} on ${tid}`,
    )
}
