// bench/files-entered/request-kind.ts — a kind of request to measure, and the calls that set it up.
import { setTimeout as sleep } from 'node:timers/promises'
import { API_KEY } from '../terminals.ts'
import type { WatchedGateway } from './watched-gateway.ts'

/** Runs an action and records the files that it enters. */
export type Measure = (action: () => Promise<unknown>) => Promise<void>

export interface RequestKind {
  /** Name on the command line. */
  readonly name: string
  /** Begin and end of the measurement, in one sentence. */
  readonly window: string
  /** Performs it once, from setup to a finished record, and calls `measure` around its window. */
  perform(gateway: WatchedGateway, measure: Measure): Promise<void>
}

export type Json = Readonly<Record<string, unknown>>

export const TILL = { authorization: `Basic ${Buffer.from(`till:${API_KEY}`).toString('base64')}` }

const PATIENCE_MS = 20_000
const POLL_MS = 100

/** Sends JSON, or a form, and returns the answer as text. @throws Error for a status other than `expected`. */
export async function send(
  url: string,
  {
    headers = {},
    body,
    expected,
  }: { readonly headers?: Record<string, string>; readonly body?: unknown; readonly expected: number },
): Promise<string> {
  const isForm = body instanceof URLSearchParams
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (response.status !== expected) throw new Error(`${url} answered ${response.status}: ${text}`)
  return text
}

/** Polls until `look` returns a value. @throws Error after `PATIENCE_MS`. */
export async function until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const found = await look()
    if (found !== null) return found
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`)
    await sleep(POLL_MS)
  }
}
