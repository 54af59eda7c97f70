// src/platform/request-figures.ts — counts and times requests, in Prometheus format.
// prom-client's counters resolve labels for each request, which would cost a poll a tenth of its time.

import type { MetricObject, MetricValue } from './metric-object.ts'

const REQUESTS = 'tollgate_http_requests_total'
const SECONDS = 'tollgate_http_request_duration_seconds'
const HELP = {
  requests: 'Requests answered.',
  seconds: 'Time from the request to the end of its answer.',
} as const

/** Histogram bounds in seconds, from a cached answer to a long poll. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]

export interface RequestFigures {
  /** Returns all figures as data. */
  objects(): readonly MetricObject[]
  /** Counts an answered request. `operation` is an operation's name, never a path, because paths contain ids. */
  observe(operation: string, status: number, seconds: number): void
  /** Returns all figures in the text format of Prometheus. */
  text(): string
}

interface Figures {
  readonly byStatus: Map<number, number>
  /** Requests by duration: up to each bound, not cumulative. The last bucket is beyond all bounds. */
  readonly buckets: number[]
  sum: number
}

export function createRequestFigures(): RequestFigures {
  const byOperation = new Map<string, Figures>()

  function figuresOf(operation: string): Figures {
    const known = byOperation.get(operation)
    if (known !== undefined) return known
    const fresh: Figures = { byStatus: new Map(), buckets: BOUNDS.map(() => 0).concat(0), sum: 0 }
    byOperation.set(operation, fresh)
    return fresh
  }

  return {
    observe(operation, status, seconds) {
      const figures = figuresOf(operation)
      figures.byStatus.set(status, (figures.byStatus.get(status) ?? 0) + 1)
      figures.sum += seconds
      const bucket = bucketOf(seconds)
      figures.buckets[bucket] = (figures.buckets[bucket] ?? 0) + 1
    },
    objects: () => {
      const all = [...byOperation]
      return [
        { name: REQUESTS, help: HELP.requests, type: 'counter', values: all.flatMap(countValues) },
        { name: SECONDS, help: HELP.seconds, type: 'histogram', values: all.flatMap(timeValues) },
      ]
    },
    text: () => {
      const all = [...byOperation]
      return [
        `# HELP ${REQUESTS} ${HELP.requests}`,
        `# TYPE ${REQUESTS} counter`,
        ...all.flatMap(([operation, figures]) => countLines(operation, figures)),
        '',
        `# HELP ${SECONDS} ${HELP.seconds}`,
        `# TYPE ${SECONDS} histogram`,
        ...all.flatMap(([operation, figures]) => timeLines(operation, figures)),
        '',
      ].join('\n')
    },
  }
}

/** Linear search, because most requests fall into the first buckets. */
function bucketOf(seconds: number): number {
  let bucket = 0
  while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] ?? 0)) bucket += 1
  return bucket
}

function countLines(operation: string, { byStatus }: Figures): readonly string[] {
  return [...byStatus].map(([status, count]) => `${REQUESTS}{operation="${operation}",status="${status}"} ${count}`)
}

function timeLines(operation: string, { buckets, sum }: Figures): readonly string[] {
  let count = 0
  const lines = buckets.map((requests, index) => {
    count += requests
    return `${SECONDS}_bucket{le="${BOUNDS[index] ?? '+Inf'}",operation="${operation}"} ${count}`
  })
  return [
    ...lines,
    `${SECONDS}_sum{operation="${operation}"} ${sum}`,
    `${SECONDS}_count{operation="${operation}"} ${count}`,
  ]
}

function countValues([operation, { byStatus }]: readonly [string, Figures]): readonly MetricValue[] {
  return [...byStatus].map(([status, value]) => ({ labels: { operation, status }, value }))
}

function timeValues([operation, { buckets, sum }]: readonly [string, Figures]): readonly MetricValue[] {
  let value = 0
  const upTo = buckets.map((requests, index) => {
    value += requests
    return { metricName: `${SECONDS}_bucket`, labels: { le: BOUNDS[index] ?? '+Inf', operation }, value }
  })
  return [
    ...upTo,
    { metricName: `${SECONDS}_sum`, labels: { operation }, value: sum },
    { metricName: `${SECONDS}_count`, labels: { operation }, value },
  ]
}
