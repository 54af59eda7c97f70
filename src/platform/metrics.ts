// src/platform/metrics.ts — Prometheus metrics of engine, requests and process; implements the Meters port.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Meters } from '../engine/ports/log.ts'
import type { MetricObject } from './metric-object.ts'
import { createRequestFigures } from './request-figures.ts'

/** Histogram bounds for commits written with one sync. The limit of the commit queue is above the last. */
const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

export interface Metrics {
  readonly meters: Meters
  /** Counts an answered request. `operation` is an operation's name, never a path, because paths contain ids. */
  observeRequest(operation: string, status: number, seconds: number): void
  /** Sets the sources of the numbers of running transactions and of open webhooks. They are asked at each scrape. */
  countBy(sources: Sources): void
  /** Sets the source of the coming ends of JWTs, in epoch milliseconds. It is asked at each scrape. */
  announceJwtEndsBy(coming: () => readonly { readonly account: string; readonly expiresAt: number }[]): void
  /** Counts a refused request. `code` is the code of the refusal. */
  refused(code: string): void
  /** Counts a log line that could not be written. */
  logLineDropped(): void
  /** Counts a refused request whose log line was left out, because there were too many. */
  refusalLineDropped(): void
  readonly contentType: string
  /** Returns all metrics in the text format of `contentType`. */
  text(): Promise<string>
  /** Returns the same metrics as data. */
  objects(): Promise<readonly MetricObject[]>
  /** Counts what is exported to OpenTelemetry. */
  readonly exports: ExportMeters
}

/** Counts exports. All stay 0 while nothing is exported. */
export interface ExportMeters {
  spansSent(count: number): void
  spansDropped(count: number, reason: string): void
  metricsFailed(): void
}

export interface Sources {
  runningTransactions(): Promise<number>
  openWebhooks(): Promise<number>
}

/** Opens metrics with a registry of their own, because tests and simulation run several gateways in one process. */
export function openMetrics(): Metrics {
  const registry = new Registry()
  // Event-loop delay as nodejs_eventloop_lag_*, memory, processor time and file handles.
  collectDefaultMetrics({ register: registry })
  let sources: Sources = { runningTransactions: async () => 0, openWebhooks: async () => 0 }
  countedAtScrape(registry, 'tollgate_transactions_running', 'Counter transactions that have not finished.', () =>
    sources.runningTransactions(),
  )
  countedAtScrape(registry, 'tollgate_webhooks_open', 'Webhooks that are neither delivered nor given up.', () =>
    sources.openWebhooks(),
  )
  const refusals = new Counter({
    name: 'tollgate_refusals_total',
    help: 'Requests that were refused, by the code of the refusal, over HTTP and sockets.',
    labelNames: ['code'],
    registers: [registry],
  })
  let comingEnds: Parameters<Metrics['announceJwtEndsBy']>[0] = () => []
  new Gauge({
    name: 'tollgate_jwt_expiry_timestamp_seconds',
    help: 'End of the first JWT of a web shop that ends within 30 days. Absent when none does.',
    labelNames: ['account'],
    registers: [registry],
    collect() {
      this.reset()
      // The first end comes last, so it is the one that stays.
      for (const { account, expiresAt } of comingEnds().toReversed()) this.set({ account }, expiresAt / 1_000)
    },
  })
  const dropped = new Counter({
    name: 'tollgate_log_lines_dropped_total',
    help: 'Lines of the log that could not be written.',
    registers: [registry],
  })
  const droppedRefusals = new Counter({
    name: 'tollgate_refusal_lines_dropped_total',
    help: 'Refused requests that were not logged, because there were too many at once.',
    registers: [registry],
  })
  const requests = createRequestFigures()
  return {
    meters: engineMeters(registry),
    observeRequest: requests.observe,
    countBy(given) {
      sources = given
    },
    announceJwtEndsBy(coming) {
      comingEnds = coming
    },
    refused: code => refusals.inc({ code }),
    logLineDropped: () => dropped.inc(),
    refusalLineDropped: () => droppedRefusals.inc(),
    contentType: registry.contentType,
    text: async () => `${await registry.metrics()}\n${requests.text()}`,
    // The type of the library has an enumeration where its data has a word.
    objects: async () => [...((await registry.getMetricsAsJSON()) as unknown as MetricObject[]), ...requests.objects()],
    exports: exportMeters(registry),
  }
}

function exportMeters(registry: Registry): ExportMeters {
  const registers = [registry]
  const sent = new Counter({
    name: 'tollgate_spans_exported_total',
    help: 'Spans that the OpenTelemetry receiver has accepted.',
    registers,
  })
  const dropped = new Counter({
    name: 'tollgate_spans_dropped_total',
    help: 'Spans that were lost, by reason: queue_full, refused by the receiver, or stopped.',
    labelNames: ['reason'],
    registers,
  })
  const failed = new Counter({
    name: 'tollgate_metric_exports_failed_total',
    help: 'Exports of all metrics that the OpenTelemetry receiver has not accepted.',
    registers,
  })
  return {
    spansSent: count => sent.inc(count),
    spansDropped: (count, reason) => dropped.inc({ reason }, count),
    metricsFailed: () => failed.inc(),
  }
}

/** A gauge that is counted anew: a restored snapshot replaces records whose ends are never seen. */
function countedAtScrape(registry: Registry, name: string, help: string, count: () => Promise<number>): void {
  new Gauge({
    ...{ name, help },
    registers: [registry],
    async collect() {
      // A store that cannot be read must not hide the other figures.
      this.set(await count().catch(() => Number.NaN))
    },
  })
}

function engineMeters(registry: Registry): Meters {
  const registers = [registry]
  const groups = new Histogram({
    name: 'tollgate_commit_group_size',
    help: 'Commits written with one sync to disk: the sum counts commits, the count counts syncs.',
    buckets: GROUP_SIZES,
    registers,
  })
  const retries = new Counter({
    name: 'tollgate_effects_retried_total',
    help: 'Effects that failed and were tried again.',
    labelNames: ['type'],
    registers,
  })
  const started = new Counter({
    name: 'tollgate_transactions_started_total',
    help: 'Counter transactions that were started.',
    labelNames: ['type'],
    registers,
  })
  const finished = new Counter({
    name: 'tollgate_transactions_finished_total',
    help: 'Counter transactions that have finished.',
    labelNames: ['type', 'result'],
    registers,
  })
  return {
    committed: groupSize => groups.observe(groupSize),
    effectRetried: type => retries.inc({ type }),
    transactionStarted: type => started.inc({ type }),
    transactionFinished: (type, result) => finished.inc({ type, result }),
    ...paymentMeters(registers),
  }
}

function paymentMeters(registers: Registry[]): Pick<Meters, 'paymentStarted' | 'paymentFinished'> {
  const started = new Counter({
    name: 'tollgate_payments_started_total',
    help: 'Online payments that were submitted.',
    labelNames: ['type'],
    registers,
  })
  const finished = new Counter({
    name: 'tollgate_payments_finished_total',
    help: 'Online payments that have finished.',
    labelNames: ['type', 'result'],
    registers,
  })
  return {
    paymentStarted: type => started.inc({ type }),
    paymentFinished: (type, result) => finished.inc({ type, result }),
  }
}
