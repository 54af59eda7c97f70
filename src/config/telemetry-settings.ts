// src/config/telemetry-settings.ts — settings of OpenTelemetry, under the names of its specification. ADR 68.
import { BASE_URL, integer, oneOf, PAIRS, RATIO, SERVICE_NAME, toggle } from './kinds.ts'
import type { Setting } from './setting.ts'

export const TELEMETRY_SETTINGS = {
  otlpEndpoint: {
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    kind: BASE_URL,
    default: null,
    meaning: 'Receiver of traces and metrics by OTLP over HTTP; /v1/traces and /v1/metrics are appended. Not set: off.',
  },
  otlpHeaders: {
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    kind: PAIRS,
    default: null,
    secret: true,
    meaning: 'Headers of each export, such as the key of the receiver.',
  },
  otlpProtocol: {
    env: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    kind: oneOf('http/protobuf', 'http/json'),
    default: 'http/protobuf',
    meaning: 'Form of the exports.',
  },
  otlpTimeoutMs: {
    env: 'OTEL_EXPORTER_OTLP_TIMEOUT',
    kind: integer(100, 600_000),
    default: '10000',
    unit: 'ms',
    meaning: 'Time limit of one export.',
  },
  otelDisabled: {
    env: 'OTEL_SDK_DISABLED',
    kind: toggle(),
    default: 'false',
    meaning: 'Turns all exports off, whatever the endpoint.',
  },
  otelTraces: {
    env: 'OTEL_TRACES_EXPORTER',
    kind: toggle('otlp', 'none'),
    default: 'otlp',
    meaning: 'Whether traces are exported.',
  },
  otelMetrics: {
    env: 'OTEL_METRICS_EXPORTER',
    kind: toggle('otlp', 'none'),
    default: 'otlp',
    meaning: 'Whether metrics are exported; /metrics does not depend on it.',
  },
  otelServiceName: {
    env: 'OTEL_SERVICE_NAME',
    kind: SERVICE_NAME,
    default: 'tollgate',
    meaning: 'Name of this gateway in exported data.',
  },
  otelResource: {
    env: 'OTEL_RESOURCE_ATTRIBUTES',
    kind: PAIRS,
    default: null,
    meaning: 'More attributes of this gateway in exported data, such as deployment.environment.name=test.',
  },
  otelSampler: {
    env: 'OTEL_TRACES_SAMPLER',
    kind: oneOf(
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ),
    default: 'parentbased_always_on',
    meaning: 'Which traces are exported. `parentbased` does as the caller does, if its request names a trace.',
  },
  otelSamplerRatio: {
    env: 'OTEL_TRACES_SAMPLER_ARG',
    kind: RATIO,
    default: '1',
    meaning: 'Share of traces that a sampler with a ratio exports.',
  },
  otelQueueSize: {
    env: 'OTEL_BSP_MAX_QUEUE_SIZE',
    kind: integer(1, 100_000),
    default: '2048',
    meaning: 'Spans that wait for their export; more are dropped and counted.',
  },
  otelBatchSize: {
    env: 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
    kind: integer(1, 10_000),
    default: '512',
    meaning: 'Most spans in one export.',
  },
  otelDelayMs: {
    env: 'OTEL_BSP_SCHEDULE_DELAY',
    kind: integer(0, 600_000),
    default: '5000',
    unit: 'ms',
    meaning: 'Longest time that a span waits for others before its export.',
  },
  otelMetricIntervalMs: {
    env: 'OTEL_METRIC_EXPORT_INTERVAL',
    kind: integer(1_000, 3_600_000),
    default: '60000',
    unit: 'ms',
    meaning: 'Time between two exports of the metrics.',
  },
} as const satisfies Record<string, Setting>
