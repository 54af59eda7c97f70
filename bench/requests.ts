// bench/requests.ts — the requests of the benchmark, as bytes on the line, and their answers read the plain way.
import { API_KEY, terminalId } from './terminals.ts'

const AUTHORIZATION = `Basic ${Buffer.from(`bench:${API_KEY}`).toString('base64')}`
const SALE = JSON.stringify({ transactionType: 'SALE', amount: 2599, currency: 'GBP' })

/** Address of the transactions of terminal number `index`. */
export function transactionsOf(index: number): string {
  return `/pac/terminals/${terminalId(index)}/transactions`
}

/** A read of `path` from the server at `port`; with `etag`, one that expects 304. */
export function readRequest(port: number, path: string, etag?: string): string {
  const known = etag === undefined ? '' : `If-None-Match: ${etag}\r\n`
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: ${AUTHORIZATION}\r\n${known}\r\n`
}

/** The start of a sale on terminal number `index`. */
export function saleRequest(index: number): string {
  return (
    `POST ${transactionsOf(index)} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${AUTHORIZATION}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${SALE.length}\r\n\r\n${SALE}`
  )
}

export interface Plain {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Headers that `node:http` adds to every answer by itself. */
const ADDED = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

/** Asks once, for an answer to learn from. */
export async function askOnce(port: number, method: 'GET' | 'POST', path: string, etag?: string): Promise<Plain> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      authorization: AUTHORIZATION,
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
    },
    ...(method === 'POST' ? { body: SALE } : {}),
  })
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !ADDED.has(name)))
  return { status: response.status, headers, body: await response.text() }
}
