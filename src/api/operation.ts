// src/api/operation.ts — an operation is one object: how it is called, what it needs, what it answers, and what it does.
// `http.ts` and `openapi.ts` are loops over a list of them.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Static, TObject, TSchema } from 'typebox'
import type { MerchantAccount } from '../domain/accounts/merchant-account.ts'
import type { Partner } from '../domain/counter/transaction-events.ts'
import type { RefusalCode } from '../domain/refusals.ts'
import type { Answer } from './answer.ts'
import type { EventStreams } from './http/event-streams.ts'
import type { Representations } from './http/representation.ts'
import type { Waiting } from './http/waiting.ts'
import type { HttpLimits } from './limits.ts'
import type { ApiParts } from './parts.ts'
import type { TokenBucket } from './rate-limiter.ts'
import type { JsonObject, Refused } from './read/json-body.ts'
import type { RpcMethod } from './socket/method.ts'
import type { RpcService } from './socket/service.ts'
import type { ApiVersion } from './versions/select.ts'

/**
 * `connect`: the published interface, its version by the Accept header. `shop`: what a web shop's server calls, errors in
 * one line of text. `browser`: what the payer's browser calls, errors as `{statusCode, message}`. `own`: Tollgate's,
 * problem+json. `sandbox`: the same, in sandbox mode only. `system`: for those who run it and for people with a browser.
 */
export type Area = 'connect' | 'shop' | 'browser' | 'own' | 'sandbox' | 'system'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What operations work with: the gateway's parts, and what the API keeps between requests. */
export interface ApiContext extends ApiParts {
  readonly limits: HttpLimits
  readonly waiting: Waiting
  readonly streams: EventStreams
  readonly representations: Representations
  readonly rpc: RpcService
  /** Test accounts that may still be opened. */
  readonly testAccounts: TokenBucket
  /** The interface description, serialised. */
  openApiDocument(): Uint8Array
}

/** One request, from the operation's point of view. */
export interface RequestContext {
  readonly api: ApiContext
  /** Names this request in the answer and in the log. */
  readonly requestId: string
  /** Base of every address in the answer, without a slash at the end. */
  readonly base: string
  readonly apiVersion: ApiVersion
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Hears the body once it is read, where somebody listens. */
  readonly heard?: (body: JsonObject) => void
}

export interface AccountRequestContext extends RequestContext {
  readonly account: MerchantAccount
  readonly partner: Partner
}

export interface Input<Path extends string, Query, Body> {
  readonly params: Readonly<Record<ParamsOf<Path>, string>>
  readonly query: Query
  /** Reads the body as a JSON object in the newest version. Called once, when everything before it was found right. */
  json(): Promise<{ readonly value: JsonObject } | Refused>
  /** Reads the body as the schema says. */
  body(): Promise<{ readonly value: Body } | Refused>
  /** Reads the body as a form. */
  form(): { readonly value: URLSearchParams } | Refused
  /** Reads the text of a body that is said to be JSON, whatever it really is; null when the bytes are no text. */
  text(): { readonly text: string | null } | Refused
}

export type { Answer, Headers } from './answer.ts'

export interface ResponseSpec {
  readonly description: string
  readonly schema?: TSchema
  /** When it is not the area's own. */
  readonly mediaType?: string
  readonly example?: unknown
  readonly headers?: readonly string[]
}

interface Spec<Path extends string, Q extends TObject, B extends TSchema, V extends RequestContext> {
  /** Unique; `operationId` in the description, and the label in the figures. */
  readonly name: string
  readonly summary: string
  readonly description?: string
  readonly tag: string
  readonly area: Area
  readonly method: Method
  readonly path: Path
  readonly query?: Q
  /** Parameters of the query that only a step between versions sets; from a caller they are passed over. ADR 15. */
  readonly inner?: readonly string[]
  /** `optional`: an empty body means one without fields. */
  readonly body?: {
    readonly schema: B
    readonly examples: Readonly<Record<string, unknown>>
    readonly optional?: true
    /** When it is not JSON: a form, as browsers send it. */
    readonly mediaType?: 'application/x-www-form-urlencoded'
  }
  /** Optional request headers that mean something here. */
  readonly headers?: readonly string[]
  readonly responses: Readonly<Record<number, ResponseSpec>>
  /** Beside those that authentication, version and body bring with them. */
  readonly refusals?: readonly RefusalCode[]
  /** What the same is called over JSON-RPC. */
  readonly rpc?: readonly RpcMethod[]
  run(context: V, input: Input<Path, Static<Q>, Static<B>>): Answer | Promise<Answer>
}

/** Any operation, as the loops see it. */
export interface Operation extends Spec<string, TObject, TSchema, AccountRequestContext> {
  readonly auth: 'basic' | 'jwt' | 'none'
}

/** An operation for callers with an API key. */
export function accountOperation<const Path extends string, Q extends TObject, B extends TSchema>(
  spec: Spec<Path, Q, B, AccountRequestContext>,
): Operation {
  return { ...spec, auth: 'basic' } as unknown as Operation
}

/** An operation for servers of web shops, by their JWT. */
export function shopOperation<const Path extends string, Q extends TObject, B extends TSchema>(
  spec: Spec<Path, Q, B, AccountRequestContext>,
): Operation {
  return { ...spec, auth: 'jwt' } as unknown as Operation
}

/** An operation for everybody. */
export function openOperation<const Path extends string, Q extends TObject, B extends TSchema>(
  spec: Spec<Path, Q, B, RequestContext>,
): Operation {
  return { ...spec, auth: 'none' } as unknown as Operation
}

/** The names in braces: `/pac/terminals/{tid}` gives `tid`. */
export type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsOf<Rest>
  : never
