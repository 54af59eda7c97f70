// test/unit/platform/otel/telemetry.test.ts — exports over OTLP: what leaves, and what happens while the receiver is away.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { SPAN_ATTRIBUTES, type SpanAttributes } from '../../../../src/engine/span-attributes.ts'
import type { Metrics } from '../../../../src/platform/metrics.ts'
import { numbersThatLookLikeCards } from '../../../support/card-scanner.ts'
import { exportTo, openOtlpReceiver } from '../../../support/otlp-receiver.ts'
import { TestClock } from '../../../support/test-clock.ts'

/** The value of one line of the text of Prometheus. */
async function figure(metrics: Metrics, line: string): Promise<number> {
  const found = (await metrics.text()).split('\n').find(each => each.startsWith(`${line} `))
  ok(found !== undefined, `no line ${line}`)
  return Number(found.slice(line.length + 1))
}

const SECRETS = [
  '4111111111111111',
  '4111 1111 1111 1111',
  'tg_aaaaaaaaaaaaaaaaaaaaaaaa',
  'Bearer abcdefghijk',
  'eyJhbGciOiJub25lIn0.e30.x',
]

test('nothing leaves but allowed attributes with values of their form', async () => {
  const receiver = await openOtlpReceiver()
  const { telemetry } = exportTo(receiver, new TestClock())
  const { tracer } = telemetry
  ok(tracer !== null)
  const value = fc.oneof(
    fc.constantFrom(...SECRETS),
    fc.string(),
    fc.double(),
    fc.maxSafeInteger(),
    fc.constant(4111111111111111),
  )
  const name = fc.oneof(
    fc.constantFrom(...Object.keys(SPAN_ATTRIBUTES)),
    fc.string(),
    fc.constantFrom('cardNumber', '__proto__'),
  )
  const attributes = fc.dictionary(name, value) as fc.Arbitrary<SpanAttributes>
  const text = fc.oneof(fc.string(), fc.constantFrom(...SECRETS))
  fc.assert(
    fc.property(text, attributes, attributes, text, (called, given, added, failure) => {
      const span = tracer.begin(called, { attributes: given })
      span.set(added)
      span.fail(failure)
      span.end()
    }),
  )
  await telemetry.flush()
  const spans = receiver.spans()
  ok(spans.length >= 100)
  for (const { name: called, attributes: sent, status, events } of spans) {
    deepEqual(
      Object.keys(sent).filter(each => !Object.hasOwn(SPAN_ATTRIBUTES, each)),
      [],
    )
    deepEqual([status?.message, events ?? []], [undefined, []])
    const all = JSON.stringify([called, sent])
    deepEqual(numbersThatLookLikeCards(all), [])
    for (const secret of SECRETS) ok(!all.includes(secret), all)
  }
})

test('an allowed attribute does leave', async () => {
  const receiver = await openOtlpReceiver()
  const { telemetry } = exportTo(receiver, new TestClock(), { headers: { 'x-key': 'k1' }, serviceName: 'till-1' })
  telemetry.tracer?.begin('commit', { attributes: { 'tollgate.account': 'demo', 'tollgate.events': 2 } }).end()
  await telemetry.flush()
  deepEqual(
    receiver.spans().map(({ name, attributes }) => ({ name, attributes })),
    [{ name: 'commit', attributes: { 'tollgate.account': 'demo', 'tollgate.events': 2 } }],
  )
  equal(receiver.received[0]?.headers['x-key'], 'k1')
  ok(receiver.received[0]?.bytes.includes('till-1'))
})

test('spans wait for others of their batch, and are sent after the delay', async () => {
  const receiver = await openOtlpReceiver()
  const clock = new TestClock()
  const { telemetry, metrics } = exportTo(receiver, clock, { delayMs: 5_000, batchSize: 3 })
  telemetry.tracer?.begin('commit').end()
  await clock.advance(4_999)
  equal(receiver.received.length, 0)
  const next = receiver.next()
  await clock.advance(1)
  await next
  await telemetry.flush()
  equal(receiver.spans().length, 1)
  equal(await figure(metrics, 'tollgate_spans_exported_total'), 1)
})

