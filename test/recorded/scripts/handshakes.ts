// test/recorded/scripts/handshakes.ts — accepted and refused WebSocket handshakes.
import { basic, type Play } from '../play.ts'
import { sendRaw } from '../raw.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { connect } from '../socket.ts'
import { addressOf } from './sockets.ts'

const PARTNER = 'software-house-id=maker&installer-id=fitter'

const BOTH = ['pac', 'pat'] as const

async function queries(play: Play): Promise<void> {
  for (const area of BOTH)
    for (const query of [
      `token=demo-api-key&api-version=v1&${PARTNER}`,
      'token=demo-api-key&api-version=V0',
      'token=demo-api-key',
      'token=demo-api-key&api-version=',
      '',
      'token=wrong',
      'token=demo-api-key&api-version=v2',
      'token=demo-api-key&api-version=v1&installer-id=i',
      'token=demo-api-key&api-version=v1&software-house-id=s',
      'token=demo-api-key&installer-id=4111111111111111',
    ]) {
      const line = await connect(play, 'a till', `/${area}?${query}`)
      // Refused when it was recorded: a hang-up here would shift all that comes after it.
      if (!query.includes('4111')) await line?.close()
    }
  for (const path of ['/PAC/', '//pac', '/tills', '/pac/terminals', '/pat/tables']) {
    const line = await connect(play, 'a till', `${path}?token=demo-api-key&api-version=v0`)
    await line?.close()
  }
  const named = await connect(play, 'a till with a key in a header', '/pac?api-version=v0', basic('demo-api-key'))
  await named?.close()
}

async function origins(play: Play): Promise<void> {
  for (const origin of ['https://till.example', 'https://evil.example', 'null', 'http://pay.example']) {
    const line = await connect(play, `a page of ${origin}`, addressOf('v1'), { origin })
    await line?.close()
  }
}

/** Plain HTTP requests without an upgrade. */
async function notUpgraded(play: Play): Promise<void> {
  const browser = play.as('browser')
  for (const area of BOTH)
    for (const query of [
      '',
      '?token=wrong',
      '?token=demo-api-key&api-version=v9',
      '?token=demo-api-key&api-version=v1',
      `?token=demo-api-key&api-version=v1&${PARTNER}`,
    ]) {
      await browser.get(`/${area}${query}`)
      await browser.get(`/${area}${query}`, { accept: 'application/connect.v0+json' })
      await browser.get(`/${area}${query}`, { accept: 'application/connect.v1+json' })
    }
  await browser.ask('HEAD', '/pac')
  await browser.ask('OPTIONS', '/pac')
  await browser.ask('OPTIONS', '/pat')
  await browser.ask('PUT', '/pac', { body: {} })
  await browser.ask('POST', '/pat', { body: {} })
}

async function broken(play: Play): Promise<void> {
  const upgrade = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ]
  const send = (what: string, method: string, headers: readonly string[], path = addressOf('v1')) =>
    sendRaw(play, what, [`${method} ${path} HTTP/1.1`, 'Host: pay.example', ...headers, '', ''].join('\r\n'))
  await send(
    'another version of WebSockets',
    'GET',
    upgrade.map(line => line.replace('13', '7')),
  )
  await send(
    'a broken key',
    'GET',
    upgrade.map(line => line.replace(/Key: .*/, 'Key: short')),
  )
  await send('protocols that cannot be read', 'GET', [...upgrade, 'Sec-WebSocket-Protocol: ,'])
  await send('another method', 'POST', upgrade)
  await send('another address', 'GET', upgrade, '/docs')
  await send('no address', 'GET', upgrade, '/nothing')
}

async function tooMany(play: Play): Promise<void> {
  const first = await connect(play, 'the first', addressOf('v1'))
  await connect(play, 'one too many', addressOf('v1'))
  await connect(play, 'one too many', addressOf('v0', 'pat'))
  await first?.close()
  const next = await connect(play, 'the next', addressOf('v1'))
  await next?.close()
}

/** Input that is not HTTP. */
async function garbage(play: Play): Promise<void> {
  await sendRaw(play, 'no request', 'HELLO\r\n\r\n')
  await sendRaw(
    play,
    'headers that are too large',
    `GET / HTTP/1.1\r\nHost: pay.example\r\nCookie: ${'a'.repeat(20_000)}\r\n\r\n`,
  )
  await sendRaw(play, 'no host', 'GET /pac/terminals HTTP/1.0\r\n\r\n')
  await sendRaw(play, 'two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n')
}

export const HANDSHAKES: readonly Scenario[] = [
  scenario('addresses and what they say', queries),
  scenario('pages of other origins', origins, { corsOrigins: ['https://till.example'] }),
  scenario('without an upgrade', notUpgraded),
  scenario('handshakes that break the rules', broken),
  scenario('more connections than an account may have', tooMany, { socketsPerAccount: 1 }),
  scenario('bytes that are no request', garbage),
]
