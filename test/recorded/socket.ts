// test/recorded/socket.ts — tills on WebSockets. Messages in both directions are recorded.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { Json, JsonObject } from './json.ts'
import { type Play, recorded } from './play.ts'
import { withoutReceipts } from './receipts.ts'

/** Milliseconds per step of waiting for a message. */
const STEP_MS = 500
/** Steps after which waiting fails: ten minutes. */
const MOST_STEPS = 1_200

export interface Message extends JsonObject {
  readonly id: number
  readonly method: string
  readonly params: JsonObject
  readonly result: Json
  readonly error: JsonObject
}

export interface Line {
  /** Sends a message, or text unchanged. */
  say(message: unknown): Promise<void>
  /** Sends a request, and advances time until its answer. */
  ask(method: string, params?: object, id?: number): Promise<Message>
  /** Sends a request without advancing time. */
  begin(method: string, params?: object): Promise<number>
  /** Advances time until a message matches `is`. Messages already waited for do not count. */
  until(is: (message: Message) => boolean): Promise<Message>
  /** Records the messages received. */
  settle(): Promise<void>
  /** Answers requests of the gateway from now on; null for no answer. */
  answering(answers: (method: string, params: JsonObject) => object | null): void
  /** Advances time, at most this long, until the other side has closed. */
  closed(withinMs?: number): Promise<void>
  close(): Promise<void>
}

/** Connects a till that is named `who` in the recording; null when the handshake is refused. */
export async function connect(
  play: Play,
  who: string,
  address: string,
  headers: Readonly<Record<string, string>> = {},
  { autoPong = true, receipts = true }: { readonly autoPong?: boolean; readonly receipts?: boolean } = {},
): Promise<Line | null> {
  const entry: Record<string, Json> = { exchange: `CONNECT ${address}`, by: who, ...sentHeaders(headers) }
  play.note(entry)
  const socket = new WebSocket(`ws://127.0.0.1:${await play.gateway.port()}${address}`, {
    headers: { host: 'pay.example', ...headers },
    autoPong,
  })
  onTestFinished(() => socket.terminate())
  const line = lineOn(play, who, socket, receipts ? message => message : withoutReceipts)
  const refused = once(socket, 'unexpected-response') as Promise<[unknown, IncomingMessage]>
  const cut = once(socket, 'error').catch(() => [])
  const first = await Promise.race([
    once(socket, 'upgrade') as Promise<[IncomingMessage]>,
    refused,
    once(socket, 'close').then(() => null),
  ]).catch(() => null)
  void cut
  if (first === null) {
    entry['answer'] = 'cut'
    return null
  }
  const response = first.at(-1) as IncomingMessage
  let text = ''
  if (response.statusCode !== 101) for await (const chunk of response) text += chunk
  const { 'sec-websocket-accept': _, ...answered } = response.headers
  entry['answer'] = recorded({ status: response.statusCode ?? 0, headers: answered, text }, 'GET', undefined)
  if (response.statusCode !== 101) return null
  await line.settle()
  return line
}

function sentHeaders(headers: Readonly<Record<string, string>>): Record<string, Json> {
  return Object.keys(headers).length === 0 ? {} : { headers: { ...headers } }
}

function lineOn(play: Play, who: string, socket: WebSocket, show: (message: unknown) => unknown): Line {
  const { gateway } = play
  const heard: Message[] = []
  let answers: Parameters<Line['answering']>[0] | null = null
  let noted = 0
  let waitedFor = 0
  let answered = 0
  let lastId = 0
  let end: { readonly code: number; readonly reason: string } | null = null
  socket.on('message', data => void heard.push(JSON.parse(data.toString()) as Message))
  socket.on('error', () => {})
  socket.on('close', (code, reason) => {
    end = { code, reason: reason.toString() }
  })
  const gone = new Promise<void>(resolve => socket.once('close', () => resolve()))

  const isOpen = () => socket.readyState === socket.OPEN

  async function exchangeAll(): Promise<void> {
    // A pong follows everything that was sent before it.
    for (let round = 0; round < 2 && isOpen(); round += 1) {
      const pong = Promise.race([once(socket, 'pong'), gone])
      socket.ping()
      await pong
      await gateway.settle()
    }
  }

  async function settle(): Promise<void> {
    for (;;) {
      await exchangeAll()
      for (const message of heard.slice(noted)) play.note({ exchange: `TO ${who}`, message: show(message) as Json })
      noted = heard.length
      const asked = heard.slice(answered).filter(({ id, method }) => id !== undefined && method !== undefined)
      answered = heard.length
      if (answers === null || asked.length === 0) return
      for (const { id, method, params } of asked) {
        const answer = answers(method, params)
        if (answer !== null) say({ jsonrpc: '2.0', id, ...answer })
      }
    }
  }

  function say(message: unknown): void {
    const isText = typeof message === 'string' || message instanceof Uint8Array
    const text = JSON.stringify(message)
    play.note({
      exchange: `FROM ${who}`,
      message: text.length > 1_000 ? `${text.length} characters` : (message as Json),
    })
    socket.send(isText ? message : text)
  }

  async function until(is: (message: Message) => boolean): Promise<Message> {
    await settle()
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const at = heard.findIndex((message, index) => index >= waitedFor && is(message))
      const found = heard[at]
      if (found !== undefined) {
        waitedFor = at + 1
        return found
      }
      await gateway.advance(STEP_MS)
      await settle()
    }
    throw new Error(`it did not come: ${JSON.stringify(heard.slice(-3))}`)
  }

  const request = (method: string, params?: object, id = ++lastId) => {
    say({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) })
    return id
  }
  const noteEnd = () => play.note({ exchange: `CLOSED ${who}`, ...(end ?? {}) })

  return {
    async say(message) {
      say(message)
      await settle()
    },
    async ask(method, params, id) {
      const used = request(method, params, id)
      return until(message => message.id === used && message.method === undefined)
    },
    async begin(method, params) {
      const used = request(method, params)
      await settle()
      return used
    },
    until,
    settle,
    answering(given) {
      answers = given
    },
    async closed(withinMs = 120_000) {
      await settle()
      for (let passed = 0; end === null && passed < withinMs; passed += STEP_MS) {
        await gateway.advance(STEP_MS)
        await settle()
      }
      await settle()
      if (end === null) throw new Error('nobody has closed the connection')
      noteEnd()
    },
    async close() {
      socket.close()
      await gone
      await gateway.settle()
      play.note({ exchange: `HANGS UP ${who}` })
    },
  }
}
