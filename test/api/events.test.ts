// test/api/events.test.ts — the events of an account, in pages and as a stream.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { IncomingMessage, request, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'vitest'
import { createEventStreams } from '../../src/api/http/event-streams.ts'
import { HTTP_LIMITS } from '../../src/api/limits.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { basic, type Reply } from '../support/till.ts'

interface Event {
  readonly cursor: number
  readonly kind: string
  readonly id: string
  readonly type: string
}

function eventsOf(reply: Reply): readonly Event[] {
  equal(reply.status, 200)
  return reply.json['events'] as readonly Event[]
}

interface Stream {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Text received so far. */
  readonly text: () => string
  /** Resolves when the text contains this. */
  until(part: string): Promise<void>
  readonly ended: Promise<void>
  close(): void
}

/** Opens an event stream over a real socket. */
async function openStream(shop: Shop, path = '/api/events', headers: Record<string, string> = {}): Promise<Stream> {
  const { port } = shop.api.server.listening
    ? (shop.api.server.address() as { port: number })
    : await shop.api.listen({ host: '127.0.0.1', port: 0 })
  return new Promise((resolve, reject) => {
    const sent = { accept: 'text/event-stream', authorization: basic('demo-api-key'), ...headers }
    const asked = request({ host: '127.0.0.1', port, path, headers: sent, agent: false }, response => {
      let text = ''
      let heard = () => {}
      response.setEncoding('utf8')
      response.on('data', chunk => {
        text += chunk
        heard()
      })
      const ended = new Promise<void>(end => response.once('close', end))
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: () => text,
        async until(part) {
          while (!text.includes(part)) await new Promise<void>(next => (heard = next))
        },
        ended,
        close: () => asked.destroy(),
      })
    })
    asked.once('error', reject)
    asked.end()
  })
}

function framesIn(text: string): readonly Event[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Event)
}

test('pages of events have no gaps and no repetitions', async () => {
  const shop = await openShop()
  await shop.finished(await shop.till.sale(100))
  const all = eventsOf(await shop.till.ask('GET', '/api/events?limit=200'))
  ok(all.length > 20)
  const paged: Event[] = []
  for (let after: unknown = 0; ; ) {
    const page = await shop.till.ask('GET', `/api/events?limit=7&after=${after}`)
    if (eventsOf(page).length === 0) {
      equal(page.json['next'], after)
      break
    }
    paged.push(...eventsOf(page))
    after = page.json['next']
  }
  deepEqual(paged, all)
  deepEqual(
    all.map(({ cursor }) => cursor),
    all.map(({ cursor }) => cursor).toSorted((one, other) => one - other),
  )
})

test('a stream sends past and new events, each once', async () => {
  const shop = await openShop()
  const before = await shop.till.sale(100)
  await shop.finished(before)
  const stream = await openStream(shop)
  equal(stream.status, 200)
  ok(shop.observed.includes('listEvents 200'))
  match(String(stream.headers['content-type']), /^text\/event-stream/)
  await stream.until('"type":"ended"')
  const during = await shop.till.sale(200)
  await shop.finished(during)
  await shop.settle()
  const all = eventsOf(await shop.till.ask('GET', '/api/events?limit=200'))
  await stream.until(`"cursor":${all.at(-1)?.cursor},`)
  deepEqual(framesIn(stream.text()), all)
  match(stream.text(), /^retry: \d+$/m)
  match(stream.text(), /^event: terminal-transaction\.started$/m)
  stream.close()
})

test('Last-Event-ID resumes a stream', async () => {
  const shop = await openShop()
  await shop.finished(await shop.till.sale(100))
  const all = eventsOf(await shop.till.ask('GET', '/api/events?limit=200'))
  const last = all.at(-3)?.cursor ?? 0
  const stream = await openStream(shop, '/api/events?after=1', { 'last-event-id': String(last) })
  await stream.until(`"cursor":${all.at(-1)?.cursor},`)
  deepEqual(framesIn(stream.text()), all.slice(-2))
  stream.close()
  const refused = await openStream(shop, '/api/events', { 'last-event-id': 'x' })
  equal(refused.status, 422)
})

test('a stream without events sends a comment every 15 seconds', async () => {
  const shop = await openShop()
  const { events } = (await shop.till.ask('GET', '/api/events?limit=200')).json as { events: Event[] }
  const stream = await openStream(shop, `/api/events?after=${events.at(-1)?.cursor}`)
  await stream.until('retry:')
  await shop.settle()
  await shop.clock.advance(15_000)
  await stream.until(': alive')
  deepEqual(framesIn(stream.text()), [])
  stream.close()
})

test('the number of streams per account is limited, and a closed one frees its place', async () => {
  const shop = await openShop({ limits: { streamsPerAccount: 1 } })
  const first = await openStream(shop)
  const second = await openStream(shop)
  equal(second.status, 503)
  equal(second.headers['retry-after'], '1')
  first.close()
  await first.ended
  let third = await openStream(shop)
  // The server sees the end a moment later.
  while (third.status === 503) third = await openStream(shop)
  equal(third.status, 200)
  third.close()
})

test('a stream has CORS headers, and HEAD is answered at once', async () => {
  const shop = await openShop({ settings: { corsOrigins: ['https://console.example'] } })
  const stream = await openStream(shop, '/api/events', { origin: 'https://console.example' })
  equal(stream.headers['access-control-allow-origin'], 'https://console.example')
  stream.close()
  const head = await shop.till.ask('HEAD', '/api/events', { headers: { accept: 'text/event-stream' } })
  deepEqual([head.status, head.text], [200, ''])
})

test('streams end when the gateway stops', async () => {
  const shop = await openShop()
  const stream = await openStream(shop)
  await stream.until('retry:')
  await shop.api.close()
  await stream.ended
  equal(stream.text().endsWith('\n\n'), true)
})

test('an event that is committed while the stream reads the store is sent', async () => {
  let meanwhile: (() => Promise<unknown>) | null = null
  const shop = await openShop({
    store: store => ({
      ...store,
      async eventsAfter(...given) {
        const events = await store.eventsAfter(...given)
        const work = meanwhile
        meanwhile = null
        await work?.()
        return events
      },
    }),
  })
  meanwhile = () => shop.till.sale(100)
  const stream = await openStream(shop)
  await stream.until('"type":"started"')
  equal(meanwhile, null)
  deepEqual(framesIn(stream.text()), eventsOf(await shop.till.ask('GET', '/api/events?limit=200')))
  stream.close()
})

test('a client that disconnects before its stream begins takes no place', async () => {
  const { store, clock, log, gateway, settle } = await openShop()
  const streams = createEventStreams({ store, feed: gateway.feed, clock, log, limits: HTTP_LIMITS })
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  response.destroy()
  await settle()
  equal(streams.open({ account: 'demo', cursor: 0, textOf: () => '' }, response), true)
  await settle()
  equal(streams.count, 0)
})
