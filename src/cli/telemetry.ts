// src/cli/telemetry.ts — opens the export of traces and metrics if the configuration asks for it. ADR 68.
import type { Config } from '../config.ts'
import type { Clock } from '../engine/ports/clock.ts'
import type { Log } from '../engine/ports/log.ts'
import type { Random } from '../engine/ports/random.ts'
import { fineClock } from '../platform/clock.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Telemetry, TelemetrySettings } from '../platform/otel/telemetry.ts'
import { programVersion } from './version.ts'

/** Time for the last exports when the gateway stops, in milliseconds. A part of what its service manager allows. */
export const LAST_EXPORT_MS = 2_000

/** Returns null, and loads no library, unless an endpoint is set. */
export async function telemetryOf(
  config: Config,
  parts: { readonly clock: Clock; readonly random: Random; readonly log: Log; readonly metrics: Metrics },
): Promise<Telemetry | null> {
  const settings = telemetrySettings(config)
  if (settings === null) return null
  const { openTelemetry } = await import('../platform/otel/telemetry.ts')
  return openTelemetry({ ...parts, settings, now: fineClock(parts.clock), programVersion: programVersion() })
}

function telemetrySettings(config: Config): TelemetrySettings | null {
  const { otlpEndpoint: endpoint, otelDisabled, otelTraces: traces, otelMetrics: metrics } = config
  if (endpoint === null || otelDisabled || !(traces || metrics)) return null
  return {
    ...{ endpoint, traces, metrics },
    headers: config.otlpHeaders ?? {},
    protocol: config.otlpProtocol,
    timeoutMs: config.otlpTimeoutMs,
    serviceName: config.otelServiceName,
    resourceAttributes: config.otelResource ?? {},
    sampler: config.otelSampler,
    ratio: config.otelSamplerRatio,
    queueSize: config.otelQueueSize,
    batchSize: Math.min(config.otelBatchSize, config.otelQueueSize),
    delayMs: config.otelDelayMs,
    metricIntervalMs: config.otelMetricIntervalMs,
  }
}
