// src/api/interceptor.ts — the hook of the simulator around HTTP requests and WebSocket messages.
// In live mode it does nothing.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { MerchantAccount } from '../domain/accounts/merchant-account.ts'
import type { Terminal } from '../domain/accounts/terminal.ts'
import type { Refusal } from '../domain/refusals.ts'
import type { Reserve } from '../services/counter/start-transaction.ts'
import type { Answer } from './answer.ts'
import type { JsonObject, Refused } from './read/json-body.ts'
import type { RpcAnswer, TillConnection } from './socket/method-outcome.ts'

/** The part of an operation that an interceptor sees. */
export interface InterceptedOperation {
  readonly name: string
  readonly area: string
  readonly auth: 'basic' | 'jwt' | 'none'
  readonly method: string
  readonly path: string
  /** Undefined when a request of the operation has no account. */
  readonly accountOf?: unknown
  readonly byLink?: true
}

/** An admitted HTTP request. */
export interface InterceptedRequest {
  /** Null when the operation needs no authentication. */
  readonly account: Account | null
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Called with the body when it is read, as it may be recorded. */
  readonly onBody?: (body: JsonObject) => void
}

/** What a request is about. */
export interface InterceptedParams {
  readonly params: Readonly<Record<string, string>>
  /** Finds the account of the request: its caller, or the one of its access token. Null when it names none. */
  accountOf(): Promise<string | null>
  /** The body, empty without one, or when it is too large. */
  readonly bytes: Uint8Array
}

/** Serves a request as if it had come over a socket. Rejects when its response is destroyed. */
export type InjectRequest = (request: {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly payload: Buffer
}) => Promise<{
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly rawPayload: Buffer
}>

/** The sender of a message on a socket. */
export interface InterceptedCaller {
  readonly account: Account
  /** Closes the connection without an answer. */
  cut(): void
}

type Account = { readonly id: string }

/** Wraps requests and their answers. It may refuse, delay or record them, cut the connection, or have another node serve them. */
export interface Interceptor {
  /** Gets how to serve what another node passes on. Called once, before the first request. */
  serveBy?(inject: InjectRequest): void
  /** Whether another node has passed this request on. */
  isPassedOn?(request: IncomingMessage): boolean
  /** Identifies the account of a caller with a link to one terminal. Null when the request has no link. */
  callerByLink?(
    operation: InterceptedOperation,
    request: Pick<IncomingMessage, 'headers'>,
    params: InterceptedParams['params'],
  ): Promise<MerchantAccount | Refused | null>
  /** Serves an HTTP request. `run` runs the operation. */
  request<RequestContext extends InterceptedRequest>(
    operation: InterceptedOperation,
    context: RequestContext,
    about: InterceptedParams,
    run: (context: RequestContext) => Promise<Answer>,
  ): Promise<Answer>
  /**
   * Serves a request that starts a transaction, over HTTP or WebSocket.
   * @param terminal null when the terminal does not exist
   * @param run starts the transaction; resolves when the start is committed or refused
   */
  start<Outcome extends object>(
    call: InterceptedStart<Outcome>,
    terminal: Terminal | null,
    run: (reserve: Reserve) => Promise<Outcome>,
  ): Promise<Outcome | Refused>
  /** Intercepts a request that begins or continues an online payment. */
  payment(request: IncomingMessage): InterceptedPayment | Refused
  /** Intercepts the WebSocket handshake of a till. Null lets it connect. */
  handshake(till: { readonly account: Account; readonly area: string }, socket: Socket): Promise<Answer | null>
  /** Wraps the connection to a till that receives the messages of a transaction. */
  connection(caller: InterceptedCaller, requestId: string, connection: TillConnection): TillConnection
  /** Records a message about a transaction. Returns a function to call with its answer. */
  record(caller: InterceptedCaller, requestId: string, message: InterceptedMessage): (answer: RpcAnswer) => void
  /** Recorded exchanges of a transaction, payment or table, oldest first. Empty without a recorder. */
  exchangesOf(account: string, id: string): readonly RecordedExchange[]
}

/** Applies a connection fault to the caller of a request. */
export interface FaultyCall<Outcome> {
  /** Cuts the connection. `outcome` is the lost answer; null when the request was not served. */
  cut(outcome: Outcome | null): Outcome
  /** Answers after a wait. */
  later(outcome: Outcome, wait: () => Promise<void>): Outcome | Promise<Outcome>
}

/** Applies connection faults to an HTTP response. */
export function callOverHttp(response: ServerResponse): FaultyCall<Answer> {
  return {
    cut(lost) {
      response.destroy()
      return { taken: true, ...(lost === null ? {} : { lost }) }
    },
    later: (answer, wait) => wait().then(() => answer),
  }
}

export interface InterceptedStart<Outcome> extends FaultyCall<Outcome> {
  readonly account: Account
  /** Null on a WebSocket, where no header can choose a scenario. */
  readonly request: IncomingMessage | null
}

export interface InterceptedMessage {
  readonly what: string
  readonly params: object
  /** Time of arrival of the message that started the transaction, in epoch milliseconds; only set on that message. */
  readonly beganAt?: number
}

export interface InterceptedPayment {
  /** Called before the payment starts or continues. */
  begins(payment: { readonly merchantAccount: string; readonly id: string }): void
}

/** Outcome of a message that starts a transaction. `requestId` identifies the started transaction. */
export type SocketStart =
  | { readonly refused: Refusal }
  | { readonly underWay: Promise<RpcAnswer>; readonly requestId: string }

type Participant = 'till' | 'gateway' | 'terminal' | 'acquirer'

/** A recorded exchange between two participants. */
export interface RecordedExchange {
  /** Time by the account's clock, in epoch milliseconds. */
  readonly at: number
  readonly from: Participant
  /** Null when the message has no addressee. */
  readonly to: Participant | null
  readonly what: string
  readonly data: unknown
  /** Null when there was no answer, or none is expected. */
  readonly answer: unknown
  readonly answeredAt: number | null
  /** Number of identical exchanges in a row. */
  readonly times: number
  /** For an event of the record: the version that it produced. Otherwise null. */
  readonly version: number | null
}

export const NO_INTERCEPTOR: Interceptor = {
  request: (_operation, context, _about, run) => run(context),
  start: (_call, _terminal, run) => run(() => ({ withdraw() {} })),
  payment: () => ({ begins() {} }),
  handshake: async () => null,
  connection: (_caller, _requestId, connection) => connection,
  record: () => () => {},
  exchangesOf: () => [],
}
