// web/console/counter/sale.ts — a transaction from its start to its end, as a till follows it.
import { useCallback, useEffect, useReducer, useRef } from 'preact/hooks'
import type { Exchange, Gateway } from '../gateway.ts'
import { freshKey } from '../idempotency-key.ts'
import type { ReceiptLines } from '../parts/receipt-lines.ts'

/** A transaction, as `/pac` shows it. Fields after the notifications are there at the end. */
export interface Transaction {
  readonly requestId: string
  /** Newest first. */
  readonly notifications: readonly string[]
  readonly transactionResult?: string
  readonly amountTotal?: number
  readonly cardSchemeName?: string
  readonly primaryAccountNumber?: string
  readonly authCode?: string
  readonly receiptLines?: ReceiptLines
}

export interface Started {
  readonly tid: string
  readonly currency: string
  readonly requestId: string
}

export interface Sale {
  readonly started: Started | null
  /** Null before the first answer to a poll. */
  readonly transaction: Transaction | null
  /** What the till has asked, newest first. Equal polls in a row are one. */
  readonly exchanges: readonly Exchange[]
  /** Why the last request was refused. */
  readonly problem: string | null
  readonly isStarting: boolean
}

export interface Till extends Sale {
  start(tid: string, body: { readonly currency: string } & Readonly<Record<string, unknown>>): Promise<void>
  cancel(): Promise<void>
  sign(accepted: boolean): Promise<void>
}

const NOTHING: Sale = { started: null, transaction: null, exchanges: [], problem: null, isStarting: false }
/** Requests that are shown. */
const MOST_EXCHANGES = 30
/** Wait after a poll that failed, in milliseconds. */
const AGAIN_MS = 1_000

export const FINISHED = 'TRANSACTION_FINISHED'

/** Starts transactions and follows the last one. */
export function useTill(gateway: Gateway): Till {
  const [sale, change] = useReducer((before: Sale, changes: Partial<Sale> | Exchange): Sale => {
    if (!('method' in changes)) return { ...before, ...changes }
    const [last, ...others] = before.exchanges
    const isAgain = last?.method === 'GET' && last.method === changes.method && last.path === changes.path
    const kept = isAgain ? others : before.exchanges
    return { ...before, exchanges: [changes, ...kept].slice(0, MOST_EXCHANGES) }
  }, NOTHING)
  const { started } = sale
  const address = started === null ? null : addressOf(started)

  useEffect(() => {
    if (address === null) return
    const ended = new AbortController()
    void poll(gateway, address, ended.signal, change).catch(() => {})
    return () => ended.abort()
  }, [gateway, address])

  const isBusy = useRef(false)
  /** Of a start that has had no answer: pressing again must not start a second one. */
  const unanswered = useRef({ contents: '', key: '' })
  const start: Till['start'] = useCallback(
    async (tid, body) => {
      if (isBusy.current) return
      isBusy.current = true
      change({ isStarting: true, problem: null })
      const path = `/pac/terminals/${encodeURIComponent(tid)}/transactions`
      const contents = JSON.stringify([path, body])
      const key = unanswered.current.contents === contents ? unanswered.current.key : freshKey()
      const headers = { 'idempotency-key': key }
      const answered = await gateway.send<{ readonly requestId: string }>('POST', path, body, { headers })
      isBusy.current = false
      unanswered.current = answered.exchange.status === 0 ? { contents, key } : { contents: '', key: '' }
      change(answered.exchange)
      if (!answered.ok) return change({ isStarting: false, problem: answered.sentence })
      const { requestId } = answered.body
      change({ isStarting: false, transaction: null, started: { tid, currency: body.currency, requestId } })
    },
    [gateway],
  )
  const ask = useCallback(
    async (method: 'PUT' | 'DELETE', below: string, body?: unknown) => {
      if (address === null) return
      const answered = await gateway.send<unknown>(method, address + below, body)
      change(answered.exchange)
      change({ problem: answered.ok ? null : answered.sentence })
    },
    [gateway, address],
  )
  return { ...sale, start, cancel: () => ask('DELETE', ''), sign: accepted => ask('PUT', '/signature', { accepted }) }
}

function addressOf({ tid, requestId }: Started): string {
  return `/pac/terminals/${encodeURIComponent(tid)}/transactions/${requestId}`
}

/** Reads the transaction at each change until it is finished. */
async function poll(
  gateway: Gateway,
  address: string,
  signal: AbortSignal,
  change: (changes: Partial<Sale> | Exchange) => void,
): Promise<void> {
  let etag = ''
  while (!signal.aborted) {
    // Answered at the next change. The first one asks for what is there.
    const headers: Record<string, string> = etag === '' ? {} : { prefer: 'wait=20', 'if-none-match': etag }
    const answered = await gateway.get<Transaction>(address, { signal, headers })
    if (signal.aborted) return
    if (answered.ok) {
      change(answered.exchange)
      change({ transaction: answered.body, problem: null })
      etag = answered.etag
      if (answered.body.notifications[0] === FINISHED) return
    } else if (answered.status !== 304) {
      change({ problem: answered.sentence })
      await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
    }
  }
}
