// src/api/socket/method-outcome.ts — what becomes of a message on a socket, and the line over which a till hears more.
import type { Refusal } from '../../domain/refusals.ts'
import type { JsonObject } from '../read/json-body.ts'

/** The way to a till. What is sent goes out in the order in which it is given. */
export interface Line {
  notify(params: JsonObject): void
  askForSignature(params: JsonObject, answered: (accepted: boolean) => void): SignatureQuestion
}

/** Something the till was asked. */
export interface SignatureQuestion {
  /** An answer is not wanted any more. */
  withdraw(): void
}

export type RpcAnswer = { readonly result: unknown } | { readonly refused: Refusal }

/** What becomes of a request. */
export type MethodOutcome =
  /** `outcome` waits for what becomes of it, for those versions that answer no earlier. */
  | { readonly result: unknown; readonly outcome?: () => Promise<RpcAnswer> }
  | { readonly refused: Refusal }
  /** It is under way: the next request may be taken, and this one is answered when it ends. */
  | { readonly underWay: Promise<RpcAnswer> }
  /** Nobody is left to be answered. */
  | { readonly abandoned: true }
