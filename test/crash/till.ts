// test/crash/till.ts — a till that takes payments until the shop closes, and follows each across kills of the gateway.
import { deepEqual, equal } from 'node:assert/strict'
import type { TransactionBody } from '../../src/api/transaction-body.ts'
import type { TransactionType } from '../../src/domain/counter/transaction-events.ts'
import type { SeededRandom } from '../support/seeded-random.ts'
import type { Book, Entry, TillRequest } from './book.ts'
import type { Heard, Line } from './line.ts'
import { PATIENCE_MS } from './mortal-gateway.ts'
import type { Person } from './person.ts'
import { type ReportEntry, runReport } from './reports.ts'

export interface TillParts {
  readonly account: string
  readonly currency: string
  readonly tid: string
  readonly line: Line
  readonly random: SeededRandom
  readonly book: Book
  /** Presses the keys of a terminal without a script. */
  readonly person: Person | null
  readonly isOpen: () => boolean
  readonly reports: ReportEntry[]
}

/** The cashier's intentions for one transaction. */
interface Plan {
  /** Number of reads after which to cancel; -1 for never. */
  readonly cancelAfter: number
  readonly signature: 'accept' | 'refuse' | 'leave'
}

const TYPES: readonly TransactionType[] = ['SALE', 'SALE', 'SALE', 'SALE', 'REFUND', 'PRE_AUTH', 'ACCOUNT_VERIFICATION']
/** Amounts that the simulated issuer declines, answers late, and does not answer. */
const ODD_AMOUNTS = [90_000_51, 90_000_68, 90_000_68, 90_000_91]
/** A public test number. */
const CARD_NUMBER = '4111111111111111'
/** Seconds that a read waits for a change. A person looks at the screen in between. */
const WAIT_S = { alone: 20, person: 1 } as const

/** Takes payments one after the other. Resolves when the shop is closed and the last one has ended. */
export async function runTill(parts: TillParts): Promise<void> {
  const { random, isOpen } = parts
  while (isOpen()) {
    const request = aRequest(random, parts.currency)
    const end = await transact(parts, request, aPlan(random))
    if (request.transactionType === 'PRE_AUTH' && end.transactionResult === 'SUCCESSFUL')
      await transact(parts, completionOf(request, end, random), aPlan(random))
    else if (random.integer(5) === 0) await repeatLast(parts, end)
    else if (random.integer(8) === 0) await reportOn(parts)
  }
  await parts.person?.leave()
}

async function reportOn(parts: TillParts): Promise<void> {
  await parts.person?.tidyUp()
  await runReport(parts)
}

async function transact(parts: TillParts, request: TillRequest, plan: Plan): Promise<TransactionBody> {
  await parts.person?.tidyUp()
  const entry = await begin(parts, request)
  parts.book.entries.push(entry)
  const { gateway } = parts.line
  const end = await gateway.patiently(
    `the end of ${entry.requestId} on ${entry.tid}`,
    PATIENCE_MS.payment,
    follow(parts, entry, plan),
  )
  entry.end = end
  return end.body
}

/** Starts a transaction, repeated under the same key until answered; sometimes twice at once. */
async function begin({ line, account, tid, random, book }: TillParts, request: TillRequest): Promise<Entry> {
  const idempotencyKey = random.uuid()
  const headers = { 'idempotency-key': idempotencyKey }
  const once = async (): Promise<Heard> => {
    for (let lost = 0; ; lost += 1) {
      const heard = await line.ask('POST', `/pac/terminals/${tid}/transactions`, { headers, body: request })
      if (heard === null) continue
      if (lost > 0) book.repeatedStarts += 1
      equal(heard.status, 201, `${tid} ${JSON.stringify(request)} ${heard.text}`)
      return heard
    }
  }
  const [first, ...others] = await Promise.all(random.integer(6) === 0 ? [once(), once()] : [once()])
  for (const other of others) equal(other.text, first.text)
  const { requestId } = JSON.parse(first.text) as { readonly requestId: string }
  return { account, tid, idempotencyKey, request, requestId, answer: first.text, cancels: [], end: null }
}

