// test/recorded/scripts/pages.ts — pages, files, health and metrics, the demo shop, and cross-origin requests.
import { basic, type Play, type Reply } from '../play.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { schemaInShort } from './sandbox.ts'
import { browserOf, PLAIN } from './shop.ts'
import { APPROVES, SALE, transactionsAt } from './tills.ts'

const HEADERS_ONLY = { show: 'status and headers' } as const

async function files(play: Play): Promise<void> {
  const browser = browserOf(play)
  await browser.get('/')
  for (const path of ['/docs', '/docs/socket', '/docs/socket/v1', '/docs/cards'])
    await browser.ask('GET', path, { show: body => (body as readonly unknown[]).slice(0, 30) })
  for (const path of [
    '/docs/none',
    '/docs/socket/v9',
    '/assets/none',
    '/assets/js/none',
    '/schemas/none',
    '/nothing',
    '/docs/../secret',
  ])
    await browser.get(path)
  for (const path of [
    '/docs/swagger-ui.css',
    '/docs/swagger-ui-bundle.js',
    '/assets/style.css',
    '/assets/docs.css',
    '/assets/nav.css',
    '/assets/icon.svg',
  ])
    await browser.ask('GET', path, HEADERS_ONLY)
  const { json } = await browser.get('/assets/integrity.json')
  const scripts = json['scripts'] as Readonly<Record<string, { readonly plain: string; readonly versioned: string }>>
  for (const { plain, versioned } of Object.values(scripts))
    for (const address of [plain, versioned])
      await browser.ask('GET', address.replace('http://pay.example', ''), HEADERS_ONLY)
  await browser.ask('GET', '/assets/js/client.js', { ...HEADERS_ONLY, headers: { origin: 'https://shop.example' } })
  await browser.ask('HEAD', '/assets/js/client.js')
  await browser.post('/', {})
  await browser.ask('DELETE', '/assets/js/client.js')
}

async function documents(play: Play): Promise<void> {
  const browser = browserOf(play)
  await browser.ask('GET', '/openapi.json', { show: pathsOf })
  await browser.ask('GET', '/asyncapi.json', { show: channelsOf })
  const { json } = await browser.ask('GET', '/schemas', {
    show: body => ({ count: JSON.stringify(body).match(/\.json/g)?.length }),
  })
  const first = /schemas\/([\w-]+\.json)/.exec(JSON.stringify(json))?.[1]
  await browser.ask('GET', `/schemas/${first}`, { show: schemaInShort })
  await browser.get('/schemas/pac-v1-sale-request.json')
}

/** Declared statuses of each method and path. */
function pathsOf(body: unknown): unknown {
  const { openapi, paths } = body as { openapi: string; paths: Record<string, Record<string, { responses?: object }>> }
  return {
    openapi,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, methods]) => [
        path,
        Object.entries(methods).map(([method, { responses = {} }]) => `${method} ${Object.keys(responses).join(' ')}`),
      ]),
    ),
  }
}

function channelsOf(body: unknown): unknown {
  const { asyncapi, channels, operations } = body as {
    asyncapi: string
    channels: Record<string, { address: string }>
    operations: Record<string, { action: string }>
  }
  return {
    asyncapi,
    channels: Object.fromEntries(Object.entries(channels).map(([name, { address }]) => [name, address])),
    operations: Object.entries(operations).map(([name, { action }]) => `${action} ${name}`),
  }
}

async function system(play: Play): Promise<void> {
  const anybody = play.as('somebody')
  for (const path of ['/health/live', '/health/ready', '/metrics']) {
    await anybody.get(path)
    await anybody.ask('HEAD', path)
    await anybody.post(path, {})
  }
}

async function figures(play: Play): Promise<void> {
  const anybody = play.as('somebody')
  await anybody.get('/metrics')
  await anybody.get('/metrics', { authorization: 'Bearer wrong' })
  await anybody.get('/metrics', { authorization: 'Bearer figures' })
}

