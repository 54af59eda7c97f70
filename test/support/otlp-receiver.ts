// test/support/otlp-receiver.ts — a receiver of OTLP over HTTP that decodes what it gets, and may hang or refuse.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Clock } from '../../src/engine/ports/clock.ts'
import { openMetrics } from '../../src/platform/metrics.ts'
import { openTelemetry, type Telemetry, type TelemetrySettings } from '../../src/platform/otel/telemetry.ts'
import { SeededRandom } from './seeded-random.ts'

type Value = { readonly stringValue?: string; readonly intValue?: number | string; readonly doubleValue?: number }
type Attributes = readonly { readonly key: string; readonly value: Value }[]

interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes?: Attributes
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly status?: { readonly code?: number; readonly message?: string }
  readonly events?: readonly unknown[]
}

export interface ReceivedSpan extends Omit<SentSpan, 'attributes'> {
  readonly attributes: Readonly<Record<string, string | number>>
}

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

export interface OtlpReceiver {
  readonly url: string
  readonly received: readonly Received[]
  /** How it answers: with a status, or `hang` for never. */
  answer: number | 'hang'
  /** Resolves when the next export has arrived whole. */
  next(): Promise<void>
  /** All spans, in order of their arrival. For exports in JSON. */
  spans(): readonly ReceivedSpan[]
}

export async function openOtlpReceiver(): Promise<OtlpReceiver> {
  const received: Received[] = []
  let waiting: (() => void)[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk as Buffer))
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, bytes: Buffer.concat(chunks) })
      if (receiver.answer !== 'hang') response.writeHead(receiver.answer).end('{}')
      for (const resolve of waiting) resolve()
      waiting = []
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: 200,
    next: () => new Promise<void>(resolve => waiting.push(resolve)),
    spans: () =>
      received
        .filter(({ path }) => path === '/v1/traces')
        .flatMap(({ bytes }) => JSON.parse(bytes.toString()).resourceSpans as ResourceSpans[])
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
        .map(span => ({ ...span, attributes: plain(span.attributes ?? []) })),
  }
  return receiver
}

interface ResourceSpans {
  readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[]
}

function plain(attributes: Attributes): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue ?? value.doubleValue)]),
  )
}

/** The usual settings, in JSON. */
function telemetrySettings(endpoint: string): TelemetrySettings {
  return {
    ...{ endpoint, headers: {}, protocol: 'http/json', timeoutMs: 10_000, traces: true, metrics: false },
    ...{ serviceName: 'tollgate', resourceAttributes: {}, sampler: 'parentbased_always_on', ratio: 1 },
    ...{ queueSize: 2_048, batchSize: 512, delayMs: 5_000, metricIntervalMs: 60_000 },
  }
}

export interface Traced {
  readonly telemetry: Telemetry
  readonly metrics: ReturnType<typeof openMetrics>
  readonly warnings: string[]
}

/** Exports to a receiver, on the given clock. */
export function exportTo(
  receiver: OtlpReceiver,
  clock: Clock,
  changes: Partial<TelemetrySettings> = {},
  seed = 7,
): Traced {
  const metrics = openMetrics()
  const warnings: string[] = []
  const telemetry = openTelemetry({
    settings: { ...telemetrySettings(receiver.url), ...changes },
    programVersion: '0.0.0-test',
    ...{ clock, now: () => clock.now(), random: new SeededRandom(seed), metrics },
    log: { warn: (_fields, message) => void warnings.push(message) },
  })
  onTestFinished(() => telemetry.close(0))
  return { telemetry, metrics, warnings }
}

/** Names of the spans of a trace as an indented tree, siblings by their beginning, then in order of arrival. */
export function treeOf(spans: readonly ReceivedSpan[], root: string | undefined): readonly string[] {
  const children = spans
    .filter(({ parentSpanId }) => (parentSpanId ?? '') === (root ?? ''))
    .toSorted((one, other) => Number(BigInt(one.startTimeUnixNano) - BigInt(other.startTimeUnixNano)))
  return children.flatMap(span => [span.name, ...treeOf(spans, span.spanId).map(line => `  ${line}`)])
}
