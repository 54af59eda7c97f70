// bench/requests.ts — counter requests as text on the wire, and their answers.
import type { FixedAnswer } from './servers/bare-node.ts'
import { API_KEY } from './terminals.ts'

const CREDENTIALS = `Basic ${Buffer.from(`till:${API_KEY}`).toString('base64')}`
const SALE = JSON.stringify({ transactionType: 'SALE', amount: 2599, currency: 'GBP' })

/** Headers that `node:http` adds itself. */
const ADDED = new Set(['connection', 'date', 'keep-alive'])

/** A sale on a terminal. */
export function saleOn(port: number, tid: string): string {
  return [
    `POST /pac/terminals/${tid}/transactions HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: ${CREDENTIALS}`,
    'Accept: application/json',
    'Content-Type: application/json',
    `Content-Length: ${SALE.length}`,
    '',
    SALE,
  ].join('\r\n')
}

/** A read of a terminal. */
export function lookAt(port: number, tid: string): string {
  return pollOf(port, `/pac/terminals/${tid}`)
}

/** A poll, with the `ETag` of the last answer when given. */
export function pollOf(port: number, path: string, etag?: string): string {
  return [
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: ${CREDENTIALS}`,
    'Accept: application/json',
    ...(etag === undefined ? [] : [`If-None-Match: ${etag}`]),
    '',
    '',
  ].join('\r\n')
}

/** Starts one sale; returns its path for polls and the answer. @throws Error unless it is 201 */
export async function startedSale(
  port: number,
  tid: string,
): Promise<{ readonly path: string; readonly answer: FixedAnswer }> {
  const response = await fetch(`http://127.0.0.1:${port}/pac/terminals/${tid}/transactions`, {
    method: 'POST',
    headers: { authorization: CREDENTIALS, accept: 'application/json', 'content-type': 'application/json' },
    body: SALE,
  })
  const answer = await fixed(response)
  if (answer.status !== 201) throw new Error(`a sale was answered ${answer.status}: ${answer.body}`)
  const { location } = JSON.parse(answer.body) as { readonly location: string }
  return { path: new URL(location).pathname, answer }
}

/** The answer to a poll. */
export async function polled(port: number, path: string, etag?: string): Promise<FixedAnswer> {
  const headers = { authorization: CREDENTIALS, accept: 'application/json' }
  return fixed(
    await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: etag === undefined ? headers : { ...headers, 'if-none-match': etag },
    }),
  )
}

/** An answer in a form that another server can repeat. */
export async function fixed(response: Response): Promise<FixedAnswer> {
  const headers = [...response.headers].filter(([name]) => !ADDED.has(name))
  return { status: response.status, headers: Object.fromEntries(headers), body: await response.text() }
}
