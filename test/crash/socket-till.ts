// test/crash/socket-till.ts — a till on a WebSocket: when its line breaks in the middle of a sale it does what the reference
// tells it to do, connects again, waits for the terminal and asks it for its last transaction.
import { equal, ok } from 'node:assert/strict'
import type { SeededRandom } from '../support/seeded-random.ts'
import type { Line } from './line.ts'
import { PATIENCE_MS } from './mortal-gateway.ts'
import { connect, type Json, type Message, type Wire, type WireParts } from './wire.ts'

export interface SocketSale {
  readonly account: string
  readonly tid: string
  /** No other sale on this terminal has this amount. Minor units. */
  readonly amountMinor: number
  /** The result that came over the line; null: the line broke before. */
  answered: string | null
  /** The result that the terminal gave as its last one afterwards; null: its last transaction was another. */
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
/** Errors with which nothing was started: the terminal is busy or unavailable for the moment. */
const NOT_NOW = new Set([-32071, -32602, -32073])

/** Sells until the shop is closed. Resolves when what has become of the last sale is known. */
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

/** Answers questions about signatures, or leaves them to time; sometimes a first notification makes it cancel. */
function hear({ random, tid }: SocketTillParts, { id, method, params }: Message, wire: Wire): void {
  const chance = random.integer(6)
  if (method === 'signatureVerificationRequest' && chance > 1)
    wire.say({ jsonrpc: '2.0', id, result: { accepted: chance > 2 } })
  if (method === 'terminalNotification' && params?.['notificationValue'] === 'PRESENT_CARD' && chance === 0)
    void wire.ask('cancelTransaction', { tid })
}

/** True: it is known what came of it. */
async function sell({ tid, currency }: SocketTillParts, wire: Wire, sale: SocketSale): Promise<boolean> {
  const answer = await wire.ask('sale', { tid, currency, amount: sale.amountMinor })
  if (answer === null) return false
  // An error means that nothing was started.
  if (answer.error !== undefined) return true
  sale.answered = String(answer.result?.['transactionResult'])
  return true
}

/** What to do when the line was lost: wait until the terminal is free, ask it, and compare. */
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
  if (again.result?.['amountTotal'] === sale.amountMinor) sale.found = result
  return true
}

/** Waits for the end of what runs on the terminal. */
async function itsTransaction({ line, tid }: SocketTillParts): Promise<void> {
  const { text } = await line.insist('GET', '/api/terminals')
  const { terminals } = JSON.parse(text) as { readonly terminals: readonly Json[] }
  const requestId = terminals.find(each => each['tid'] === tid)?.['transaction']
  if (typeof requestId !== 'string') return
  const path = `/pac/terminals/${tid}/transactions/${requestId}`
  await line.insist('GET', path, { headers: { prefer: 'wait=1' } })
}

/** What Tollgate's own interface lists. */
export interface ListedSale {
  readonly requestId: string
  readonly tid: string
  readonly transactionType: string
  readonly amountMinor: number
  readonly result: string | null
  readonly verdict: { readonly moneyTaken: string }
}

/** Each sale was started once at most, and what the till believes of it is the truth. */
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
