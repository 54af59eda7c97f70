// src/platform/metric-object.ts — a metric as data, in the format of prom-client.

/** A metric with its values. */
export interface MetricObject {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary'
  readonly values: readonly MetricValue[]
}

export interface MetricValue {
  readonly labels: Readonly<Partial<Record<string, string | number>>>
  readonly value: number
  /** Of a histogram: its name with `_bucket`, `_sum` or `_count`. */
  readonly metricName?: string
}
