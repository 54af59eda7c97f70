// test/api/nodes/tracing.test.ts — a trace goes on over the link to the node that has a security code. ADR 68, 70.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { ACCOUNT, openNodes, TID, type TracingOf } from '../../support/linked-nodes.ts'
import { exportTo, openOtlpReceiver, type ReceivedSpan, type Traced } from '../../support/otlp-receiver.ts'
import { SALE } from '../../support/records.ts'

/** Exports the spans of all nodes to one receiver. */
async function exporting() {
  const receiver = await openOtlpReceiver()
  const traced: Traced[] = []
  const tracingOf: TracingOf = clock => {
    const one = exportTo(receiver, clock, {}, traced.length + 1)
    traced.push(one)
    return one.telemetry.tracer
  }
  const spans = async () => {
    for (const { telemetry } of traced) await telemetry.flush()
    return receiver.spans()
  }
  return { tracingOf, spans }
}

const pathTo = (spans: readonly ReceivedSpan[], span: ReceivedSpan | undefined): readonly string[] => {
  if (span === undefined) return []
  const parent = spans.find(({ spanId, traceId }) => spanId === span.parentSpanId && traceId === span.traceId)
  return [...pathTo(spans, parent), span.name]
}

test('an order to the acquirer on the node that has the PIN belongs to the trace of its effect', async () => {
  const { tracingOf, spans } = await exporting()
  const nodes = await openNodes(tracingOf)
  const { first, second } = nodes
  // The first performs the work, the terminal reports to the second.
  first.reportsTo = second
  const partner = { softwareHouseId: null, installerId: null }
  await second.gateway.transactions.start({ account: ACCOUNT, requestId: 'r1', tid: TID, request: SALE, partner })
  await nodes.until(() => second.orders.length === 1)
  const isSent = ({ name }: ReceivedSpan) => name === 'acquirer authorise'
  // The order is sent on one node, its effect ends afterwards on the other one.
  const ended = [
    'effect acquirer.authorise',
    'call transaction.authorise',
    'node transaction.authorise',
    'acquirer authorise',
  ]
  await nodes.until(async () => {
    const exported = new Set((await spans()).map(({ name }) => name))
    return ended.every(name => exported.has(name))
  })
  const all = await spans()
  const [order, ...others] = all.filter(isSent)
  deepEqual(others, [])
  deepEqual(pathTo(all, order).slice(-4), ended)
  const called = all.find(({ name }) => name === 'call transaction.authorise')
  equal(called?.attributes['tollgate.answer'], 'answered')
})

test('calls that belong to no trace have no spans', async () => {
  const { tracingOf, spans } = await exporting()
  const { first, second } = await openNodes(tracingOf)
  const outcome = await first.link.call(second.link.address, 'pos.find', { account: ACCOUNT }, 1_000)
  ok(outcome.outcome === 'answered')
  deepEqual(
    (await spans()).filter(({ name }) => name.includes('pos.find')),
    [],
  )
})
