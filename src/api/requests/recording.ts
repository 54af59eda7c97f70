// src/api/requests/recording.ts — what both transports report of a request when it was answered. ADR 54.
import type { TObject, TSchema } from 'typebox'
import type { Refusal } from '../../domain/refusals.ts'
import type { JsonObject } from '../read/json-body.ts'
import type { LatestRequests, RequestFilter, RequestPage } from './latest-requests.ts'

export interface RequestRecorder extends Pick<LatestRequests, 'close'> {
  /** Lists requests of an account that the nodes of the gateway have served. */
  list(account: string, filter: RequestFilter): Promise<RequestPage>
  /** Whether requests are recorded. When not, refused ones are logged all the same. */
  readonly isOn: boolean
  /** Records an HTTP request. `status` null: no answer was sent. */
  http(request: HttpRequest, status: number | null): void
  /** Records a JSON-RPC request when the returned function is first called. Later calls replace the outcome. */
  rpc(request: RpcRequest): (outcome: RpcOutcome) => void
  /** Logs a refused request that has no operation. */
  refused(request: RefusedRequest): void
}

export interface HttpRequest {
  /** The operation. `path` is empty when there is none at the address. */
  readonly about: { readonly name: string; readonly area: string; readonly method: string; readonly path: string }
  readonly requestId: string
  readonly request: { readonly url?: string | undefined; readonly socket: object }
  readonly params: Readonly<Record<string, string>>
  readonly startedAt: number
  readonly chosen: { readonly apiVersion: { readonly version: string } }
  /** Id of the account, once the caller is identified. */
  readonly account: string | null
  /** Why the request was refused; null when it was not. */
  readonly refused: Refusal | null
  /** Finds the account of a request without authentication, where it has one. */
  readonly accountOf: (() => Promise<string | null>) | null
  /** The query as it was read. */
  readonly query: { readonly schema: TObject; readonly value: JsonObject } | null
  /** The body as it may be recorded. */
  readonly body: JsonObject | null
}

export interface RpcRequest {
  readonly account: string
  /** Null on a WebSocket. */
  readonly requestId: string | null
  /** An object of its own for each open WebSocket; null over HTTP. */
  readonly connection: object | null
  /** Null: it could not be read. */
  readonly rpcId: number | null
  readonly apiVersion: string | null
  readonly startedAt: number
  /** Null: it is unknown, or the message could not be read. */
  readonly method: { readonly name: string; readonly params: TSchema; readonly reads: boolean } | null
  readonly params: unknown
}

/** `status`: code of the JSON-RPC error, or 200. Null while the request is under way. */
export interface RpcOutcome {
  readonly status: number | null
  readonly refused: Refusal | null
}

export interface RefusedRequest {
  readonly route: string
  readonly refused: Pick<Refusal, 'code' | 'field' | 'detail'>
  readonly account: string | null
  /** Id of the request; on a WebSocket the JSON-RPC id. */
  readonly id: { readonly request: string } | { readonly rpcId: number | null }
}
