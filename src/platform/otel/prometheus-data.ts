// src/platform/otel/prometheus-data.ts — converts Prometheus metrics to the metric data of OpenTelemetry: same names and units.
import { type HrTime, ValueType } from '@opentelemetry/api'
import { AggregationTemporality, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics'
import type { MetricObject, MetricValue } from '../metric-object.ts'

/** Ends of names → units in the form of UCUM. */
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/_seconds(?:_total)?$/, 's'],
  [/_bytes(?:_total)?$/, 'By'],
  [/_ratio$/, '1'],
]

interface Span {
  readonly startTime: HrTime
  readonly endTime: HrTime
}

/** @param startedAt when the process began to count */
export function metricData(metrics: readonly MetricObject[], startedAt: HrTime, at: HrTime): MetricData[] {
  return metrics.flatMap(metric => dataOf(metric, { startTime: startedAt, endTime: at }))
}

function dataOf({ name, help: description, type, values }: MetricObject, span: Span): MetricData[] {
  const unit = UNITS.find(([end]) => end.test(name))?.[1] ?? ''
  const descriptor = { name, description, unit, valueType: ValueType.DOUBLE }
  const common = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE }
  // A figure that could not be read is absent, as NaN has no form in JSON.
  const points = values.filter(({ value }) => Number.isFinite(value))
  const numbers = () => points.map(({ labels, value }) => ({ ...span, attributes: { ...labels }, value }))
  switch (type) {
    case 'counter':
      return [{ ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: numbers() }]
    case 'gauge':
      return [{ ...common, dataPointType: DataPointType.GAUGE, dataPoints: numbers() }]
    case 'histogram':
      return [{ ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(points, span) }]
    case 'summary':
      // The gateway has none, and OpenTelemetry makes none.
      return []
  }
}

interface Counted {
  readonly labels: MetricValue['labels']
  readonly bounds: { readonly le: number; readonly upTo: number }[]
  sum: number
  count: number
}

/** Gathers the values of each combination of labels. Prometheus counts up to each bound, OpenTelemetry between them. */
function histograms(values: readonly MetricValue[], span: Span) {
  const byLabels = new Map<string, Counted>()
  for (const { metricName = '', labels, value } of values) {
    const { le, ...rest } = labels
    const name = JSON.stringify(Object.entries(rest).sort())
    const counted = byLabels.get(name) ?? { labels: rest, bounds: [], sum: 0, count: 0 }
    byLabels.set(name, counted)
    if (metricName.endsWith('_sum')) counted.sum = value
    else if (metricName.endsWith('_count')) counted.count = value
    else if (le !== undefined && le !== '+Inf') counted.bounds.push({ le: Number(le), upTo: value })
  }
  return [...byLabels.values()].map(({ labels, bounds, sum, count }) => {
    const sorted = bounds.toSorted((one, other) => one.le - other.le)
    const cumulative = [0, ...sorted.map(({ upTo }) => upTo), count]
    const counts = cumulative.slice(1).map((upTo, index) => upTo - (cumulative[index] ?? 0))
    const buckets = { boundaries: sorted.map(({ le }) => le), counts }
    return { ...span, attributes: { ...labels }, value: { buckets, sum, count } }
  })
}
