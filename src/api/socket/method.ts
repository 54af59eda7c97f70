// src/api/socket/method.ts — a method of the JSON-RPC interface is one object: what it takes, what it gives, what it does.
// Methods are parts of operations, in the newest version; `versions/ladder.ts` knows what they are called in older ones.
import type { Static, TObject, TSchema } from 'typebox'
import type { MerchantAccount } from '../../domain/accounts/merchant-account.ts'
import type { Partner } from '../../domain/counter/transaction-events.ts'
import type { RefusalCode } from '../../domain/refusals.ts'
import type { ApiParts } from '../parts.ts'
import type { JsonObject } from '../read/json-body.ts'
import type { Line, MethodOutcome } from './method-outcome.ts'

/** Who asks, as a method sees it. */
export interface Caller {
  readonly api: ApiParts
  readonly account: MerchantAccount
  readonly partner: Partner
  /** The way to the till for what it has not asked; null over HTTP. */
  readonly line: Line | null
  /** Calls back once when nobody is left to be answered. Returns how to call that off. */
  whenGone(listener: () => void): () => void
  /** Cuts the connection, without a word. Only the simulator wants this. */
  cut(): void
}

export type { Line, MethodOutcome, RpcAnswer, SignatureQuestion } from './method-outcome.ts'

interface Spec<P extends TObject> {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly params: P
  /** The request may come without params. */
  readonly paramsOptional?: true
  /** Members that similar methods take and this one does not: one that says nothing counts as absent. */
  readonly passedOver?: readonly string[]
  readonly result: TSchema
  readonly example: { readonly params: JsonObject; readonly result: unknown }
  /** Beside those that every method knows. */
  readonly refusals: readonly RefusalCode[]
  /** Sends messages that nobody has asked for, so it is not served over HTTP. */
  readonly pushes?: true
  run(caller: Caller, params: Static<P>): MethodOutcome | Promise<MethodOutcome>
}

/** Any method, as the loops see it. */
export interface RpcMethod extends Spec<TObject> {}

export function rpcMethod<P extends TObject>(spec: Spec<P>): RpcMethod {
  return spec as unknown as RpcMethod
}
