// src/cli/webhook-receiver.ts — a local webhook receiver that verifies signatures and reports what it gets.
import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { boundedBody } from '../platform/bounded-body.ts'
import { signedHeaders } from '../services/webhooks/webhook-signature.ts'

/** Largest age of a message, against replays, as the Standard Webhooks specification recommends. */
const TOLERANCE_MS = 5 * 60_000
/** Longest body, in bytes. The gateway sends shorter ones. */
const LONGEST_BODY = 65_536

export interface Seen {
  readonly id: string
  readonly body: string
  readonly orderId: string | null
  /** `unchecked` when no secret is known. */
  readonly signature: 'right' | 'wrong' | 'missing' | 'too_old' | 'unchecked'
  /** Number of messages with this id, including this one. */
  readonly times: number
  readonly answered: number
}

export interface Receiver {
  readonly url: string
  close(): void
}

export interface ReceiverOptions {
  readonly host: string
  readonly port: number
  /** Status of the answer to a message with a valid signature. */
  readonly status: number
  /** Returns the secrets. `again` reads them anew: after an invalid signature they may have been rotated. */
  readonly secrets: (again: boolean) => Promise<readonly string[]>
  readonly onSeen: (seen: Seen) => void
  readonly now: () => number
}

/** Starts the receiver. It answers 400 to an invalid signature, so that the gateway retries. */
export async function openReceiver(options: ReceiverOptions): Promise<Receiver> {
  const counts = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const bytes = await boundedBody(request, LONGEST_BODY)
    if (bytes === null) {
      response.writeHead(413).end()
      return
    }
    const body = bytes.toString('utf8')
    const id = String(request.headers['webhook-id'] ?? '')
    const signature = await check(request.headers, body, options)
    const times = (counts.get(id) ?? 0) + 1
    counts.set(id, times)
    const answered = signature === 'right' || signature === 'unchecked' ? options.status : 400
    response.writeHead(answered).end()
    options.onSeen({ id, body, orderId: orderIn(body), signature, times, answered })
  })
  server.listen(options.port, options.host)
  await once(server, 'listening')
  const { address, port, family } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function check(headers: IncomingHttpHeaders, body: string, { secrets, now }: ReceiverOptions) {
  const id = headers['webhook-id']
  const seconds = headers['webhook-timestamp']
  const given = headers['webhook-signature']
  if (typeof id !== 'string' || typeof seconds !== 'string' || typeof given !== 'string') return 'missing'
  const known = await secrets(false)
  if (known.length === 0) return 'unchecked'
  const at = Number(seconds) * 1_000
  const message = { id, body }
  if (!isSigned(message, at, given, known) && !isSigned(message, at, given, await secrets(true))) return 'wrong'
  return Math.abs(now() - at) > TOLERANCE_MS ? 'too_old' : 'right'
}

function isSigned(
  message: { readonly id: string; readonly body: string },
  at: number,
  given: string,
  secrets: readonly string[],
): boolean {
  const offered = given.split(' ').map(text => Buffer.from(text))
  return secrets.some(secret => {
    const expected = Buffer.from(signedHeaders(message, [secret], at)['webhook-signature'] ?? '')
    return offered.some(each => each.length === expected.length && timingSafeEqual(each, expected))
  })
}

function orderIn(body: string): string | null {
  try {
    const { orderId } = JSON.parse(body) as { readonly orderId?: unknown }
    return typeof orderId === 'string' ? orderId : null
  } catch {
    return null
  }
}
