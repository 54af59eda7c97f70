// test/recorded/play.ts — plays the exchanges of a scenario against a gateway over its interfaces, and writes a transcript.
import { bodyOf } from './body.ts'
import { ABSENT } from './compare.ts'
import type { Gateway, GatewayAnswer } from './gateway.ts'
import type { Json, JsonObject } from './json.ts'

/** Headers of the transport, which differ between a socket and an injected request. */
const OF_TRANSPORT = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])
/** Headers of nearly every answer. Recorded only where missing or different. */
const USUAL: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': '<any>',
}
/** Longest text that is recorded in full, in characters. */
const LONGEST_SHOWN = 2_000

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  /** Empty when the body is not a JSON object. */
  readonly json: Readonly<Record<string, unknown>>
}

export interface Ask {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown
  /** Recorded instead of the body. */
  readonly as?: unknown
  /** Sent as a browser submits a form. */
  readonly form?: Readonly<Record<string, string>>
  /** Recorded part of the body. Default: all of it. */
  readonly show?: 'status and headers' | ((body: unknown) => unknown)
  /** Sent over a socket, for operations that make the gateway call itself. */
  readonly socket?: true
}

/** A client that sends the same headers with each request. */
export interface Caller {
  readonly who: string
  /** Headers of each request. */
  readonly headers: Readonly<Record<string, string>>
  ask(method: string, path: string, ask?: Ask): Promise<Reply>
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Reply>
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>
  put(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>
  delete(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>
}

/** A scenario in progress. */
export interface Play {
  readonly gateway: Gateway
  /** A caller that is named `who` in the recording. */
  as(who: string, headers?: Readonly<Record<string, string>>): Caller
  /** Advances the clock. */
  advance(ms: number): Promise<void>
  /** Adds another entry to the transcript. The entry may be completed later. */
  note(entry: Record<string, Json>): void
  /** The transcript so far. */
  readonly transcript: readonly JsonObject[]
}

export function basic(key: string, user = 'till'): Readonly<Record<string, string>> {
  return { authorization: `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}` }
}

/** Starts a scenario on a gateway. */
export function playOn(gateway: Gateway): Play {
  const transcript: Record<string, Json>[] = []
  const note: Play['note'] = entry => void transcript.push(entry)
  const introduced = new Set<string>()
  const introduce: CallerParts['introduce'] = (who, headers) => {
    const caller = JSON.stringify([who, headers])
    if (Object.keys(headers).length === 0 || introduced.has(caller)) return
    introduced.add(caller)
    note({ exchange: `CALLER ${who}`, headers: shownHeaders(headers) })
  }
  return {
    gateway,
    as: (who, headers = {}) => callerOf({ gateway, note, introduce, who, headers }),
    advance: gateway.advance,
    note,
    transcript,
  }
}

interface CallerParts extends Pick<Play, 'gateway' | 'note'> {
  /** Records a caller's headers once. */
  readonly introduce: (who: string, headers: Readonly<Record<string, string>>) => void
  readonly who: string
  readonly headers: Readonly<Record<string, string>>
}

function callerOf({ gateway, note, introduce, who, headers: own }: CallerParts): Caller {
  const ask: Caller['ask'] = async (method, path, { headers = {}, body, form, as, show, socket } = {}) => {
    const { payload, mediaType } = sentBody(body, form)
    const sent = { host: 'pay.example', ...mediaType, ...own, ...headers }
    introduce(who, own)
    const entry: Record<string, Json> = {
      exchange: `${method} ${shortened(path)}`,
      by: who,
      ...(Object.keys(headers).length === 0 ? {} : { headers: shownHeaders(headers) }),
      ...(payload === undefined ? {} : { sent: shownBody((as ?? form ?? body) as Json) }),
      answer: 'none',
    }
    note(entry)
    const request = { method, url: path, headers: sent, ...(payload === undefined ? {} : { payload }) }
    const answer = await (socket === true ? sendOverSocket(gateway, request) : gateway.send(request))
    entry['answer'] = recorded(answer, method, show)
    return replyOf(answer)
  }
  const withBody =
    (method: string): Caller['post'] =>
    (path, body, headers = {}) =>
      ask(method, path, { headers, ...(body === undefined ? {} : { body }) })
  return {
    who,
    headers: own,
    ask,
    get: (path, headers = {}) => ask('GET', path, { headers }),
    post: withBody('POST'),
    put: withBody('PUT'),
    delete: withBody('DELETE'),
  }
}

type Request = Parameters<Gateway['send']>[0]

async function sendOverSocket(gateway: Gateway, { method, url, headers, payload }: Request): Promise<GatewayAnswer> {
  const { host: _, ...others } = headers
  const response = await fetch(`http://127.0.0.1:${await gateway.port()}${url}`, {
    ...{ method, headers: others, redirect: 'manual' },
    ...(payload === undefined ? {} : { body: payload }),
  })
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
}

function sentBody(body: unknown, form: Ask['form']) {
  if (form !== undefined)
    return {
      payload: new URLSearchParams({ ...form }).toString(),
      mediaType: { 'content-type': 'application/x-www-form-urlencoded' },
    }
  if (body === undefined) return { payload: undefined, mediaType: {} }
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  return { payload, mediaType: { 'content-type': 'application/json' } }
}

function shortened(path: string): string {
  return path.length > LONGEST_SHOWN ? `${path.slice(0, 40)}… ${path.length} characters` : path
}

/** Replaces a long text by its length. */
function shownBody(body: Json): Json {
  return typeof body === 'string' && body.length > LONGEST_SHOWN ? `${body.length} characters` : body
}

/** Decodes Basic credentials, so that keys are readable. */
function shownHeaders(headers: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const encoded = /^Basic (.*)$/.exec(value)?.[1]
      return [name, encoded === undefined ? value : `Basic ${Buffer.from(encoded, 'base64').toString()}`]
    }),
  )
}

/** The part of an answer that clients can rely on. */
export function recorded(answer: GatewayAnswer, method: string, show: Ask['show']): JsonObject {
  const mediaType = String(answer.headers['content-type'] ?? '')
  const whole = method === 'HEAD' || show === 'status and headers' ? null : bodyOf(answer.text, mediaType)
  const body = typeof show === 'function' ? (show(whole) as Json) : whole
  const headers = comparable(answer.headers, body)
  return {
    status: answer.status,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(body === null || body === '' ? {} : { body }),
  }
}

function comparable(headers: Readonly<Record<string, unknown>>, body: Json): JsonObject {
  const requestId = String(headers['x-request-id'] ?? '')
  // A request id that the caller sent comes back. A generated one is recorded only if the body repeats it.
  const isFresh = /^[0-9a-f]{8}-/.test(requestId) && !JSON.stringify(body ?? '').includes(requestId)
  const all = { ...headers, ...(isFresh ? { 'x-request-id': '<any>' } : {}) }
  const missing = Object.keys(USUAL).filter(name => all[name as keyof typeof all] === undefined)
  const shown = Object.entries(all)
    .filter(([name, value]) => !OF_TRANSPORT.has(name) && USUAL[name] !== value)
    .map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)] as const)
  return Object.fromEntries([...shown, ...missing.map(name => [name, ABSENT] as const)].toSorted())
}

function replyOf({ status, headers, text }: GatewayAnswer): Reply {
  const json = /json/.test(String(headers['content-type'] ?? '')) && text !== '' ? JSON.parse(text) : {}
  return { status, headers: headers as Reply['headers'], text, json }
}
