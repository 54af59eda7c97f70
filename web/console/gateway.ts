// web/console/gateway.ts — the gateway as the console calls it: with the key of an account, and with nothing that others do not have.

/** Who calls: anybody, with the public key of the shared test account, or a user who is signed in. */
export type Credentials =
  | { readonly account: string; readonly key: string }
  /** The browser adds the cookie of the session. `rights`: what the role of the user allows. */
  | { readonly account: string; readonly pageToken: string; readonly rights: readonly string[] }

/** Whether the caller may do what a right allows. With a key: everything but what is for users. */
export function mayDo(credentials: Credentials, right: 'operate' | 'configure' | 'own'): boolean {
  return 'key' in credentials || credentials.rights.includes(right)
}

/** A request and its answer, for people to see and to repeat. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly body: unknown
  /** 0 when there was no answer. */
  readonly status: number
  readonly answer: unknown
}

/** What a request came to. `sentence`: what to tell people when it was refused. */
export type Answered<Body> =
  | { readonly ok: true; readonly body: Body; readonly etag: string; readonly exchange: Exchange }
  | { readonly ok: false; readonly status: number; readonly sentence: string; readonly exchange: Exchange }

/** Calls the gateway under one identity. */
export interface Caller {
  get<Body>(path: string, options?: CallOptions): Promise<Answered<Body>>
  send<Body>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    options?: CallOptions,
  ): Promise<Answered<Body>>
}

export interface Gateway extends Caller {
  readonly credentials: Credentials
  /** Whether it may call as a till does: with a key. */
  readonly hasTill: boolean
  /** Whether there is a simulator, with a clock, test cards and a demo shop. */
  readonly isSandbox: boolean
  /** Follows the events after a cursor until the signal. Calls `onEvent` with each, once, in order. */
  follow(after: number, onEvent: (event: AccountEvent) => void, options: FollowOptions): Promise<void>
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export interface FollowOptions {
  readonly signal: AbortSignal
  /** Called when the stream is there, and when it is lost. */
  readonly onState: (isOpen: boolean) => void
}

/** An event of the account, as `/api/events` has it. */
export interface AccountEvent {
  readonly cursor: number
  readonly kind: string
  readonly id: string
  readonly type: string
}

/** Wait after a lost stream, in milliseconds. */
const AGAIN_MS = 1_000
const NO_ANSWER = 'The gateway does not answer. Is it running?'

export interface GatewayOptions {
  readonly isSandbox: boolean
  /** Called when the session of the user is over. */
  readonly onSignedOut: () => void
}

/**
 * @param identity headers that say who calls
 * @param onUnauthorised called with the code of a refusal of the caller
 */
export function createCaller(
  identity: Readonly<Record<string, string>>,
  onUnauthorised: (code: unknown) => void,
): Caller {
  async function call<Body>(
    method: string,
    path: string,
    body: unknown,
    { headers = {}, signal }: CallOptions = {},
  ): Promise<Answered<Body>> {
    try {
      const response = await fetch(path, {
        method,
        headers: { ...identity, ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
        cache: 'no-store',
      })
      const answer = jsonIn(await response.text())
      const exchange = { method, path, body, status: response.status, answer }
      if (response.status === 401) onUnauthorised(codeIn(answer))
      if (response.ok) return { ok: true, body: answer as Body, etag: response.headers.get('etag') ?? '', exchange }
      return { ok: false, status: response.status, sentence: sentenceIn(answer, response.status), exchange }
    } catch (error) {
      if (signal?.aborted) throw error
      return { ok: false, status: 0, sentence: NO_ANSWER, exchange: { method, path, body, status: 0, answer: null } }
    }
  }

  return {
    get: (path, options) => call('GET', path, undefined, options),
    send: (method, path, body, options) => call(method, path, body, options),
  }
}

export function createGateway(credentials: Credentials, { isSandbox, onSignedOut }: GatewayOptions): Gateway {
  const identity: Readonly<Record<string, string>> =
    'key' in credentials
      ? { authorization: `Basic ${btoa(`${credentials.account}:${credentials.key}`)}` }
      : { 'tollgate-page-token': credentials.pageToken }
  const noteEnd = (code: unknown) => {
    if (code === 'signed_out') onSignedOut()
  }

  return {
    ...createCaller(identity, noteEnd),
    credentials,
    hasTill: 'key' in credentials,
    isSandbox,
    async follow(after, onEvent, { signal, onState }) {
      let last = after
      while (!signal.aborted) {
        try {
          const headers = { ...identity, accept: 'text/event-stream' }
          const response = await fetch(`/api/events?after=${last}`, { headers, signal, cache: 'no-store' })
          if (response.status === 401) onSignedOut()
          if (response.ok && response.body !== null) {
            onState(true)
            for await (const event of eventsIn(response.body)) {
              last = event.cursor
              onEvent(event)
            }
          }
        } catch {
          // Lost, or ended by the signal.
        }
        if (signal.aborted) return
        onState(false)
        await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
      }
    },
  }
}

/** The events in a stream of server-sent events. Ends with the stream. */
export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<AccountEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += decoder.decode(value, { stream: true })
    const frames = text.split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      const data = frame.split('\n').find(line => line.startsWith('data: '))
      if (data !== undefined) yield JSON.parse(data.slice('data: '.length)) as AccountEvent
    }
  }
}

/** A gateway whose till calls with a key of its own, and all else as before. */
export function withTill(gateway: Gateway, key: string, onRefused: () => void): Gateway {
  const { isSandbox, credentials } = gateway
  const till = createGateway({ account: credentials.account, key }, { isSandbox, onSignedOut: () => {} })
  const watched = async <Body>(answering: Promise<Answered<Body>>) => {
    const answered = await answering
    if (!answered.ok && answered.status === 401) onRefused()
    return answered
  }
  return {
    ...gateway,
    hasTill: true,
    get: (path, options) => (isOfTill(path) ? watched(till.get(path, options)) : gateway.get(path, options)),
    send: (method, path, body, options) =>
      isOfTill(path) ? watched(till.send(method, path, body, options)) : gateway.send(method, path, body, options),
  }
}

function isOfTill(path: string): boolean {
  return /^\/pa[ct]\//.test(path)
}

/** The code of a refusal. */
export function codeIn(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'code' in answer ? answer.code : undefined
}

function jsonIn(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return text
  }
}

/** What an answer says to people. The areas of the gateway have refusals of different forms. */
export function sentenceIn(answer: unknown, status: number): string {
  const fields = (typeof answer === 'object' && answer !== null ? answer : {}) as Readonly<Record<string, unknown>>
  const said = [fields['detail'], fields['userMessage'], fields['message'], fields['developerMessage'], fields['title']]
  const [sentence] = said.filter(each => typeof each === 'string' && each !== '')
  return typeof sentence === 'string' ? sentence : `The gateway has answered ${status}.`
}