test('what does not fit into the queue is dropped and counted, and logged once', async () => {
  const receiver = await openOtlpReceiver()
  const { telemetry, metrics, warnings } = exportTo(receiver, new TestClock(), { queueSize: 10, batchSize: 5 })
  for (let number = 0; number < 25; number += 1) telemetry.tracer?.begin('commit').end()
  equal(await figure(metrics, 'tollgate_spans_dropped_total{reason="queue_full"}'), 15)
  await telemetry.flush()
  equal(receiver.spans().length, 10)
  deepEqual(warnings, ['spans are being lost', 'spans were lost; the receiver accepts spans again'])
})

test('a batch that the receiver cannot take now is sent again after the delay', async () => {
  const receiver = await openOtlpReceiver()
  receiver.answer = 503
  const clock = new TestClock()
  const { telemetry, metrics } = exportTo(receiver, clock)
  telemetry.tracer?.begin('commit').end()
  await telemetry.flush()
  ok(receiver.received.length >= 1)
  const refused = receiver.received.length
  receiver.answer = 200
  await telemetry.flush()
  equal(receiver.received.length, refused + 1)
  equal(await figure(metrics, 'tollgate_spans_exported_total'), 1)
})

test('a batch that the receiver refuses is lost', async () => {
  const receiver = await openOtlpReceiver()
  receiver.answer = 400
  const { telemetry, metrics } = exportTo(receiver, new TestClock())
  telemetry.tracer?.begin('commit').end()
  await telemetry.flush()
  equal(receiver.received.length, 1)
  equal(await figure(metrics, 'tollgate_spans_dropped_total{reason="refused"}'), 1)
})

test('a stop waits for a receiver that hangs no longer than its limit', async () => {
  const receiver = await openOtlpReceiver()
  receiver.answer = 'hang'
  const clock = new TestClock()
  const { telemetry, metrics } = exportTo(receiver, clock, { batchSize: 1 })
  telemetry.tracer?.begin('commit').end()
  telemetry.tracer?.begin('commit').end()
  const exported = receiver.next()
  const closed = telemetry.close(2_000)
  await exported
  await clock.advance(2_000)
  await closed
  await clock.advance(0)
  equal(await figure(metrics, 'tollgate_spans_dropped_total{reason="stopped"}'), 2)
  telemetry.tracer?.begin('commit').end()
  equal(await figure(metrics, 'tollgate_spans_dropped_total{reason="stopped"}'), 3)
})

test('an export that takes too long is given up and repeated later', async () => {
  const receiver = await openOtlpReceiver()
  receiver.answer = 'hang'
  const clock = new TestClock()
  const { telemetry, metrics } = exportTo(receiver, clock, { timeoutMs: 1_000 })
  telemetry.tracer?.begin('commit').end()
  const exported = receiver.next()
  await clock.advance(5_000)
  await exported
  await clock.advance(1_000)
  receiver.answer = 200
  await telemetry.flush()
  equal(await figure(metrics, 'tollgate_spans_exported_total'), 1)
})

test('a receiver that is not there changes nothing else', async () => {
  const receiver = await openOtlpReceiver()
  const { telemetry, metrics } = exportTo({ ...receiver, url: 'http://127.0.0.1:1' }, new TestClock(), {
    metrics: true,
  })
  telemetry.tracer?.begin('commit').end()
  await telemetry.flush()
  equal(await figure(metrics, 'tollgate_metric_exports_failed_total'), 1)
})