async function origins(play: Play): Promise<void> {
  const browser = browserOf(play)
  const preflight = (path: string, method: string, origin = 'https://till.example') =>
    browser.ask('OPTIONS', path, {
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization' },
    })
  for (const path of [
    '/pac/terminals',
    transactionsAt(APPROVES),
    '/pat/tables/Window%202/lock',
    '/api/account',
    '/sandbox/clock',
    '/v1/access-tokens',
    '/api/payments/x',
    '/cors/api/payments/x/apple-pay',
    '/mobile/payments/x/three-ds-complete',
    '/nothing',
    '/health/live',
  ])
    await preflight(path, path.startsWith('/api/a') ? 'GET' : 'POST')
  await preflight('/pac/terminals', 'GET', 'https://evil.example')
  const till = play.as('a till in a browser', basic('demo-api-key'))
  for (const origin of ['https://till.example', 'https://evil.example', 'null']) {
    await till.get(`/pac/terminals/${APPROVES}`, { origin })
    await till.get('/api/account', { origin })
    await till.get('/nothing', { origin })
  }
  await till.post(transactionsAt(APPROVES), SALE, { origin: 'https://till.example', 'x-request-id': 'mine' })
}

/** The demo shop calls its gateway, which therefore has to listen on a port. */
async function demo(play: Play): Promise<void> {
  const browser = browserOf(play)
  const socket = true
  const ask = (method: string, path: string, body?: unknown): Promise<Reply> =>
    browser.ask(method, path, { socket, ...(body === undefined ? {} : { body }) })
  await ask('GET', '/demo')
  await ask('GET', '/demo/state')
  const { json } = await ask('POST', '/demo/orders', { good: 0, kind: 'SALE' })
  const order = (json['order'] as { readonly id: string }).id
  await ask('POST', '/demo/orders', { good: 99, kind: 'SALE' })
  await ask('POST', `/demo/orders/${order}/later`, { step: 'refund' })
  await ask('POST', `/demo/orders/${order}/confirm`)
  await ask('POST', `/api/payments/${json['token']}`, PLAIN)
  await play.gateway.settle()
  await ask('GET', '/demo/state')
  await ask('POST', `/demo/orders/${order}/confirm`)
  await ask('POST', `/demo/orders/${order}/later`, { step: 'charge-again' })
  await ask('POST', `/demo/orders/${order}/later`, { step: 'refund' })
  await ask('POST', `/demo/orders/${order}/later`, { step: 'dance' })
  await ask('POST', '/demo/orders/none/confirm')
  await ask('POST', '/demo/orders', { good: 1, kind: 'PREAUTH', of: order })
  await ask('POST', '/demo/webhooks', { id: json['token'], orderId: order })
  await ask('POST', '/demo/webhooks', { id: 'none', orderId: order })
  await ask('GET', '/demo/checkout?good=0')
  await ask('GET', '/demo/checkout?good=99')
  await browser.ask('POST', `/demo/checkout/${order}`, { form: { connectStatusCode: '0' }, socket })
  await ask('POST', '/demo/checkout/none', {})
}

async function behindProxy(play: Play): Promise<void> {
  const till = play.as('a proxy', basic('demo-api-key'))
  const forwarded = { 'x-forwarded-host': 'pay.shop.example', 'x-forwarded-proto': 'https' }
  await till.get(`/pac/terminals/${APPROVES}`, forwarded)
  await till.get(`/pac/terminals/${APPROVES}`, { ...forwarded, 'x-forwarded-proto': 'gopher' })
}

export const PAGES: readonly Scenario[] = [
  scenario('pages and files', files),
  scenario('descriptions of the interfaces', documents),
  scenario('health and figures', system),
  scenario('figures behind a token', figures, { metricsToken: 'figures' }),
  scenario('any origin', origins),
  scenario('known origins', origins, { corsOrigins: ['https://till.example'] }),
  scenario('the demo shop', demo),
  scenario('behind a proxy', behindProxy, { trustedProxies: ['127.0.0.1'] }),
]
