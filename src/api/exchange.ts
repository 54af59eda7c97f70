// src/api/exchange.ts — a request and its response, on their way through the API.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Headers } from './operation.ts'
import type { Chosen } from './versions/ladder.ts'

/** A request as the router hands it over. */
export interface Routed {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
}

/** A request with what can be said of it without looking anything up. */
export interface Exchange extends Routed {
  readonly requestId: string
  /** By the request; settled anew when the caller is known, whose account may have a default of its own. */
  chosen: Chosen
  readonly corsHeaders: Headers
}