/** Reads until there is a result, and acts as planned meanwhile. Notifications must never disappear. */
async function follow(parts: TillParts, entry: Entry, plan: Plan): Promise<NonNullable<Entry['end']>> {
  const wait = `wait=${parts.person === null ? WAIT_S.alone : WAIT_S.person}`
  let etag = ''
  let told: readonly string[] = []
  for (let looks = 0; ; looks += 1) {
    const heard = await parts.line.ask('GET', pathOf(entry), { headers: { prefer: wait, 'if-none-match': etag } })
    if (heard === null) continue
    if (heard.status !== 304) {
      equal(heard.status, 200, heard.text)
      const body = JSON.parse(heard.text) as TransactionBody
      // Newest first.
      deepEqual(body.notifications.slice(body.notifications.length - told.length), told)
      told = body.notifications
      etag = String(heard.headers.etag)
      if (body.transactionResult !== undefined) return { text: heard.text, etag, body }
    }
    await act(parts, entry, plan, looks, told[0])
  }
}

async function act({ line, person }: TillParts, entry: Entry, plan: Plan, looks: number, newest?: string) {
  if (looks === plan.cancelAfter) {
    const askedAt = Date.now()
    const { status, text } = await line.insist('DELETE', pathOf(entry))
    equal(status, 202, text)
    entry.cancels.push({ askedAt, answeredAt: Date.now() })
  }
  if (newest === 'SIGNATURE_VERIFICATION' && plan.signature !== 'leave') {
    const body = { accepted: plan.signature === 'accept' }
    const { status, text } = await line.insist('PUT', `${pathOf(entry)}/signature`, { body })
    equal(status, 202, text)
  }
  await person?.act()
}

/** Requests the terminal's last transaction: it must be the one the till has just seen. */
async function repeatLast(parts: TillParts, last: TransactionBody): Promise<void> {
  const again = await transact(parts, { transactionType: 'DUPLICATE' }, { cancelAfter: -1, signature: 'leave' })
  if (last.transactionResult !== 'SUCCESSFUL' || again.transactionResult === 'TIMED_OUT') return
  deepEqual(
    [again.transactionResult, again.transactionType, again.amountTotal],
    ['SUCCESSFUL', last.transactionType, last.amountTotal],
  )
}

function aRequest(random: SeededRandom, currency: string): TillRequest {
  const transactionType = TYPES[random.integer(TYPES.length)]!
  const careless = random.integer(10) === 0 ? { cardNumber: CARD_NUMBER } : {}
  if (transactionType === 'ACCOUNT_VERIFICATION') return { transactionType, ...careless }
  const odd = random.integer(15) === 0
  const amount = odd ? ODD_AMOUNTS[random.integer(ODD_AMOUNTS.length)]! : 1 + random.integer(20_000)
  const cashback = transactionType === 'SALE' && random.integer(4) === 0 ? { amountCashback: 1_000 } : {}
  const keyed = transactionType === 'SALE' && random.integer(10) === 0 ? { cardholderNotPresent: true } : {}
  return { transactionType, amount, currency, ...cashback, ...keyed, ...careless }
}

function completionOf(held: TillRequest, { authCode = '' }: TransactionBody, random: SeededRandom): TillRequest {
  const { amount = 1, currency = 'GBP' } = held
  return { transactionType: 'COMPLETION', amount: 1 + random.integer(amount), currency, authCode }
}

function aPlan(random: SeededRandom): Plan {
  const signature = (['accept', 'accept', 'refuse', 'leave'] as const)[random.integer(4)]!
  return { cancelAfter: random.integer(3) === 0 ? random.integer(5) : -1, signature }
}

function pathOf({ tid, requestId }: Entry): string {
  return `/pac/terminals/${tid}/transactions/${requestId}`
}
