// src/api/interceptor.ts — what may stand between callers and the gateway, over HTTP and on sockets. Live mode has nothing there.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Terminal } from '../domain/accounts/terminal.ts'
import type { Refusal } from '../domain/refusals.ts'
import type { Reserve } from '../services/counter/start-transaction.ts'
import type { Answer } from './answer.ts'
import type { JsonObject, Refused } from './read/json-body.ts'
import type { Line, RpcAnswer } from './socket/method-outcome.ts'

/** An operation, as far as it matters here. */
export interface InterceptedOperation {
  readonly name: string
  readonly area: string
  readonly method: string
  readonly path: string
}

/** A request over HTTP whose caller is known. */
export interface InterceptedRequest {
  /** Null where the operation is for everybody. */
  readonly account: Account | null
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Hears the body once it is read. */
  readonly heard?: (body: JsonObject) => void
}

/** The sender of a message on a socket. */
export interface InterceptedCaller {
  readonly account: Account
  /** Cuts the connection, without a word. */
  cut(): void
}

type Account = { readonly id: string }

/** Sees requests before they are served and answers before they leave. It may refuse, delay, cut and record. */
export interface Interceptor {
  /** Serves a request to an operation over HTTP. `run` does what the request asks for. */
  request<RequestContext extends InterceptedRequest>(
    operation: InterceptedOperation,
    context: RequestContext,
    params: Readonly<Record<string, string>>,
    run: (context: RequestContext) => Promise<Answer>,
  ): Promise<Answer>
  /**
   * Serves a request that starts a transaction, over HTTP or on a socket.
   * @param terminal null: there is no such terminal
   * @param run starts it; resolves when the start is durable, or refused
   */
  start<Outcome extends object>(
    call: InterceptedStart<Outcome>,
    terminal: Terminal | null,
    run: (reserve: Reserve) => Promise<Outcome>,
  ): Promise<Outcome | Refused>
  /** Reads the headers of a request that begins or continues an online payment. */
  payment(headers: IncomingHttpHeaders): InterceptedPayment | Refused
  /** Sees a till connect. Null: it may. */
  handshake(till: { readonly account: Account; readonly area: string }, socket: Socket): Promise<Answer | null>
  /** The line to a till that hears of a transaction. */
  line(caller: InterceptedCaller, requestId: string, line: Line): Line
  /** Records a message about a transaction. Returns what to call with its answer. */
  record(caller: InterceptedCaller, requestId: string, message: InterceptedMessage): (answer: RpcAnswer) => void
  /** What was exchanged about a transaction, payment or table, oldest first; empty where nobody records. */
  exchangesOf(account: string, id: string): readonly RecordedExchange[]
}

/** How a fault reaches the caller of a request. */
export interface FaultyCall<Outcome> {
  /** Cuts the connection. `outcome`: what would have been answered; null: nothing was done. */
  cut(outcome: Outcome | null): Outcome
  /** Answers after a wait. */
  later(outcome: Outcome, wait: () => Promise<void>): Outcome | Promise<Outcome>
}

/** A request over HTTP. */
export function callOverHttp(response: ServerResponse): FaultyCall<Answer> {
  return {
    cut(lost) {
      response.destroy()
      return { taken: true, ...(lost === null ? {} : { lost }) }
    },
    later: (answer, wait) => wait().then(() => answer),
  }
}

/** A request that starts a transaction. */
export interface InterceptedStart<Outcome> extends FaultyCall<Outcome> {
  readonly account: Account
  /** Null on a socket, where nothing beside the message chooses a scenario. */
  readonly request: IncomingMessage | null
}

export interface InterceptedMessage {
  readonly what: string
  readonly params: object
  /** Set on the message that has started the transaction: when it came, epoch milliseconds. */
  readonly beganAt?: number
}

export interface InterceptedPayment {
  /** The payment with this id is about to go on. */
  begins(payment: { readonly merchantAccount: string; readonly id: string }): void
}

/** What becomes of a message that starts a transaction. `requestId`: of what was started. */
export type SocketStart =
  | { readonly refused: Refusal }
  | { readonly underWay: Promise<RpcAnswer>; readonly requestId: string }

type Participant = 'till' | 'gateway' | 'terminal' | 'acquirer'

/** Something that one party told another. */
export interface RecordedExchange {
  /** By the account's clock, epoch milliseconds. */
  readonly at: number
  readonly from: Participant
  /** Null: to nobody in particular. */
  readonly to: Participant | null
  readonly what: string
  readonly data: unknown
  /** Null: nothing has come back, or nothing has to. */
  readonly answer: unknown
  readonly answeredAt: number | null
  /** How often it was said in a row. */
  readonly times: number
  /** Set where an event of the transaction has its place: the version of the record that it made. */
  readonly version: number | null
}

export const NO_INTERCEPTOR: Interceptor = {
  request: (_operation, context, _params, run) => run(context),
  start: (_call, _terminal, run) => run(() => ({ withdraw() {} })),
  payment: () => ({ begins() {} }),
  handshake: async () => null,
  line: (_caller, _requestId, line) => line,
  record: () => () => {},
  exchangesOf: () => [],
}
