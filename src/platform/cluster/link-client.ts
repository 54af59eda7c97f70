// src/platform/cluster/link-client.ts — the client of the link: sends one call over a pool of connections. ADR 70.
import type { IncomingMessage } from 'node:http'
import { Agent, request as post, type RequestOptions } from 'node:https'
import type { ConnectionOptions, TLSSocket } from 'node:tls'
import type { Clock } from '../../engine/ports/clock.ts'
import type { CallOptions, CallOutcome } from '../../engine/ports/node-link.ts'
import type { KeyRing } from '../vault/key-ring.ts'
import { MOST_BYTES, readJson } from './json-body.ts'
import { keysFor, LINK_TLS } from './link-keys.ts'
import { FROM } from './link-server.ts'

/** Calls in progress to one node, each over a connection of its own. More means that it is stuck. */
const MOST_CALLS = 256
/** Idle connections to one node that stay open. */
const MOST_IDLE = 8
/** Idle connections close after this time, in milliseconds. */
const IDLE_MS = 30_000
/** Statuses of calls that were not performed. */
const REFUSED: ReadonlySet<number> = new Set([404, 413, 503])

export interface LinkClient {
  call(address: string, name: string, body: unknown, limitMs: number, options?: CallOptions): Promise<CallOutcome>
  /** Ends all calls and connections. */
  close(): void
}

export interface LinkClientParts {
  readonly ring: KeyRing
  readonly clock: Clock
  /** Address of this node, for calls back. */
  readonly from: string
  /** Called when a connection to a node was made, or could not be made. */
  readonly onReached: (address: string, reached: boolean) => void
}

/** What is sent to a node. */
interface Message {
  readonly address: string
  readonly name: string
  readonly text: string
  readonly traceparent: string | undefined
}

/** One attempt at a call. `key_refused`: the node does not know the key, so another one may do. */
type Attempt = CallOutcome | { readonly outcome: 'key_refused' }

interface Attempted {
  readonly outcome: Promise<Attempt>
  /** Whether a connection was made. */
  wasSent(): boolean
  /** Ends it when its time is over. */
  giveUp(): void
}

const NOT_SENT = { outcome: 'not_sent' } as const
const LOST = { outcome: 'lost' } as const

export function createLinkClient({ ring, clock, from, onReached }: LinkClientParts): LinkClient {
  const agent = new Agent({
    ...LINK_TLS,
    ...{ keepAlive: true, maxSockets: MOST_CALLS, maxFreeSockets: MOST_IDLE, timeout: IDLE_MS },
    // A resumed session would outlive the key with which it began.
    maxCachedSessions: 0,
    // The key proves who the node is; there are no certificates.
    checkServerIdentity: () => undefined,
  })
  /** Calls in progress by address. */
  const calls = new Map<string, number>()

  /** @param choice which of the keys to use, by preference */
  function attempt({ address, name, text, traceparent }: Message, choice: number): Attempted {
    const { hostname, port } = new URL(`https://${address}`)
    const options: RequestOptions & Pick<ConnectionOptions, 'pskCallback'> = {
      ...{ agent, method: 'POST', host: hostname.replace(/^\[|\]$/g, ''), port, path: `/${name}` },
      headers: {
        ...{ [FROM]: from, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
        ...(traceparent === undefined ? {} : { traceparent }),
      },
      pskCallback: hint => keysFor(ring, hint ?? '')[choice] ?? null,
    }
    const request = post(options)
    let progress: 'connecting' | 'handshake' | 'sent' = 'connecting'
    request.on('socket', socket => {
      if (request.reusedSocket) {
        progress = 'sent'
        return
      }
      socket.once('connect', () => (progress = 'handshake'))
      ;(socket as TLSSocket).once('secureConnect', () => (progress = 'sent'))
    })
    const outcome = new Promise<Attempt>(resolve => {
      request.on('response', response => void answerIn(response).then(resolve, () => resolve(LOST)))
      request.on('error', () => {
        if (progress === 'sent') resolve(LOST)
        else resolve(progress === 'handshake' ? { outcome: 'key_refused' } : NOT_SENT)
      })
    })
    request.end(text)
    return { outcome, wasSent: () => progress === 'sent', giveUp: () => request.destroy() }
  }

  async function callWith(message: Message, limitMs: number): Promise<CallOutcome> {
    const { address } = message
    let current: Attempted | null = null
    let over = false
    const alarm = clock.alarm(clock.now() + limitMs, () => {
      over = true
      current?.giveUp()
    })
    try {
      for (let choice = 0; choice < ring.versions.length && !over; choice += 1) {
        current = attempt(message, choice)
        const outcome = await current.outcome
        if (outcome.outcome === 'key_refused') continue
        onReached(address, current.wasSent())
        return outcome
      }
      onReached(address, false)
      return NOT_SENT
    } finally {
      alarm.cancel()
    }
  }

  return {
    async call(address, name, body, limitMs, { traceparent } = {}) {
      const text = JSON.stringify(body ?? null)
      const open = calls.get(address) ?? 0
      if (open >= MOST_CALLS || Buffer.byteLength(text) > MOST_BYTES) return NOT_SENT
      calls.set(address, open + 1)
      try {
        return await callWith({ address, name, text, traceparent }, limitMs)
      } finally {
        const left = (calls.get(address) ?? 1) - 1
        if (left > 0) calls.set(address, left)
        else calls.delete(address)
      }
    },
    close: () => agent.destroy(),
  }
}

async function answerIn(response: IncomingMessage): Promise<CallOutcome> {
  const { statusCode = 0 } = response
  if (statusCode === 200) return { outcome: 'answered', body: await readJson(response) }
  response.resume()
  return REFUSED.has(statusCode) ? NOT_SENT : LOST
}
