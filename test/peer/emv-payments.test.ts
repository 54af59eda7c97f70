// test/peer/emv-payments.test.ts — payments of the real program, authenticated by a directory server that is another process.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDirectory, runJson, type Serving, serving } from '../cli/tollgate.ts'
import { freePort } from '../support/free-port.ts'
import { createAuthority } from './directory-server/certificates.ts'

const PEER = fileURLToPath(new URL('./directory-server/server.ts', import.meta.url))
const scheme = createAuthority('scheme.example')
const stranger = createAuthority('stranger.example')
const OURS = scheme.issue('localhost')

type Json = Readonly<Record<string, unknown>>

/** Test cards of the sandbox, whose simulated acquirer charges them, with the peer's answer. */
const FRICTIONLESS = ['4456530000001096', 'John Watson', '020']
const CHALLENGED = ['4456530000000007', 'Geoff Wayne', '020']
const NOT_AUTHENTICATED = ['4976350000006891', 'Geoff Wayne', '342']
const OF_ANOTHER_SCHEME = ['5100000000005460', 'Luke Johns', '524']

interface Town {
  readonly data: string
  readonly env: Readonly<Record<string, string>>
  gateway: Serving
  /** A GET of the peer. */
  ask(path: string): Promise<Json>
  close(): void
}

async function openTown(): Promise<Town> {
  const folder = emptyDirectory()
  const files = {
    ...{ 'server.pem': OURS.certificate, 'server-key.pem': OURS.privateKey, 'ca.pem': scheme.certificate },
  }
  const pairs = {
    client: scheme.issue('ds.example'),
    'other-name': scheme.issue('other.example'),
    'other-authority': stranger.issue('ds.example'),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  for (const [name, { certificate, privateKey }] of Object.entries(pairs)) {
    writeFileSync(join(folder, `${name}.pem`), certificate)
    writeFileSync(join(folder, `${name}-key.pem`), privateKey)
  }
  const child = spawn(process.execPath, ['--import', 'tsx', PEER, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const peerPort = Number(line)
  const resultsPort = await freePort()
  const document = {
    name: 'scheme-test',
    versions: ['2.1.0', '2.2.0'],
    // Without ranges each card is asked about.
    preqUrls: [`https://localhost:${peerPort}/erro-303`],
    tls: { clientCert: 'server.pem', clientKey: 'server-key.pem', serverCa: 'ca.pem' },
    ids: { refNumber: '3DS_LOA_SER_XXXX_020200_00000' },
    authentication: {
      scheme: 'VISA',
      areqUrls: [`https://localhost:${peerPort}/areq`],
      resultsUrl: `https://localhost:${resultsPort}/3ds/results`,
    },
    inbound: {
      ...{ port: resultsPort, serverCert: 'server.pem', serverKey: 'server-key.pem' },
      ...{ clientCa: 'ca.pem', clientName: 'ds.example' },
    },
    requestors: [
      {
        account: 'harbour',
        ...{ requestorId: 'R-1', requestorName: 'Harbour', requestorUrl: 'https://shop.example', country: '826' },
        ...{
          acquirerBin: '438309',
          acquirerMerchantId: '00002',
          merchantCategoryCode: '5411',
          merchantName: 'Harbour',
        },
      },
    ],
  }
  writeFileSync(join(folder, 'scheme.json'), JSON.stringify(document))
  const env = {
    TOLLGATE_DIRECTORY_SERVER: join(folder, 'scheme.json'),
    TOLLGATE_PUBLIC_URL: 'https://gateway.example',
  }
  const data = emptyDirectory()
  const create = [
    'accounts',
    'create',
    'harbour',
    '--data',
    data,
    '--name',
    'Harbour',
    '--merchant-host',
    'shop.example',
  ]
  await runJson([...create, '--directory-server', 'emv'], env)
  const gateway = await serving(data, env)
  return { data, env, gateway, ask: path => ask(peerPort, path), close: () => void child.kill('SIGKILL') }
}

async function ask(port: number, path: string): Promise<Json> {
  const tls = { cert: OURS.certificate, key: OURS.privateKey, ca: scheme.certificate }
  const asked = request({ host: 'localhost', port, path, agent: false, ...tls }).end()
  const [response] = await once(asked, 'response')
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return JSON.parse(text) as Json
}

const BROWSER = {
  ...{ language: 'en-GB', javaEnabled: false, colourDepth: 30, screenHeight: 900, screenWidth: 1440 },
  timeZoneMinutes: -60,
}

let town: Town
let orders = 0
beforeAll(async () => {
  town = await openTown()
})
afterAll(() => town?.close())

/** The gateway listens without TLS: the proxy at its public address is left out. */
const listening = () => /"listening":"([^"]+)"/.exec(town.gateway.said())?.[1] ?? ''

async function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Json> {
  const answer = await fetch(listening() + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Mozilla/5.0',
      'accept-language': 'en-GB',
      ...headers,
    },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as Json
}

async function accessToken(): Promise<string> {
  const { token } = await runJson<{ token: string }>(['token', 'harbour', '--data', town.data], town.env)
  orders += 1
  const order = { merchantUrl: 'shop.example', currencyCode: '826', amount: '1999', transactionType: 'SALE' }
  const { id } = await post(
    '/v1/access-tokens',
    { ...order, orderId: `R-${orders}` },
    { authorization: `Bearer ${token}` },
  )
  return String(id)
}

async function pay(token: string, [cardNumber, cardName, cV2]: readonly string[], browser: object | null = BROWSER) {
  const card = { cardName, cardNumber, expiryDate: '12 / 30', cV2 }
  return post(`/api/payments/${token}`, { ...card, browser })
}

/** The browser posts a form. */
const form = (path: string, fields: Readonly<Record<string, string>>) =>
  fetch(listening() + path, { method: 'POST', body: new URLSearchParams(fields) })

/** The browser comes back from the issuer. What it brings says that all is well. */
async function comeBack(md: unknown): Promise<string> {
  const cres = Buffer.from(JSON.stringify({ messageType: 'CRes', transStatus: 'Y' })).toString('base64url')
  const page = await (await form('/three-d-secure/return', { threeDSSessionData: String(md), cres })).text()
  return /data-message="([^"]*)"/.exec(page)?.[1]?.replaceAll('&quot;', '"') ?? page
}

