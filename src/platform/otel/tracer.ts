// src/platform/otel/tracer.ts — implements the Tracing port on the SDK of OpenTelemetry. ADR 68.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type HrTime,
  type Span as LibrarySpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import { type IdGenerator, type Sampler, type SpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { createBoundedCache } from '../../engine/bounded-cache.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { Key } from '../../engine/ports/store.ts'
import type { Span, Tracing } from '../../engine/ports/tracing.ts'
import { allowedAttributes, allowedName } from '../../engine/span-attributes.ts'

/** Records whose trace is known: more than a gateway has unfinished ones, at 200 bytes each. */
const ORIGINS = 20_000

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const

export interface TracerParts {
  readonly resource: Resource
  readonly sampler: Sampler
  /** Receives the spans that have ended. */
  readonly processor: SpanProcessor
  readonly random: Random
  /** Epoch milliseconds, with fractions. */
  now(): number
}

/** Traces, and is told the size of each group that the store has written. */
export interface Tracer extends Tracing {
  grouped(size: number): void
}

/** Creates the tracer. It sets nothing global, because tests run several gateways in one process. */
export function createTracer({ resource, sampler, processor, random, now }: TracerParts): Tracer {
  const provider = new TracerProvider({ resource, sampler, spanProcessors: [processor], idGenerator: idsOf(random) })
  const library = provider.getTracer('tollgate')
  const active = new AsyncLocalStorage<Span>()
  const origins = createBoundedCache<string, string>(ORIGINS)
  let groupSize: number | null = null
  return {
    get active() {
      return active.getStore() ?? null
    },
    begin(name, { kind = 'internal', parent, link = null, attributes = {} } = {}) {
      const above = parent === undefined ? (active.getStore()?.traceparent ?? null) : parent
      const span = library.startSpan(
        allowedName(name),
        {
          kind: KINDS[kind],
          startTime: hrTime(now()),
          attributes: allowedAttributes(attributes),
          links: link === null ? [] : [{ context: contextOf(link) }],
        },
        above === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, contextOf(above)),
      )
      return spanOver(span, now)
    },
    within: (span, work) => active.run(span, work),
    originOf: record => origins.get(nameOf(record)) ?? null,
    remember(record, traceparent) {
      const name = nameOf(record)
      if (!origins.has(name)) origins.set(name, traceparent)
    },
    get groupSize() {
      return groupSize
    },
    grouped(size) {
      groupSize = size
    },
  }
}

function spanOver(span: LibrarySpan, now: () => number): Span {
  let open = true
  return {
    traceparent: traceparentOf(span.spanContext()),
    set(attributes) {
      if (open) span.setAttributes(allowedAttributes(attributes))
    },
    fail(type) {
      if (!open) return
      // Without a message: that of an error may hold anything.
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttributes(allowedAttributes({ 'error.type': type }))
    },
    end() {
      if (open) span.end(hrTime(now()))
      open = false
    },
  }
}

/** Trace and span ids from the gateway's own source of randomness. An id of zeros only is none. */
function idsOf(random: Random): IdGenerator {
  const id = (bytes: number): string => {
    const hex = Buffer.from(random.bytes(bytes)).toString('hex')
    return /[^0]/.test(hex) ? hex : id(bytes)
  }
  return { generateTraceId: () => id(16), generateSpanId: () => id(8) }
}

function contextOf(traceparent: string): SpanContext {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-')
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}

function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`
}

/** Seconds and nanoseconds: a plain number would be taken for the time since the process began if it is too small. */
export function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000)
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)]
}

function nameOf({ account, kind, id }: Key): string {
  return `${kind}\u0000${account}\u0000${id}`
}
