// test/unit/platform/metrics.test.ts — the metrics that Prometheus reads.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { openMetrics } from '../../../src/platform/metrics.ts'

/** The value of one line of the text format. */
function figure(text: string, line: string): number {
  const found = text.split('\n').find(each => each.startsWith(`${line} `))
  ok(found !== undefined, `no line ${line}`)
  return Number(found.slice(line.length + 1))
}

test('transactions are counted when they start and when they finish', async () => {
  const metrics = openMetrics()
  metrics.meters.transactionStarted('SALE')
  metrics.meters.transactionStarted('REFUND')
  metrics.meters.transactionFinished('SALE', 'SUCCESSFUL')
  const text = await metrics.text()
  equal(figure(text, 'tollgate_transactions_started_total{type="SALE"}'), 1)
  equal(figure(text, 'tollgate_transactions_finished_total{type="SALE",result="SUCCESSFUL"}'), 1)
})

test('online payments are counted when they are submitted and when they end', async () => {
  const metrics = openMetrics()
  metrics.meters.paymentStarted('SALE')
  metrics.meters.paymentFinished('SALE', 'declined')
  const text = await metrics.text()
  equal(figure(text, 'tollgate_payments_started_total{type="SALE"}'), 1)
  equal(figure(text, 'tollgate_payments_finished_total{type="SALE",result="declined"}'), 1)
})

test('refusals are counted by their code', async () => {
  const metrics = openMetrics()
  metrics.refused('terminal_busy')
  metrics.refused('terminal_busy')
  equal(figure(await metrics.text(), 'tollgate_refusals_total{code="terminal_busy"}'), 2)
})

test('running transactions are counted at each scrape, and unknown while the store cannot be read', async () => {
  const metrics = openMetrics()
  const running = async () => figure(await metrics.text(), 'tollgate_transactions_running')
  equal(await running(), 0)
  const counts = [2, 1]
  const runningTransactions = async () => {
    const count = counts.shift()
    if (count === undefined) throw new Error('the store is gone')
    return count
  }
  metrics.countBy({ runningTransactions, openWebhooks: async () => 7 })
  deepEqual([await running(), await running(), await running()], [2, 1, Number.NaN])
  equal(figure(await metrics.text(), 'tollgate_webhooks_open'), 7)
})

test('the histogram of group sizes counts commits and syncs', async () => {
  const metrics = openMetrics()
  metrics.meters.committed(3)
  metrics.meters.committed(5)
  const text = await metrics.text()
  equal(figure(text, 'tollgate_commit_group_size_sum'), 8)
  equal(figure(text, 'tollgate_commit_group_size_count'), 2)
})

test('a retried effect is counted by its type', async () => {
  const metrics = openMetrics()
  metrics.meters.effectRetried('terminal.start')
  equal(figure(await metrics.text(), 'tollgate_effects_retried_total{type="terminal.start"}'), 1)
})

test('a request is counted by operation and status, and timed by operation', async () => {
  const metrics = openMetrics()
  metrics.observeRequest('startTransaction', 201, 0.004)
  metrics.observeRequest('startTransaction', 423, 0.002)
  const text = await metrics.text()
  equal(figure(text, 'tollgate_http_requests_total{operation="startTransaction",status="201"}'), 1)
  equal(figure(text, 'tollgate_http_requests_total{operation="startTransaction",status="423"}'), 1)
  equal(figure(text, 'tollgate_http_request_duration_seconds_count{operation="startTransaction"}'), 2)
  equal(figure(text, 'tollgate_http_request_duration_seconds_bucket{le="0.005",operation="startTransaction"}'), 2)
})

test('metrics of the process and its event loop are included', async () => {
  const metrics = openMetrics()
  const text = await metrics.text()
  match(text, /^nodejs_eventloop_lag_p99_seconds /m)
  match(text, /^process_resident_memory_bytes /m)
  match(metrics.contentType, /^text\/plain/)
})

test('two gateways in one process have separate metrics', async () => {
  const one = openMetrics()
  const other = openMetrics()
  one.meters.transactionStarted('SALE')
  equal(figure(await other.text(), 'tollgate_transactions_running'), 0)
})

test('the first coming end of a JWT is shown for each account, and only while it is coming', async () => {
  const metrics = openMetrics()
  const lines = async () =>
    (await metrics.text()).split('\n').filter(line => line.startsWith('tollgate_jwt_expiry_timestamp_seconds'))
  deepEqual(await lines(), [])
  let ends = [
    { account: 'harbour', expiresAt: 5_000 },
    { account: 'corner', expiresAt: 6_000 },
    { account: 'harbour', expiresAt: 7_000 },
  ]
  metrics.announceJwtEndsBy(() => ends)
  deepEqual((await lines()).toSorted(), [
    'tollgate_jwt_expiry_timestamp_seconds{account="corner"} 6',
    'tollgate_jwt_expiry_timestamp_seconds{account="harbour"} 5',
  ])
  ends = []
  deepEqual(await lines(), [])
})

test('refused requests without a log line are counted', async () => {
  const metrics = openMetrics()
  metrics.refusalLineDropped()
  equal(figure(await metrics.text(), 'tollgate_refusal_lines_dropped_total'), 1)
})
