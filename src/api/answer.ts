// src/api/answer.ts — what comes of a request over HTTP, before it is written to the response.
import type { ServerResponse } from 'node:http'
import type { Refusal } from '../domain/refusals.ts'
import type { JsonObject } from './read/json-body.ts'

export type Headers = Readonly<Record<string, string>>

export type Answer =
  /** Without a body: empty. `outcome` is for callers who are not answered before it is known how it went. */
  | {
      readonly status: number
      readonly body?: JsonObject
      readonly headers?: Headers
      readonly outcome?: () => Answer | Promise<Answer>
    }
  /** Serialised already. An empty type stands for the area's own. */
  | { readonly status: number; readonly bytes: Uint8Array; readonly mediaType: string; readonly headers?: Headers }
  /** Written bit by bit after the head, until `stream` ends it. */
  | {
      readonly status: number
      readonly mediaType: string
      readonly headers?: Headers
      readonly stream: (response: ServerResponse) => void
    }
  /** `location`: the transaction that stands in the way. */
  | { readonly refused: Refusal; readonly location?: string; readonly headers?: Headers }
  /** The connection belongs to somebody else now, or nobody is left to answer. */
  | {
      readonly taken: true
      /** What would have been answered, had the line not been cut on purpose. */
      readonly lost?: Answer
    }