test('a frictionless answer is a proof, with the browser of the payer in the request', async () => {
  const answer = await pay(await accessToken(), FRICTIONLESS)
  equal(answer['statusCode'], 0, JSON.stringify(answer))
  const { requests, invalid } = (await town.ask('/seen')) as {
    readonly requests: readonly Json[]
    readonly invalid: unknown[]
  }
  const areq = requests.findLast(each => each['messageType'] === 'AReq') ?? {}
  deepEqual(
    ['browserColorDepth', 'browserTZ', 'browserUserAgent', 'browserLanguage', 'purchaseAmount'].map(name => areq[name]),
    ['24', '-60', 'Mozilla/5.0', 'en-GB', '1999'],
  )
  match(String(areq['threeDSServerURL']), /\/3ds\/results\/harbour$/)
  equal(areq['notificationURL'], 'https://gateway.example/three-d-secure/return')
  deepEqual(invalid, [])
})

test('case 28: an issuer that does not authenticate the payer ends the payment', async () => {
  const { statusCode, reason } = await pay(await accessToken(), NOT_AUTHENTICATED)
  deepEqual([statusCode, reason], [5, 'not_authenticated'])
})

test('a payment without the data of its browser is not authenticated, and not charged', async () => {
  const { statusCode, reason } = await pay(await accessToken(), FRICTIONLESS, null)
  deepEqual([statusCode, reason], [30, 'authentication_unavailable'])
})

test('a card of another scheme counts as not enrolled, and the directory server is not asked', async () => {
  const count = async () => ((await town.ask('/seen'))['requests'] as readonly unknown[]).length
  const before = await count()
  equal((await pay(await accessToken(), OF_ANOTHER_SCHEME))['statusCode'], 0)
  equal(await count(), before)
})

