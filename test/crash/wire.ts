// test/crash/wire.ts — a WebSocket to the gateway, which breaks at each kill.
import { WebSocket } from 'ws'
import { deferred } from './deferred.ts'
import type { Moments } from './moments.ts'
import { type MortalGateway, PATIENCE_MS } from './mortal-gateway.ts'

export type Json = Readonly<Record<string, unknown>>

export interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Json
  readonly result?: Json
  readonly error?: { readonly code: number; readonly message: string }
}

export interface Wire {
  /** Sends a message; does nothing on a broken connection. */
  say(message: object): void
  /** Sends a request and resolves to its answer; null when the connection breaks first. */
  ask(method: string, params: Json): Promise<Message | null>
  readonly broken: boolean
  /** Resolves when the connection is broken or closed. */
  readonly ended: Promise<void>
  close(): void
}

export interface WireParts {
  readonly gateway: MortalGateway
  readonly moments: Moments
  readonly key: string
}

/**
 * Connects once a gateway listens. Null when it was killed before the connection was open.
 * @param hear called with each message that is not an answer
 */
export async function connect(
  { gateway, moments, key }: WireParts,
  path: string,
  hear: (message: Message, wire: Wire) => void,
): Promise<Wire | null> {
  const life = await gateway.up()
  const address = new URL(path, life.url.replace('http', 'ws'))
  address.searchParams.set('token', key)
  const socket = new WebSocket(address, { handshakeTimeout: PATIENCE_MS.answer })
  const open = deferred<boolean>()
  const end = deferred<void>()
  const asked = new Map<number, (answer: Message | null) => void>()
  let lastId = 0
  const wire: Wire = {
    say: message => void (socket.readyState === socket.OPEN && socket.send(JSON.stringify(message))),
    async ask(method, params) {
      if (socket.readyState !== socket.OPEN) return null
      lastId += 1
      const answer = deferred<Message | null>()
      asked.set(lastId, answer.resolve)
      wire.say({ jsonrpc: '2.0', id: lastId, method, params })
      return gateway.patiently(`an answer to ${method} ${JSON.stringify(params)}`, PATIENCE_MS.payment, answer.promise)
    },
    get broken() {
      return socket.readyState !== socket.OPEN
    },
    ended: end.promise,
    close: () => socket.close(),
  }
  socket.on('open', () => open.resolve(true))
  socket.on('message', data => {
    moments.happened('answer')
    const message = JSON.parse(data.toString()) as Message
    const answered = message.method === undefined && message.id !== undefined ? asked.get(message.id) : undefined
    if (answered === undefined) hear(message, wire)
    else answered(message)
  })
  // The close event that follows is handled.
  socket.on('error', () => {})
  socket.on('close', () => {
    open.resolve(false)
    end.resolve()
    for (const answer of asked.values()) answer(null)
  })
  if (await open.promise) return wire
  if (!life.doomed) throw new Error(`${path} does not open at a gateway that lives\n${await gateway.state()}`)
  return null
}
