// src/platform/otel/telemetry.ts — exports traces and metrics over OTLP. Imported only when an endpoint is set. ADR 68.
import {
  JsonMetricsSerializer,
  JsonTraceSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import { struckOut } from '../../domain/redaction.ts'
import type { Alarm, Clock } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { MetricObject } from '../metric-object.ts'
import type { ExportMeters } from '../metrics.ts'
import { createOtlpSender, type OtlpSender } from './otlp-sender.ts'
import { metricData } from './prometheus-data.ts'
import { createSpanQueue } from './span-queue.ts'
import { createTracer, hrTime, type Tracer } from './tracer.ts'

export type SamplerName =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio'

/** Settings by the specification of OpenTelemetry, read by `src/config`. */
export interface TelemetrySettings {
  /** Base address; the path of each signal is appended. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly protocol: 'http/json' | 'http/protobuf'
  readonly timeoutMs: number
  readonly traces: boolean
  readonly metrics: boolean
  readonly serviceName: string
  readonly resourceAttributes: Readonly<Record<string, string>>
  readonly sampler: SamplerName
  readonly ratio: number
  readonly queueSize: number
  readonly batchSize: number
  readonly delayMs: number
  readonly metricIntervalMs: number
}

export interface TelemetryParts {
  readonly settings: TelemetrySettings
  readonly programVersion: string
  readonly clock: Clock
  /** Epoch milliseconds with fractions, for spans. */
  readonly now: () => number
  readonly random: Random
  readonly log: Pick<Log, 'warn'>
  readonly metrics: { objects(): Promise<readonly MetricObject[]>; readonly exports: ExportMeters }
}

export interface Telemetry {
  /** Null when traces are not exported. */
  readonly tracer: Tracer | null
  /** Exports all that waits, now. */
  flush(): Promise<void>
  /** The same for at most `limitMs` milliseconds; 0 exports nothing. Gives up the rest. Nothing is exported afterwards. */
  close(limitMs: number): Promise<void>
}

/** Starts to export. Never throws for a receiver that is not there. */
export function openTelemetry(parts: TelemetryParts): Telemetry {
  const { settings, clock } = parts
  const resource = resourceOf(parts)
  const traces = settings.traces ? traceExport(parts, resource) : null
  const metrics = settings.metrics ? metricExport(parts, resource) : null
  const flush = async () => {
    await Promise.all([traces?.flush(), metrics?.flush()])
  }
  return {
    tracer: traces?.tracer ?? null,
    flush,
    async close(limitMs) {
      if (limitMs > 0)
        await new Promise<void>(resolve => {
          const limit = clock.alarm(clock.now() + limitMs, resolve)
          void flush().then(() => {
            limit.cancel()
            resolve()
          })
        })
      traces?.stop()
      metrics?.stop()
    },
  }
}

/** What all exported data says about the gateway. The operator's own attributes cannot hold secrets of payments. */
function resourceOf({ settings, programVersion }: TelemetryParts): Resource {
  const own = Object.entries(settings.resourceAttributes).filter(([, value]) => struckOut(value) === value)
  return resourceFromAttributes({
    ...Object.fromEntries(own),
    'service.name': settings.serviceName,
    'service.version': programVersion,
    'telemetry.sdk.name': 'opentelemetry',
    'telemetry.sdk.language': 'nodejs',
  })
}

function traceExport(parts: TelemetryParts, resource: Resource) {
  const { settings, clock, random, now, log, metrics } = parts
  const serializer = settings.protocol === 'http/json' ? JsonTraceSerializer : ProtobufTraceSerializer
  const sender = senderFor(parts, 'traces')
  let lost = 0
  const queue = createSpanQueue({
    ...{ clock, size: settings.queueSize, batchSize: settings.batchSize, delayMs: settings.delayMs },
    send: (spans: ReadableSpan[]) => posted(sender, serializer.serializeRequest(spans)),
    onSent(count) {
      if (lost > 0) log.warn({ lost }, 'spans were lost; the receiver accepts spans again')
      lost = 0
      metrics.exports.spansSent(count)
    },
    onDropped(count, reason) {
      // The metric has the number. A line for each span would fill the log while the receiver is away.
      if (lost === 0) log.warn({ reason }, 'spans are being lost')
      lost += count
      metrics.exports.spansDropped(count, reason)
    },
  })
  return {
    tracer: createTracer({ resource, sampler: samplerOf(settings), processor: queue, random, now }),
    flush: () => queue.forceFlush(),
    stop() {
      queue.stop()
      sender.abort()
    },
  }
}

/** Sends all metrics at each interval. An export that fails is not repeated: the next one has the same counters. */
function metricExport(parts: TelemetryParts, resource: Resource) {
  const { settings, clock, metrics } = parts
  const serializer = settings.protocol === 'http/json' ? JsonMetricsSerializer : ProtobufMetricsSerializer
  const sender = senderFor(parts, 'metrics')
  const startedAt = hrTime(clock.now())
  let sending: Promise<void> | null = null
  let alarm: Alarm | null = null
  let stopped = false

  async function send(): Promise<void> {
    const data = metricData(await metrics.objects(), startedAt, hrTime(clock.now()))
    const scopeMetrics = [{ scope: { name: 'tollgate' }, metrics: data }]
    const sent = await posted(sender, serializer.serializeRequest({ resource, scopeMetrics }))
    if (sent !== 'accepted') metrics.exports.metricsFailed()
  }

  function flush(): Promise<void> {
    sending ??= send()
      .catch(() => metrics.exports.metricsFailed())
      .finally(() => {
        sending = null
      })
    return sending
  }

  function next(): void {
    alarm = clock.alarm(clock.now() + settings.metricIntervalMs, () => {
      void flush()
      if (!stopped) next()
    })
  }

  next()
  return {
    flush,
    stop() {
      stopped = true
      alarm?.cancel()
      sender.abort()
    },
  }
}

function senderFor({ settings, clock }: TelemetryParts, signal: 'traces' | 'metrics'): OtlpSender {
  return createOtlpSender({
    url: `${settings.endpoint}/v1/${signal}`,
    headers: settings.headers,
    contentType: settings.protocol === 'http/json' ? 'application/json' : 'application/x-protobuf',
    limitMs: settings.timeoutMs,
    clock,
  })
}

/** Posts what was serialised. What cannot be serialised cannot be sent later either. */
function posted(sender: OtlpSender, body: Uint8Array | undefined): ReturnType<OtlpSender['post']> {
  return body === undefined ? Promise.resolve('refused') : sender.post(body)
}

function samplerOf({ sampler, ratio }: TelemetrySettings): Sampler {
  switch (sampler) {
    case 'always_on':
      return new AlwaysOnSampler()
    case 'always_off':
      return new AlwaysOffSampler()
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio)
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() })
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() })
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) })
  }
}
