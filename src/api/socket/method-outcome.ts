// src/api/socket/method-outcome.ts — outcomes of JSON-RPC methods, and the connection for pushed messages.
import type { Refusal } from '../../domain/refusals.ts'
import type { JsonObject } from '../read/json-body.ts'

/** Sends pushed messages to a till, in the order of the calls. */
export interface TillConnection {
  notify(params: JsonObject): void
  askForSignature(params: JsonObject, answered: (accepted: boolean) => void): SignatureRequest
}

/** An open signature request. */
export interface SignatureRequest {
  /** Closes the request. A later answer is ignored. */
  withdraw(): void
}

export type RpcAnswer = { readonly result: unknown } | { readonly refused: Refusal }

/** The outcome of a request. */
export type MethodOutcome =
  /** `outcome` waits for the final outcome, for versions that answer only then. */
  | { readonly result: unknown; readonly outcome?: () => Promise<RpcAnswer> }
  | { readonly refused: Refusal }
  /** The request is under way. The next one may start, and this one is answered when it ends. */
  | { readonly underWay: Promise<RpcAnswer> }
  /** The connection is cut; there is no answer. */
  | { readonly abandoned: true }
