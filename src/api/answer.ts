// src/api/answer.ts — the result of an HTTP request before it is rendered.
import type { ServerResponse } from 'node:http'
import type { Refusal } from '../domain/refusals.ts'
import type { JsonObject } from './read/json-body.ts'

export type Headers = Readonly<Record<string, string>>

/** Of an answer with a secret, which must not stay in a cache. */
export const UNCACHED: Headers = { 'cache-control': 'no-store' }

export type Answer =
  /** Empty without `body`. API versions whose answer waits for the outcome send the answer of `outcome` instead. */
  | {
      readonly status: number
      readonly body?: JsonObject
      readonly headers?: Headers
      /** `Set-Cookie` headers. */
      readonly cookies?: readonly string[]
      readonly outcome?: () => Answer | Promise<Answer>
    }
  /** A serialised body. An empty `mediaType` selects the area's own. */
  | { readonly status: number; readonly bytes: Uint8Array; readonly mediaType: string; readonly headers?: Headers }
  /** A streamed body. `stream` writes it after the head and ends the response. */
  | {
      readonly status: number
      readonly mediaType: string
      readonly headers?: Headers
      readonly stream: (response: ServerResponse) => void
    }
  /** `location`: address of the transaction that waits for a signature. */
  | { readonly refused: Refusal; readonly location?: string; readonly headers?: Headers }
  /** Nothing to send: other code owns the connection, or the caller has disconnected. */
  | {
      readonly taken: true
      /** The answer that a deliberately cut connection has lost. */
      readonly lost?: Answer
    }
