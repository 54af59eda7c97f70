// src/api/operation.ts — the type of an operation: address, schemas, refusals and `run` in one object.
// `http/server.ts` and `describe/openapi.ts` iterate over a list of them. ADR 3.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Static, TObject, TSchema } from 'typebox'
import type { MerchantAccount } from '../domain/accounts/merchant-account.ts'
import type { Partner } from '../domain/counter/transaction-events.ts'
import type { Right } from '../domain/people/roles.ts'
import type { RefusalCode } from '../domain/refusals.ts'
import type { Search } from '../engine/search.ts'
import type { Answer } from './answer.ts'
import type { Area } from './area.ts'
import type { EventStreams } from './http/event-streams.ts'
import type { Representations } from './http/representation.ts'
import type { Waiting } from './http/waiting.ts'
import type { HeldKey } from './keys/key-holder.ts'
import type { HttpLimits } from './limits.ts'
import type { ServingParts } from './parts.ts'
import type { Person } from './people/person.ts'
import type { TokenBucket } from './rate-limiter.ts'
import type { JsonObject, Refused } from './read/json-body.ts'
import type { RpcMethod } from './socket/method.ts'
import type { RpcService } from './socket/service.ts'
import type { ApiVersion } from './versions/select.ts'

export type { Area } from './area.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Dependencies of operations: the parts of the gateway, and the state of the API. */
export interface ApiContext extends ServingParts {
  readonly limits: HttpLimits
  readonly waiting: Waiting
  readonly streams: EventStreams
  readonly representations: Representations
  readonly search: Search
  readonly rpc: RpcService
  /** Limits the opening of test accounts. */
  readonly testAccounts: TokenBucket
  /** Whether somebody may try to sign in by this name now. */
  readonly maySignIn: (name: string) => boolean
  /** Returns the serialised OpenAPI document. */
  openApiDocument(): Uint8Array
}

/** The context of one request. */
export interface RequestContext {
  readonly api: ApiContext
  /** Identifies the request in its answer and in the log. */
  readonly requestId: string
  /** Base of all addresses in the answer, without a slash at the end. */
  readonly base: string
  readonly apiVersion: ApiVersion
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Called with the body when it is read, as it may be recorded. */
  readonly onBody?: (body: JsonObject) => void
}

export interface AccountRequestContext extends RequestContext {
  readonly account: MerchantAccount
  readonly partner: Partner
  /** Who calls, if that is a user who is signed in; null for an API key or a JWT. */
  readonly person: Person | null
  /** The API key of the caller, or the one that its JWT names; null for a user who is signed in. */
  readonly key: HeldKey | null
}

export interface Input<Path extends string, Query, Body> {
  readonly params: Readonly<Record<ParamsOf<Path>, string>>
  readonly query: Query
  /** Reads the body as a JSON object in the newest version. Called once, after all earlier checks. */
  json(): Promise<{ readonly value: JsonObject } | Refused>
  /** Reads the body by the schema of the operation. */
  body(): Promise<{ readonly value: Body } | Refused>
  /** Reads the body as a form. */
  form(): { readonly value: URLSearchParams } | Refused
  /** Reads the body as text, without parsing JSON. Null when the bytes are not valid text. */
  text(): { readonly text: string | null } | Refused
}

export type { Answer, Headers } from './answer.ts'

export interface ResponseSpec {
  readonly description: string
  readonly schema?: TSchema
  /** Set when it is not the area's own. */
  readonly mediaType?: string
  readonly example?: unknown
  readonly headers?: readonly string[]
}

interface Spec<Path extends string, Q extends TObject, B extends TSchema, V extends RequestContext> {
  /** Unique. `operationId` in the OpenAPI document, and a label in the metrics. */
  readonly name: string
  readonly summary: string
  readonly description?: string
  readonly tag: string
  readonly area: Area
  readonly method: Method
  readonly path: Path
  readonly query?: Q
  /** Query parameters that only a version upgrade sets. They are ignored from callers. ADR 15. */
  readonly inner?: readonly string[]
  /** `optional`: an empty body is read as an empty object. */
  readonly body?: {
    readonly schema: B
    readonly examples: Readonly<Record<string, unknown>>
    readonly optional?: true
    /** Set for a form as browsers send it. Default JSON. */
    readonly mediaType?: 'application/x-www-form-urlencoded'
  }
  /** Optional request headers that the operation reads. */
  readonly headers?: readonly string[]
  readonly responses: Readonly<Record<number, ResponseSpec>>
  /** Refusals in addition to those of authentication, version and body. */
  readonly refusals?: readonly RefusalCode[]
  /**
   * What a signed-in user needs to call it, in the management API and the sandbox, and the user of an API key. Default for GET: `read`; for other
   * methods where tills and web shops call: `operate`.
   */
  readonly right?: Right
  /**
   * Set when it is about no terminal in its path, and open to API keys that are limited to terminals. `filtered`: it shows theirs only. `whole`:
   * nothing in it is about a terminal, or its messages are checked by themselves. Default: refused for those keys. ADR 79.
   */
  readonly forTerminals?: 'filtered' | 'whole'
  /** Only for users who are signed in, not for API keys. */
  readonly peopleOnly?: true
  /** Whether the bearer of a link to a terminal may call it, for the `{tid}` of the link. Sandbox only. ADR 80. */
  readonly byLink?: true
  /** JSON-RPC methods that do the same. */
  readonly rpc?: readonly RpcMethod[]
  /**
   * Finds the account of a request without authentication, by its access token or challenge. Null when there is none. Only
   * the simulator asks: faults are armed for an account.
   */
  accountOf?(
    context: V,
    input: Pick<Input<Path, Static<Q>, Static<B>>, 'params' | 'query' | 'form'>,
  ): Promise<string | null>
  run(context: V, input: Input<Path, Static<Q>, Static<B>>): Answer | Promise<Answer>
}

/** An operation of any type, for the code that iterates over all. */
export interface Operation extends Spec<string, TObject, TSchema, AccountRequestContext> {
  readonly auth: 'basic' | 'jwt' | 'none'
}

/** Defines an operation for callers with an API key. */
export function accountOperation<const Path extends string, Q extends TObject, B extends TSchema>(
  spec: Spec<Path, Q, B, AccountRequestContext>,
): Operation {
  return { ...spec, auth: 'basic' } as unknown as Operation
}

/** Defines an operation for servers of web shops, authenticated by JWT. */
export function shopOperation<const Path extends string, Q extends TObject, B extends TSchema>(
  spec: Spec<Path, Q, B, AccountRequestContext>,
): Operation {
  return { ...spec, auth: 'jwt' } as unknown as Operation
}

/** Defines an operation without authentication. */
export function openOperation<const Path extends string, Q extends TObject, B extends TSchema>(
  spec: Spec<Path, Q, B, RequestContext>,
): Operation {
  return { ...spec, auth: 'none' } as unknown as Operation
}

/** Names of the path parameters: `tid` for `/pac/terminals/{tid}`. */
export type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsOf<Rest>
  : never