test('a malformed member of the browser is refused by name', async () => {
  const { message } = await pay(await accessToken(), FRICTIONLESS, { ...BROWSER, colourDepth: 'many' })
  match(String(message), /browser\.colourDepth/)
})

test('case 27 and 29: the payer is sent to the issuer, and only the result of the directory server charges the card', async () => {
  const token = await accessToken()
  const { statusCode, stepUpUrl, md, jwt } = await pay(token, CHALLENGED)
  deepEqual([statusCode, stepUpUrl], [3, 'https://gateway.example/three-d-secure/challenge'])
  const page = await form('/three-d-secure/challenge', { JWT: String(jwt), MD: String(md) })
  match(page.headers.get('content-security-policy') ?? '', /; form-action https:\/\/acs\.example; /)
  const html = await page.text()
  match(html, /<form method="post" action="https:\/\/acs\.example\/challenge\?t=1">/)
  match(
    html,
    new RegExp(
      `name="creq" value="${String(jwt)}"><input type="hidden" name="threeDSSessionData" value="${String(md)}"`,
    ),
  )
  const creq = JSON.parse(Buffer.from(String(jwt), 'base64url').toString('utf8')) as Json
  deepEqual([creq['messageType'], creq['messageVersion'], creq['challengeWindowSize']], ['CReq', '2.2.0', '02'])
  const frame = await fetch(`${listening()}/three-ds?token=${token}`)
  match(frame.headers.get('content-security-policy') ?? '', /; frame-src 'self' https:\/\/acs\.example; /)

  equal((await town.ask('/result?status=Y'))['resultsStatus'], '01')
  match(await comeBack(md), /"statusCode":0/)
  equal((await town.ask('/result?status=Y'))['resultsStatus'], '01')
  equal((await town.ask('/result?status=N'))['errorCode'], '305')
})

test('case 29: what the browser brings back decides nothing while there is no result', {
  timeout: 40_000,
}, async () => {
  const { md } = await pay(await accessToken(), CHALLENGED)
  match(await comeBack(md), /"statusCode":3/)
  equal((await town.ask('/result?status=N'))['resultsStatus'], '01')
  match(await comeBack(md), /"statusCode":5/)
})

test('case 36 and 37: results with other ids, or with other certificates, are refused', async () => {
  const { md } = await pay(await accessToken(), CHALLENGED)
  const other = '00000000-0000-4000-8000-000000000000'
  equal((await town.ask(`/result?acsTransID=${other}`))['errorCode'], '301')
  for (const name of ['other-name', 'other-authority']) {
    const answer = await town.ask(`/result?cert=${name}.pem&key=${name}-key.pem`)
    ok('failed' in answer, `${name}: ${JSON.stringify(answer)}`)
  }
  equal((await town.ask('/result?status=Y'))['resultsStatus'], '01')
  match(await comeBack(md), /"statusCode":0/)
})

test('case 33: a gateway that is killed before the result takes it after its restart', {
  timeout: 60_000,
}, async () => {
  const token = await accessToken()
  const { statusCode, md } = await pay(token, CHALLENGED)
  equal(statusCode, 3)
  town.gateway.child.kill('SIGKILL')
  await town.gateway.ended
  equal((await town.ask('/result?status=Y'))['failed'], 'ECONNREFUSED')
  town.gateway = await serving(town.data, town.env)
  equal((await town.ask('/result?status=Y'))['resultsStatus'], '01')
  // The security code was in memory only, so the payer's form sends the card again.
  equal((await pay(token, CHALLENGED))['md'], md)
  match(await comeBack(md), /"statusCode":0/)
})

test('case 58: neither a card number nor an authentication value is in the log', () => {
  expect(town.gateway.said()).not.toMatch(/4456530000000007|4456530000001096|s3xYIbbZVSakGpUEaAtOfIt2Ohs/)
})