test('metrics have the names, labels and values of Prometheus', async () => {
  const receiver = await openOtlpReceiver()
  const { telemetry, metrics } = exportTo(receiver, new TestClock(), { traces: false, metrics: true })
  equal(telemetry.tracer, null)
  metrics.meters.transactionStarted('SALE')
  metrics.meters.committed(3)
  metrics.meters.committed(100)
  metrics.observeRequest('startTransaction', 201, 0.002)
  await telemetry.flush()
  const [{ path = '', bytes = Buffer.of() } = {}] = receiver.received
  equal(path, '/v1/metrics')
  const [resource] = (JSON.parse(bytes.toString()) as SentMetrics).resourceMetrics
  const sent = new Map(resource?.scopeMetrics[0]?.metrics.map(metric => [metric.name, metric]))
  const named = (await metrics.text()).split('\n').flatMap(line => /^# TYPE (\S+) /.exec(line)?.[1] ?? [])
  deepEqual([...sent.keys()].sort(), [...new Set(named)].sort())
  const started = sent.get('tollgate_transactions_started_total')?.sum
  deepEqual([started?.isMonotonic, started?.aggregationTemporality, started?.dataPoints[0]?.asDouble], [true, 2, 1])
  deepEqual(started?.dataPoints[0]?.attributes, [{ key: 'type', value: { stringValue: 'SALE' } }])
  const groups = sent.get('tollgate_commit_group_size')?.histogram?.dataPoints[0]
  deepEqual([groups?.count, groups?.sum], [2, 103])
  deepEqual(groups?.explicitBounds, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
  deepEqual(groups?.bucketCounts, [0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0])
  const seconds = sent.get('tollgate_http_request_duration_seconds')
  equal(seconds?.unit, 's')
  equal(seconds?.histogram?.dataPoints[0]?.bucketCounts[2], 1)
})

interface SentMetrics {
  readonly resourceMetrics: readonly { readonly scopeMetrics: readonly { readonly metrics: readonly SentMetric[] }[] }[]
}

interface SentMetric {
  readonly name: string
  readonly unit: string
  readonly sum?: {
    readonly isMonotonic: boolean
    readonly aggregationTemporality: number
    readonly dataPoints: readonly { readonly asDouble: number; readonly attributes: readonly unknown[] }[]
  }
  readonly histogram?: {
    readonly dataPoints: readonly {
      readonly count: number
      readonly sum: number
      readonly explicitBounds: readonly number[]
      readonly bucketCounts: readonly number[]
    }[]
  }
}

test('metrics are sent at each interval', async () => {
  const receiver = await openOtlpReceiver()
  const clock = new TestClock()
  const { telemetry } = exportTo(receiver, clock, { traces: false, metrics: true, metricIntervalMs: 60_000 })
  await clock.advance(59_999)
  equal(receiver.received.length, 0)
  for (const count of [1, 2]) {
    const next = receiver.next()
    await clock.advance(60_000)
    await next
    await telemetry.flush()
    ok(receiver.received.length >= count)
  }
})

test('the usual form is protobuf', async () => {
  const receiver = await openOtlpReceiver()
  const { telemetry } = exportTo(receiver, new TestClock(), { protocol: 'http/protobuf' })
  const span = telemetry.tracer?.begin('commit')
  span?.end()
  await telemetry.flush()
  const [{ headers = {}, bytes = Buffer.of() } = {}] = receiver.received
  equal(headers['content-type'], 'application/x-protobuf')
  // ExportTraceServiceRequest.resource_spans → scope_spans → spans → trace_id, span_id, name.
  const sent = [1, 2, 2].reduce((message, field) => fieldOf(message, field), bytes)
  const [, traceId, spanId] = span?.traceparent.split('-') ?? []
  deepEqual(
    [fieldOf(sent, 1).toString('hex'), fieldOf(sent, 2).toString('hex'), fieldOf(sent, 5).toString()],
    [traceId, spanId, 'commit'],
  )
})

/** The first length-delimited field of a protobuf message with this number. */
function fieldOf(message: Buffer, wanted: number): Buffer {
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++] ?? 0
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
  }
  while (at < message.length) {
    const tag = varint()
    const [field, type] = [tag >> 3, tag & 7]
    if (type === 0) varint()
    else if (type === 1) at += 8
    else if (type === 5) at += 4
    else {
      const length = varint()
      if (field === wanted) return message.subarray(at, at + length)
      at += length
    }
  }
  throw new Error(`no field ${wanted}`)
}
