// test/simulation/soak/rest-clerk.ts — a clerk at a till on REST, with several customers at once, on any terminal.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { TransactionBody } from '../../../src/api/transaction-body.ts'
import { REPORT_TYPES } from '../../../src/domain/reports/report.ts'
import type { SeededRandom } from '../../support/seeded-random.ts'
import type { Reply, Started, Till } from '../../support/till.ts'
import { type Clerk, MOST_AT_ONCE } from './clerk.ts'
import { aWish, happens, oneOf, type Wish } from './wishes.ts'

interface Open extends Started {
  readonly requested: Wish | null
  etag: string | null
}

export interface RestClerk extends Clerk {
  /** Ids of acknowledged transactions and reports. */
  readonly acknowledged: ReadonlySet<string>
  readonly reports: ReadonlySet<string>
  /** Number of refusals, by status. */
  readonly refused: ReadonlyMap<number, number>
}

/** `till` may be at any terminal. */
export function createRestClerk(till: Till, tids: readonly string[], random: SeededRandom): RestClerk {
  const transactions = new Map<string, Open>()
  const reports = new Map<string, Open>()
  const acknowledged = new Set<string>()
  const startedReports = new Set<string>()
  const refused = new Map<number, number>()
  const authCodes: string[] = []

  /** A poll; null when nothing has changed since the last one. */
  async function poll(open: Open): Promise<Reply | null> {
    const headers: Record<string, string> = open.etag === null ? {} : { 'if-none-match': open.etag }
    const reply = await till.read(open, { headers })
    if (reply.status === 304) return null
    equal(reply.status, 200, reply.text)
    open.etag = happens(random, 4) ? null : (reply.headers['etag'] ?? null)
    return reply
  }

  async function lookAfter(open: Open): Promise<void> {
    const reply = await poll(open)
    const body = reply?.json as unknown as TransactionBody | undefined
    const [newest] = body?.notifications ?? []
    if (body !== undefined && newest === 'TRANSACTION_FINISHED') {
      ok(body.transactionResult !== undefined, reply?.text)
      transactions.delete(open.requestId)
      if (open.requested?.transactionType === 'PRE_AUTH' && body.authCode) authCodes.push(body.authCode)
    } else if (newest === 'SIGNATURE_VERIFICATION' && !happens(random, 8)) await sign(open)
    else if (happens(random, 25)) equal((await till.cancel(open)).status, 202)
  }

  async function sign(transaction: Pick<Started, 'location'>): Promise<void> {
    const reply = await till.sign({ requestId: '', ...transaction }, !happens(random, 4))
    equal(reply.status, 202, reply.text)
  }

  async function start(requested: Wish): Promise<void> {
    const { tid, ...body } = requested
    const once = happens(random, 10) ? { headers: { 'idempotency-key': random.uuid() } } : {}
    const reply = await till.at(tid).start(body, once)
    if (reply.status !== 201) return takeRefusal(reply)
    const started = reply.json as unknown as Started
    acknowledged.add(started.requestId)
    transactions.set(started.requestId, { ...started, requested, etag: null })
    // As if the answer was lost: a repetition with the same key starts nothing.
    if ('headers' in once) deepEqual((await till.at(tid).start(body, once)).json, reply.json)
  }

  async function report(tid: string): Promise<void> {
    const body = { reportType: oneOf(random, REPORT_TYPES) }
    const reply = await till.ask('POST', `/pac/terminals/${tid}/reports`, { body })
    if (reply.status !== 201) return takeRefusal(reply)
    const started = reply.json as unknown as Started
    startedReports.add(started.requestId)
    reports.set(started.requestId, { ...started, requested: null, etag: null })
  }

  /** The terminal is busy or unplugged. */
  async function takeRefusal(reply: Reply): Promise<void> {
    refused.set(reply.status, (refused.get(reply.status) ?? 0) + 1)
    const sentence = String(reply.json['userMessage'])
    if (reply.status === 422) match(sentence, /is busy/)
    else if (reply.status === 404) match(sentence, /is unavailable/)
    else {
      equal(reply.status, 423, reply.text)
      // Any till may decide on the signature, not only the one that started the transaction.
      if (happens(random, 4)) await sign({ location: String(reply.json['location']) })
    }
  }

  return {
    acknowledged,
    reports: startedReports,
    refused,
    get underWay() {
      return transactions.size + reports.size
    },
    async act(open) {
      for (const transaction of [...transactions.values()]) await lookAfter(transaction)
      for (const each of [...reports.values()]) {
        const reply = await poll(each)
        const [newest] = (reply?.json['notifications'] ?? []) as readonly string[]
        if (newest === 'REPORT_FINISHED') reports.delete(each.requestId)
      }
      if (!open) return
      if (happens(random, 40)) await report(oneOf(random, tids))
      if (transactions.size < MOST_AT_ONCE) await start(aWish(random, tids, authCodes))
    },
  }
}
