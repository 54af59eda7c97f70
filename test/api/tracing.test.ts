// test/api/tracing.test.ts — whole traces of sales and payments, as an OTLP receiver gets them.
import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { Fault } from '../../src/engine/fault.ts'
import type { Store } from '../../src/engine/ports/store.ts'
import { SPAN_ATTRIBUTES } from '../../src/engine/span-attributes.ts'
import { openMemoryStore } from '../../src/store/sqlite/memory-store.ts'
import { numbersThatLookLikeCards } from '../support/card-scanner.ts'
import {
  exportTo,
  type OtlpReceiver,
  openOtlpReceiver,
  type ReceivedSpan,
  type Traced,
  treeOf,
} from '../support/otlp-receiver.ts'
import { openShop, type ShopOptions } from '../support/shop.ts'
import { connectTill, openSocketShop } from '../support/socket-till.ts'
import { openWebShop, PLAIN_CARD } from '../support/web-shop.ts'

const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`

/** Options of a shop that exports to a receiver, and a function that returns all spans so far. */
async function exporting(seed = 7) {
  const receiver = await openOtlpReceiver()
  let traced: Traced | undefined
  const tracing: ShopOptions['tracing'] = clock => {
    traced = exportTo(receiver, clock, {}, seed)
    return traced.telemetry.tracer
  }
  return { receiver, tracing, spans: () => flushed(receiver, traced) }
}

async function flushed(receiver: OtlpReceiver, traced: Traced | undefined): Promise<readonly ReceivedSpan[]> {
  await traced?.telemetry.flush()
  const spans = receiver.spans()
  // Whatever a test does, this holds.
  const names = new Set(Object.keys(SPAN_ATTRIBUTES))
  for (const { attributes, events, status } of spans) {
    deepEqual(
      Object.keys(attributes).filter(name => !names.has(name)),
      [],
    )
    deepEqual([events ?? [], status?.message], [[], undefined])
  }
  const all = receiver.received.map(({ bytes }) => bytes.toString()).join('\n')
  deepEqual(numbersThatLookLikeCards(all.replaceAll(/"\w*TimeUnixNano":"\d+"/g, '')), [])
  for (const secret of ['demo-api-key', 'Bearer', 'eyJ', PLAIN_CARD.cardName]) ok(!all.includes(secret), secret)
  return spans
}

const inTrace = (spans: readonly ReceivedSpan[], traceId: string | undefined) =>
  spans.filter(span => span.traceId === traceId)

function named(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const found = spans.find(span => span.name === name)
  ok(found !== undefined, `no ${name} in ${spans.map(span => span.name)}`)
  return found
}

const SALE = { transactionType: 'SALE', amount: 2599, currency: 'GBP' }
const REQUEST = 'POST /pac/terminals/{tid}/transactions'
const EXECUTED = ['decide terminal-transaction', 'commit']

/** The tree of a span's descendants. */
const below = (spans: readonly ReceivedSpan[], span: ReceivedSpan) => treeOf(spans, span.spanId)

test('a sale over HTTP is one trace, in the trace of its caller', async () => {
  const { tracing, spans } = await exporting()
  const shop = await openShop({ tracing })
  const answer = await shop.till.start(SALE, {
    headers: { traceparent: TRACEPARENT, tracestate: 'shop=4111111111111111' },
  })
  equal(answer.status, 201)
  await shop.clock.advance(30_000)
  const all = inTrace(await spans(), CALLER.traceId)
  const request = named(all, REQUEST)
  equal(request.parentSpanId, CALLER.spanId)
  deepEqual(request.attributes, {
    'http.request.method': 'POST',
    'http.route': '/pac/terminals/{tid}/transactions',
    'http.response.status_code': 201,
    'tollgate.operation': 'startTransaction',
    'tollgate.api_version': 'v2',
    'tollgate.account': 'demo',
  })
  const [first, ...reports] = below(all, request)
    .join('\n')
    .split(/\n(?=terminal report)/)
  deepEqual(first?.split('\n'), [...EXECUTED, '  effect terminal.start', '    terminal start'])
  ok(reports.length > 3)
  deepEqual(
    reports.filter(report => report.includes('acquirer')).map(report => report.split('\n')),
    [
      [
        'terminal report',
        ...EXECUTED.map(line => `  ${line}`),
        '    effect acquirer.authorise',
        '      acquirer authorise',
        ...EXECUTED.map(line => `      ${line}`),
        '        effect terminal.answer_authorisation',
        '          terminal answer_authorisation',
      ],
    ],
  )
  equal(named(all, 'acquirer authorise').attributes['tollgate.answer'], 'approved')
  equal(named(all, 'effect terminal.start').attributes['tollgate.effect.outcome'], 'done')
})

test('spans go by the clock of the gateway, and ids by its source of randomness', async () => {
  const run = async () => {
    const { tracing, spans } = await exporting(3)
    const shop = await openShop({ tracing })
    await shop.till.start(SALE)
    await shop.settle()
    const [span] = (await spans()).filter(({ name }) => name === REQUEST)
    return { ...span, startedAt: shop.clock.now() }
  }
  const [one, other] = [await run(), await run()]
  equal(one.traceId, other.traceId)
  equal(one.spanId, other.spanId)
  equal(one.startTimeUnixNano, String(BigInt(one.startedAt) * 1_000_000n))
})

test.each([
  `${TRACEPARENT}0`,
  TRACEPARENT.toUpperCase(),
  `ff${TRACEPARENT.slice(2)}`,
  `00-${'0'.repeat(32)}-${CALLER.spanId}-01`,
  `00-${CALLER.traceId}-${'0'.repeat(16)}-01`,
  `${TRACEPARENT}, ${TRACEPARENT}`,
  '4111111111111111',
])('a broken traceparent begins a trace of its own: %s', async traceparent => {
  const { tracing, spans } = await exporting()
  const shop = await openShop({ tracing })
  await shop.till.start(SALE, { headers: { traceparent } })
  await shop.settle()
  const request = named(await spans(), REQUEST)
  equal(request.parentSpanId ?? '', '')
  notEqual(request.traceId, CALLER.traceId)
})

test('a caller that does not sample is not traced, and neither is what follows', async () => {
  const { tracing, spans } = await exporting()
  const shop = await openShop({ tracing })
  const headers = { traceparent: `${TRACEPARENT.slice(0, -2)}00` }
  const { requestId, location } = (await shop.till.start(SALE, { headers })).json as {
    requestId: string
    location: string
  }
  await shop.finished({ requestId, location })
  deepEqual(
    (await spans())
      .filter(({ name }) => name !== 'GET /pac/terminals/{tid}/transactions/{requestId}')
      .map(({ name }) => name),
    [],
  )
})

test('a sale over a WebSocket is a trace that is linked with the handshake', async () => {
  const { tracing, spans } = await exporting()
  const shop = await openSocketShop({ tracing })
  const till = await connectTill(shop, { version: 'v1' })
  till.request('sale', { tid: 'VCMDEMOSIP0', currency: 'GBP', amount: 100 }, 1)
  await till.until('TRANSACTION_FINISHED')
  const all = await spans()
  const [handshake, sale] = [named(all, 'GET /pac'), named(all, 'rpc.sale')]
  equal(handshake.attributes['http.response.status_code'], 101)
  equal(sale.parentSpanId ?? '', '')
  deepEqual(
    sale.links?.map(({ traceId, spanId }) => ({ traceId, spanId })),
    [{ traceId: handshake.traceId, spanId: handshake.spanId }],
  )
  deepEqual(below(all, sale).slice(0, 4), [...EXECUTED, '  effect terminal.start', '    terminal start'])
  equal(named(inTrace(all, sale.traceId), 'acquirer authorise').attributes['tollgate.answer'], 'approved')
})

test('a refused request over a WebSocket has its error code', async () => {
  const { tracing, spans } = await exporting()
  const shop = await openSocketShop({ tracing })
  const till = await connectTill(shop, { version: 'v1' })
  const answer = await till.ask('sale', { tid: 'none', currency: 'GBP', amount: 100 }, 1)
  equal(named(await spans(), 'rpc.sale').attributes['rpc.jsonrpc.error_code'], String(answer.error?.code))
})

test('an online payment is one trace, up to the webhook, which names it to the shop', async () => {
  const posted: (string | undefined)[] = []
  const { tracing, spans } = await exporting()
  const web = await openWebShop({
    tracing,
    webhookSender: {
      async post({ headers }) {
        posted.push(headers['traceparent'])
        return { outcome: 'answered', status: 200 }
      },
    },
  })
  const token = await web.token({ webHookUrl: 'https://shop.example/hook?key=secret' })
  await web.pay(token)
  await web.shop.clock.advance(10_000)
  const all = await spans()
  const payment = named(all, 'POST /api/payments/{token}')
  const tree = below(all, payment)
  deepEqual(
    tree.map(line => line.trim()).filter(name => !/^(decide|commit)/.test(name)),
    [
      'effect payment.look_up',
      'directory_server look_up',
      'effect payment.authorise',
      'acquirer authorise',
      'effect webhook.announce',
      'effect webhook.send',
      'webhook POST',
      'effect webhook.look_for_next',
    ],
  )
  const post = named(inTrace(all, payment.traceId), 'webhook POST')
  deepEqual(posted, [`00-${post.traceId}-${post.spanId}-01`])
  equal(post.attributes['http.response.status_code'], 200)
  ok(!JSON.stringify(all).includes(token))
})

test('a cancel is a trace of its own; its outcome belongs to the sale', async () => {
  const { tracing, spans } = await exporting()
  const shop = await openShop({ tracing, terminal: '22160001' })
  const sale = await shop.till.sale(2599)
  await shop.clock.advance(2_000)
  await Promise.all([shop.till.cancel(sale), shop.clock.advance(10_000)])
  const all = await spans()
  const [request, cancel] = [named(all, REQUEST), named(all, 'DELETE /pac/terminals/{tid}/transactions/{requestId}')]
  notEqual(cancel.traceId, request.traceId)
  deepEqual(below(all, cancel), [...EXECUTED, '  effect terminal.cancel', '    terminal cancel'])
  ok(
    inTrace(all, request.traceId).some(
      ({ name, attributes }) => name === 'terminal report' && attributes['tollgate.report.first'] === 'ended',
    ),
  )
})

test('a timer belongs to the trace of the sale', async () => {
  const { tracing, spans } = await exporting()
  const shop = await openShop({ tracing, terminal: 'VCMDEMOSIS0' })
  await shop.until(await shop.till.sale(2599), 'SIGNATURE_VERIFICATION')
  await shop.clock.advance(80_000)
  const all = await spans()
  const timer = named(all, 'timer terminal-transaction')
  equal(timer.traceId, named(all, REQUEST).traceId)
  equal(timer.attributes['tollgate.timer'], 'signature')
})

test('an effect that a killed process has left continues its trace in the next process', async () => {
  const opened = openMemoryStore()
  const shared = { store: () => opened, images: () => opened }
  const first = await exporting(1)
  const killed = await openShop({ ...shared, tracing: first.tracing, store: () => diesAfterCommit(opened) })
  equal((await killed.till.start(SALE)).status, 503)
  deepEqual(
    (await opened.undoneEffects(9)).map(({ type }) => type),
    ['terminal.start'],
  )
  const second = await exporting(2)
  const shop = await openShop({ ...shared, tracing: second.tracing })
  await shop.clock.advance(30_000)
  const before = await first.spans()
  const after = await second.spans()
  const effect = named(after, 'effect terminal.start')
  const decided = named(before, 'decide terminal-transaction')
  equal(effect.traceId, decided.traceId)
  equal(effect.parentSpanId, named(before, 'commit').spanId)
  // What the terminal reports then is in the same trace.
  equal(named(after, 'acquirer authorise').traceId, decided.traceId)
})

/** A store that fails when it has written the start of a transaction: its process performs no effect of it. */
function diesAfterCommit(store: Store): Store {
  return {
    ...store,
    async commit(commit) {
      const result = await store.commit(commit)
      if (commit.kind === 'terminal-transaction') throw new Fault('store_gone')
      return result
    },
  }
}

test('without tracing nothing is stored and nothing is sent along', async () => {
  const bodies: string[] = []
  const headers: string[] = []
  const web = await openWebShop({
    store: store => ({
      ...store,
      commit(commit) {
        bodies.push(...commit.effects.map(({ body }) => body))
        return store.commit(commit)
      },
    }),
    webhookSender: {
      async post(message) {
        headers.push(...Object.keys(message.headers))
        return { outcome: 'answered', status: 200 }
      },
    },
  })
  await web.pay(await web.token({ webHookUrl: 'https://shop.example/hook' }))
  await web.shop.clock.advance(10_000)
  ok(bodies.length > 2)
  ok(headers.length > 2)
  deepEqual(
    [...bodies, ...headers].filter(text => text.includes('traceparent')),
    [],
  )
})

test('effects that were stored with a trace are performed when tracing is off', async () => {
  const opened = openMemoryStore()
  const shared = { store: () => opened, images: () => opened }
  const { tracing } = await exporting()
  const killed = await openShop({ ...shared, tracing, store: () => diesAfterCommit(opened) })
  equal((await killed.till.start(SALE)).status, 503)
  const [effect] = await opened.undoneEffects(1)
  ok(effect?.body.startsWith('{"traceparent":"00-'))
  const shop = await openShop(shared)
  await shop.clock.advance(30_000)
  const requestId = effect?.id ?? ''
  const body = await shop.till.look({
    requestId,
    location: `http://localhost/pac/terminals/VCMDEMOSIP0/transactions/${requestId}`,
  })
  equal(body.transactionResult, 'SUCCESSFUL')
})

test('a receiver that hangs delays no request', async () => {
  const { receiver, tracing } = await exporting()
  receiver.answer = 'hang'
  const shop = await openShop({ tracing })
  const exported = receiver.next()
  const sale = await shop.till.sale(2599)
  equal((await shop.finished(sale)).transactionResult, 'SUCCESSFUL')
  await shop.clock.advance(5_000)
  await exported
  equal((await shop.till.start(SALE)).status, 201)
})
