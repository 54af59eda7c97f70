// test/nodes/storm-till.ts — a till that asks a random node each time, and goes on when that one does not answer.
import { deepEqual, equal, ok } from 'node:assert/strict'
import type { TransactionBody } from '../../src/api/transaction-body.ts'

/** Patience with one node, in milliseconds. */
const PATIENCE_MS = 2_500
/** Pause after a refusal or a silence, in milliseconds. */
const PAUSE_MS = 60

export interface Sale {
  readonly account: string
  readonly key: string
  readonly amount: number
  readonly requestId: string
  readonly path: string
  readonly result: string
}

export interface StormTillParts {
  readonly account: string
  readonly tid: string
  /** The address of a random node. */
  readonly anyUrl: () => string | null
  readonly random: () => number
  /** Counts answers by what they were. */
  readonly count: (what: string) => void
}

interface Reply {
  readonly url: string
  readonly status: number
  readonly json: unknown
}

const pause = () => new Promise<void>(resolve => setTimeout(resolve, PAUSE_MS))

export function createStormTill({ account, tid, anyUrl, random, count }: StormTillParts) {
  const headers = {
    authorization: `Basic ${Buffer.from(`till:key-${account}`).toString('base64')}`,
    'content-type': 'application/json',
  }

  /**
   * Asks nodes until one answers for good. Silence and 503 are no answers, nor is 408: the node was stopped, and had not read the
   * request when it closed the connection for its age.
   */
  async function ask(method: string, path: string, body?: unknown, key?: string): Promise<Reply> {
    for (;;) {
      const url = anyUrl()
      const reply =
        url === null
          ? null
          : await fetch(url + path, {
              method,
              headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
              ...(body === undefined ? {} : { body: JSON.stringify(body) }),
              signal: AbortSignal.timeout(PATIENCE_MS),
            })
              .then(async answer => ({ url, status: answer.status, json: JSON.parse((await answer.text()) || '{}') }))
              .catch(() => null)
      if (reply !== null && reply.status !== 503 && reply.status !== 408) return reply
      count(reply === null ? 'no answer' : `answered ${reply.status}`)
      await pause()
    }
  }

  async function start(amount: number, key: string) {
    const body = { transactionType: 'SALE', amount, currency: 'GBP' }
    const { url, status, json } = await ask('POST', `/pac/terminals/${tid}/transactions`, body, key)
    if (status !== 201) equal(status, 201, `${url} ${JSON.stringify(json)}; then ${await afterwards(body, key)}`)
    return json as { readonly requestId: string; readonly location: string }
  }

  /** For the report of a start that was refused: what nodes say about it, and about the sale before, a little later. */
  async function afterwards(body: unknown, key: string): Promise<string> {
    const seen: string[] = []
    for (let asked = 0; asked < 6; asked += 1) {
      const before = previous === null ? null : await ask('GET', previous)
      const again = await ask('POST', `/pac/terminals/${tid}/transactions`, body, key)
      for (const reply of [before, again])
        if (reply !== null) seen.push(`${reply.url} ${reply.status} ${JSON.stringify(reply.json).slice(0, 200)}`)
    }
    return seen.join('\n')
  }

  /** The path of the sale before. */
  let previous: string | null = null

  return {
    /** Makes one sale and follows it to its end. */
    async sale(): Promise<Sale> {
      const amount = 100 + Math.floor(random() * 9_900)
      const key = `sale-${Math.floor(random() * 1e12).toString(36)}-of-${tid}`
      const { requestId, location } = await start(amount, key)
      count('started')
      const path = new URL(location).pathname
      let seen: readonly string[] = []
      for (;;) {
        const { status, json } = await ask('GET', path)
        equal(status, 200, `${requestId}: ${JSON.stringify(json)}`)
        const { notifications, transactionResult } = json as TransactionBody
        // Newest first. What was seen once is there for ever.
        deepEqual(notifications.slice(notifications.length - seen.length), seen, `${requestId} went back`)
        seen = notifications
        if (notifications[0] === 'TRANSACTION_FINISHED') {
          // A till that lost the answer to its start asks again, wherever.
          if (random() < 0.3) equal((await start(amount, key)).requestId, requestId)
          count('finished')
          ok(transactionResult !== undefined)
          previous = path
          return { account, key, amount, requestId, path, result: transactionResult }
        }
      }
    },
  }
}
