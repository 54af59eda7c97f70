// src/engine/ports/tracing.ts — port: traces of requests through the gateway. ADR 68.
import type { SpanAttributes } from '../span-attributes.ts'
import type { Key } from './store.ts'

/** `server`: a request to the gateway. `client`: a call by it. `consumer`: a message that arrives without being asked for. */
export type SpanKind = 'server' | 'client' | 'consumer' | 'internal'

export interface SpanOptions {
  /** Default: `internal`. */
  readonly kind?: SpanKind
  /** Traceparent of the parent; null begins a trace. Default: the active span. */
  readonly parent?: string | null
  /** Traceparent of a span of another trace that this one belongs with. */
  readonly link?: string | null
  readonly attributes?: SpanAttributes
}

/** A piece of work with its beginning and end. */
export interface Span {
  /** Its place in the trace, in the form of W3C Trace Context. */
  readonly traceparent: string
  /** Adds attributes. Values that are not allowed are left out. */
  set(attributes: SpanAttributes): void
  /** Marks the work as failed. @param type one word, such as the code of a fault; never a message */
  fail(type: string): void
  /** Ends it. Further calls of any method change nothing. */
  end(): void
}

/** Traces work. Parts that have null instead of it trace nothing and pay nothing. No method throws or waits. */
export interface Tracing {
  /** The span that the current work belongs to; null when it belongs to none. */
  readonly active: Span | null
  /** @param name from the code, never from a request */
  begin(name: string, options?: SpanOptions): Span
  /** Runs work with an active span. What the work awaits belongs to the span, too. */
  within<T>(span: Span, work: () => T): T
  /** Traceparent of the trace that a record began in; null when this process does not know it. */
  originOf(record: Key): string | null
  /** Notes where a record began, unless that is known. */
  remember(record: Key, traceparent: string): void
  /** Number of commits that the store has written together most recently; null before the first. */
  readonly groupSize: number | null
}
