// src/api/http/exchange.ts — a request and its response, on their way through the API.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Headers } from '../operation.ts'
import type { Chosen } from '../versions/select.ts'
import type { Depart } from './connection-tracker.ts'

/** A request as the router hands it over. */
export interface Routed {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  /** How its response leaves, if not with the others of this turn. */
  readonly depart?: Depart
}

/** A request with what can be said of it without looking anything up. */
export interface RequestExchange extends Routed {
  readonly requestId: string
  /** By the request; settled anew when the caller is known, whose account may have a default of its own. */
  chosen: Chosen
  readonly corsHeaders: Headers
  readonly depart: Depart
}
