// src/api/socket/method.ts — the type of a JSON-RPC method: schemas, refusals and `run` in one object.
// Methods belong to operations and use the newest version. `versions/socket-versions.ts` maps them to older ones.
import type { Static, TObject, TSchema } from 'typebox'
import type { MerchantAccount } from '../../domain/accounts/merchant-account.ts'
import type { Partner } from '../../domain/counter/transaction-events.ts'
import type { RefusalCode } from '../../domain/refusals.ts'
import type { HeldKey } from '../keys/key-holder.ts'
import type { ServingParts } from '../parts.ts'
import type { JsonObject } from '../read/json-body.ts'
import type { MethodOutcome, TillConnection } from './method-outcome.ts'

/** The caller of a method. */
export interface Caller {
  readonly api: ServingParts
  readonly account: MerchantAccount
  readonly key: HeldKey
  readonly partner: Partner
  /** Whether messages about its transactions contain their ids. See docs/websocket.md. */
  readonly wantsIds: boolean
  /** Id of the HTTP request; null on a WebSocket. */
  readonly requestId: string | null
  /** Sends pushed messages to the till; null over HTTP. */
  readonly connection: TillConnection | null
  /** Traceparent of the request that opened the WebSocket; null over HTTP, and when tracing is off. */
  readonly openedBy: string | null
  /** Calls `listener` once when the caller has disconnected. Returns a function that removes the listener. */
  whenGone(listener: () => void): () => void
  /** Closes the connection without an answer. Used by the simulator only. */
  cut(): void
}

export type { MethodOutcome, RpcAnswer, SignatureRequest, TillConnection } from './method-outcome.ts'

interface Spec<P extends TObject> {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly params: P
  /** Set when params may be absent. */
  readonly paramsOptional?: true
  /** Members of similar methods that this one does not take. They are accepted when empty, zero or false. */
  readonly passedOver?: readonly string[]
  readonly result: TSchema
  readonly example: { readonly params: JsonObject; readonly result: unknown }
  /** Refusals in addition to those of every method. */
  readonly refusals: readonly RefusalCode[]
  /** Set when the method pushes messages. It is not served over HTTP. */
  readonly pushes?: true
  /** Set when the method changes nothing: tills poll it, so its calls are counted, not listed one by one. */
  readonly reads?: true
  /** Set when it is about no terminal, and shows those of an API key that is limited to terminals. Others without a `tid` are refused. */
  readonly forTerminals?: 'filtered'
  /** @param id of the request */
  run(caller: Caller, params: Static<P>, id: number): MethodOutcome | Promise<MethodOutcome>
}

/** A method of any type, for the code that iterates over all. */
export interface RpcMethod extends Spec<TObject> {}

export function rpcMethod<P extends TObject>(spec: Spec<P>): RpcMethod {
  return spec as unknown as RpcMethod
}
