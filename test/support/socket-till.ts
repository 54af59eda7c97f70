// test/support/socket-till.ts — a till on a WebSocket. It keeps all messages, and fails the test when one differs from the
// published schemas.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { Notification } from '../../src/domain/counter/notifications.ts'
import { faultsOfMessage } from './rpc-schemas.ts'
import { openShop, PACE_MS, type Shop, type ShopOptions } from './shop.ts'
import { portOf } from './wire-talk.ts'

export type Json = Readonly<Record<string, unknown>>

export interface Heard {
  readonly jsonrpc: string
  readonly id?: number
  readonly method?: string
  readonly params?: Json
  readonly result?: Json
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Json }
}

export interface SocketTillOptions {
  /** API version; null for none. */
  readonly version?: 'v0' | 'v1' | null
  readonly key?: string
  /** Additional query. */
  readonly query?: string
  readonly path?: string
  /** Over TLS, with any certificate. */
  readonly secure?: boolean
  /** False: does not answer pings. */
  readonly autoPong?: boolean
}

export interface SocketTill {
  readonly socket: WebSocket
  /** Received messages, oldest first. */
  readonly heard: readonly Heard[]
  /** Name of `tid` in this version. */
  readonly member: 'tid' | 'tpi'
  /** Sends text unchanged, other values as JSON. */
  say(message: unknown): void
  /** Sends a request and returns its id at once. */
  request(method: string, params?: Json, id?: number): number
  /** Sends a request and resolves to its answer, without advancing time. */
  ask(method: string, params?: Json, id?: number): Promise<Heard>
  /** Resolves to the answer to a request, advancing time. */
  answerTo(id: number): Promise<Heard>
  /** Advances time until a notification arrives. */
  until(notification: Notification): Promise<void>
  /** Notifications received, oldest first. */
  notifications(): readonly string[]
  /** Signature requests received. */
  questions(): readonly Heard[]
  /** Resolves when all sent messages are processed, and their immediate answers received. */
  settle(): Promise<void>
  /** Resolves to the close code of the other side. */
  readonly closed: Promise<number>
  close(): Promise<void>
}

/** Steps after which waiting fails the test: ten minutes. */
const MOST_STEPS = 1_200

/** A shop without a limit of messages: the clock may stand still while a till sends many. */
export function openSocketShop(options: ShopOptions = {}): Promise<Shop> {
  return openShop({ ...options, limits: { messagesPerSecond: 1_000_000, ...options.limits } })
}

/** Connects a till to a shop. */
export async function connectTill(shop: Shop, options: SocketTillOptions = {}): Promise<SocketTill> {
  const socket = new WebSocket(await addressOf(shop, options), {
    rejectUnauthorized: false,
    autoPong: options.autoPong ?? true,
  })
  const spoken = /api-version=(v\d)/i.exec(socket.url)?.[1]?.toLowerCase() ?? 'v1'
  const heard: Heard[] = []
  const faults: string[] = []
  /** Methods by id. An id can be reused. */
  const asked = new Map<number, readonly string[]>()
  socket.on('message', (data, isBinary) => {
    if (isBinary) faults.push('a binary frame')
    const message = JSON.parse(data.toString()) as Heard
    const methods = message.method === undefined ? (asked.get(message.id ?? -1) ?? ['']) : [message.method]
    const published = /[?&]transaction-ids/.test(socket.url) ? withoutIds(message) : message
    const found = methods.map(method => faultsOfMessage(spoken, published, method))
    if (found.every(each => each.length > 0)) faults.push(`${found[0]}: ${data.toString().slice(0, 300)}`)
    heard.push(message)
  })
  const closed = new Promise<number>(resolve => socket.once('close', resolve))
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  let lastId = 0

  const say: SocketTill['say'] = message => {
    const { id, method } = requestIn(message)
    if (typeof id === 'number' && typeof method === 'string') asked.set(id, [...(asked.get(id) ?? []), method])
    socket.send(typeof message === 'string' || message instanceof Uint8Array ? message : JSON.stringify(message))
  }
  const settle = async () => {
    // A pong follows everything that was sent before it.
    for (let round = 0; round < 2 && socket.readyState === socket.OPEN; round += 1) {
      const pong = Promise.race([once(socket, 'pong'), closed])
      socket.ping()
      await pong
      await shop.settle()
    }
    deepEqual(faults, [])
  }
  const request: SocketTill['request'] = (method, params, id = ++lastId) => {
    say({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) })
    return id
  }
  const passing = async <T>(look: () => T | undefined): Promise<T> => {
    await settle()
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const found = look()
      if (found !== undefined) return found
      await shop.clock.advance(PACE_MS)
      await settle()
    }
    throw new Error(`it did not come: ${JSON.stringify(heard)}`)
  }
  const answered = (id: number, since = 0) =>
    heard.slice(since).find(message => message.id === id && message.method === undefined)
  const notifications = () =>
    heard.flatMap(({ method, params }) =>
      method === 'terminalNotification' ? String(params?.['notificationValue']) : [],
    )
  return {
    socket,
    heard,
    member: spoken === 'v0' ? 'tpi' : 'tid',
    say,
    request,
    async ask(method, params, id) {
      const since = heard.length
      const used = request(method, params, id)
      await settle()
      const answer = answered(used, since)
      ok(answer !== undefined, `${method} is not answered: ${JSON.stringify(heard)}`)
      return answer
    },
    answerTo: id => passing(() => answered(id)),
    until: async notification => {
      await passing(() => notifications().includes(notification) || undefined)
    },
    notifications,
    questions: () => heard.filter(({ method }) => method === 'signatureVerificationRequest'),
    settle,
    closed,
    async close() {
      socket.close()
      await closed
      await shop.settle()
    },
  }
}

/** The sent request, for checking its answer. */
function requestIn(message: unknown): Json {
  if (typeof message !== 'string') return Object(message) as Json
  try {
    return Object(JSON.parse(message)) as Json
  } catch {
    return {}
  }
}

/** Status and body of a refused handshake. */
export async function refusalOf(
  shop: Shop,
  options: SocketTillOptions & { readonly headers?: Record<string, string> },
) {
  const socket = new WebSocket(await addressOf(shop, options), { headers: options.headers ?? {} })
  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    NodeJS.ReadableStream & { statusCode: number; headers: Record<string, string | undefined> },
  ]
  let text = ''
  for await (const chunk of response) text += chunk
  equal(response.headers['content-type'], 'application/connect.v2+json')
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(text) as Json }
}

async function addressOf(shop: Shop, options: SocketTillOptions): Promise<string> {
  const { version = 'v1', key = 'demo-api-key', path = '/pac', query } = options
  const named = version === null ? '' : `&api-version=${version}`
  const partner = version === 'v1' ? '&software-house-id=maker&installer-id=fitter' : ''
  return `${options.secure === true ? 'wss' : 'ws'}://127.0.0.1:${await portOf(shop)}${path}?${query ?? `token=${key}${named}${partner}`}`
}

/** A message as it is published: without the ids that a till may ask for. */
function withoutIds(message: Heard): Heard {
  const without = ({ requestId, rpcId, ...rest }: Json): Json => rest
  const { params, result } = message
  return {
    ...message,
    ...(params === undefined ? {} : { params: without(params) }),
    ...(result === undefined || Array.isArray(result) ? {} : { result: without(result) }),
  }
}
