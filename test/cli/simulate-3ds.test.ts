// test/cli/simulate-3ds.test.ts — the simulated directory server as a process: a gateway authenticates payers at it, who pass the issuer's page.
import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type EmvShop, type Json, openEmvShop } from '../peer/emv-shop.ts'
import { freePort } from '../support/free-port.ts'
import { begin, emptyDirectory, run } from './tollgate.ts'

/** Test cards of the sandbox, which its simulated acquirer charges. */
const VISA = { cardName: 'John Watson', cardNumber: '4456530000001096', cV2: '020' }
const MASTERCARD = { cardName: 'Luke Johns', cardNumber: '5100000000005460', cV2: '524' }
const BROWSER = {
  ...{ language: 'en-GB', javaEnabled: false, colourDepth: 24, screenHeight: 900, screenWidth: 1440 },
  timeZoneMinutes: 0,
}
const PUBLIC = 'https://gateway.example'

interface Started {
  readonly folder: string
  readonly document: string
  readonly issuerPort: number
  said(): string
  stop(): Promise<unknown>
  control(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: Json }>
  authentications(): Promise<readonly Json[]>
}

async function simulated(folder = emptyDirectory(), more: readonly string[] = []): Promise<Started> {
  const results = ['--results-port', String(await freePort())]
  const running = begin(['simulate', '3ds', '--folder', folder, '--account', 'harbour', ...results, ...more])
  const [, issuerPort = '', url = ''] = await running.printed(/issuer on port (\d+)\. It is controlled at (\S+)\.\n/)
  const [, document = ''] = await running.printed(/TOLLGATE_DIRECTORY_SERVER=(\S+)\n/)
  const control = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Json }
  }
  return {
    ...{ folder, document, issuerPort: Number(issuerPort), control, said: running.said },
    authentications: async () => (await control('GET', '/authentications')).body['authentications'] as readonly Json[],
    stop() {
      running.child.kill('SIGTERM')
      return running.ended
    },
  }
}

interface Shop extends EmvShop {
  pay(card?: object): Promise<Json>
  /** Charges the card of a payment again, without the payer. */
  payAgain(token: string): Promise<Json>
  /** A request of the browser to the gateway, past the proxy at its public address. */
  form(path: string, fields: URLSearchParams): Promise<string>
  outcomeOf(token: string): Promise<unknown>
}

async function openShop({ document }: Started): Promise<Shop> {
  const shop = await openEmvShop([document], PUBLIC)
  const headers = { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0', 'accept-language': 'en-GB' }
  return {
    ...shop,
    async pay(card = VISA) {
      const token = await shop.accessToken()
      const body = JSON.stringify({ ...card, expiryDate: '12 / 30', browser: BROWSER })
      const answer = await fetch(`${shop.listening()}/api/payments/${token}`, { method: 'POST', headers, body })
      return { ...((await answer.json()) as Json), token }
    },
    async payAgain(earlier) {
      const { token, outcome } = await shop.repeat(await shop.referenceOf(earlier))
      return { ...outcome, token }
    },
    async form(path, fields) {
      return (await fetch(shop.listening() + path, { method: 'POST', body: fields })).text()
    },
    outcomeOf: async token => (await shop.payment(token))['statusCode'],
  }
}

/** A form of the browser to the issuer. */
async function toIssuer({ folder, issuerPort }: Started, path: string, fields: Readonly<Record<string, string>>) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const ca = readFileSync(join(folder, 'root.pem'))
  const asked = request({ method: 'POST', host: 'localhost', port: issuerPort, path, ca, headers, agent: false })
  asked.end(new URLSearchParams(fields).toString())
  const [response] = await once(asked, 'response')
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return { status: response.statusCode as number, text, policy: String(response.headers['content-security-policy']) }
}

/** The hidden fields of a page's form. */
function fieldsIn(html: string): Record<string, string> {
  const fields = html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]))
}

/** The payer opens the issuer's page of a payment that is challenged. */
async function openChallenge(peer: Started, shop: Shop, payment: Json) {
  equal(payment['statusCode'], 3, JSON.stringify(payment))
  const { threeDSSessionData = '', creq = '' } = await challengeFields(shop, payment)
  const page = await toIssuer(peer, '/challenge', { threeDSSessionData, creq })
  equal(page.status, 200)
  const answer = (more: Readonly<Record<string, string>>) =>
    toIssuer(peer, '/answer', { ...fieldsIn(page.text), ...more })
  return { page, creq, threeDSSessionData, answer }
}

/** The gateway's page takes the browser to the issuer. */
async function challengeFields(shop: Shop, payment: Json): Promise<Record<string, string>> {
  const step = payment as { readonly stepUpUrl: string; readonly jwt: string; readonly md: string }
  const { pathname } = new URL(step.stepUpUrl)
  const html = await shop.form(pathname, new URLSearchParams({ JWT: step.jwt, MD: step.md }))
  return fieldsIn(html)
}

describe('a gateway and the simulated directory server', () => {
  let peer: Started
  let shop: Shop
  beforeAll(async () => {
    peer = await simulated()
    shop = await openShop(peer)
  }, 60_000)
  beforeEach(() => peer.control('PUT', '/scenarios', { next: [] }))

  test('without a scenario a payer is authenticated; the card is shown masked', async () => {
    const paid = await shop.pay()
    equal(paid['statusCode'], 0, JSON.stringify(paid) + peer.said() + shop.gateway.said())
    const [authentication] = await peer.authentications()
    deepEqual([authentication?.['status'], authentication?.['card']], ['Y', '445653******1096'])
    doesNotMatch(
      peer.said() + JSON.stringify(await peer.authentications()),
      /4456530000001096|s3xYIbbZVSakGpUEaAtOfIt2Ohs/,
    )
    equal(statSync(join(peer.folder, 'gateway-client-key.pem')).mode & 0o777, 0o600)
  })

  test('a payer passes the challenge at the second try; the gateway has the result before the payer is back', async () => {
    await peer.control('PUT', '/scenarios', { next: [{ scenario: 'challenged' }] })
    const payment = await shop.pay()
    const { page, answer, threeDSSessionData } = await openChallenge(peer, shop, payment)
    match(page.policy, /form-action 'self' https:\/\/gateway\.example(;|$)/)
    match((await answer({ code: '0000' })).text, /This code is wrong/)
    const passed = await answer({ code: '1234' })
    const [authentication] = await peer.authentications()
    deepEqual([authentication?.['challenge'], authentication?.['result']], ['passed', 'confirmed'])
    const back = fieldsIn(passed.text)
    equal(back['threeDSSessionData'], threeDSSessionData)
    await shop.form('/three-d-secure/return', new URLSearchParams(back))
    equal(await shop.outcomeOf(String(payment['token'])), 0)
    match((await answer({ code: '1234' })).text, /This challenge is over/)
  })

  test('a payer who cancels, or types three wrong codes, has not paid', async () => {
    await peer.control('PUT', '/scenarios', { next: [], afterwards: 'challenged' })
    for (const [answers, challenge] of [
      [[{ code: '', cancel: 'yes' }], 'cancelled'],
      [[{ code: '1' }, { code: '2' }, { code: '3' }], 'failed'],
    ] as const) {
      const payment = await shop.pay()
      const { answer } = await openChallenge(peer, shop, payment)
      let last = ''
      for (const each of answers) last = (await answer(each)).text
      await shop.form('/three-d-secure/return', new URLSearchParams(fieldsIn(last)))
      equal(await shop.outcomeOf(String(payment['token'])), 5)
      const [authentication] = await peer.authentications()
      deepEqual([authentication?.['challenge'], authentication?.['result']], [challenge, 'confirmed'])
    }
  })

  test('each way to answer wrong ends the payment uncharged, and the log says why', async () => {
    for (const [scenario, outcome, said] of [
      ['not_authenticated', 5, null],
      ['authentication_rejected', 5, null],
      ['authentication_unavailable', 30, null],
      ['erro:303', 30, '"outcome":"erro","errorCode":"303"'],
      ['connection_dropped', 30, '"outcome":"failed","failed":"broken_off"'],
      ['half_answer', 30, '"outcome":"failed","failed":"broken_off"'],
      ['wrong_transaction_id', 30, '"outcome":"objection","errorCode":"301","detail":"threeDSServerTransID"'],
      ['value_missing', 30, null],
    ] as const) {
      await peer.control('PUT', '/scenarios', { next: [{ scenario }] })
      equal((await shop.pay())['statusCode'], outcome, scenario)
      if (said !== null) ok(shop.gateway.said().includes(said), `${scenario}: ${shop.gateway.said()}`)
    }
    equal((await shop.pay())['statusCode'], 0)
  })

  test('a result that is lost leaves the payment open; one that comes twice is confirmed twice', async () => {
    await peer.control('PUT', '/scenarios', {
      next: [{ scenario: 'challenged+result_lost' }, { scenario: 'challenged+result_twice' }],
    })
    for (const [outcome, result] of [
      [3, 'none'],
      [0, 'confirmed'],
    ] as const) {
      const payment = await shop.pay()
      const { answer } = await openChallenge(peer, shop, payment)
      await shop.form('/three-d-secure/return', new URLSearchParams(fieldsIn((await answer({ code: '1234' })).text)))
      equal(await shop.outcomeOf(String(payment['token'])), outcome)
      equal((await peer.authentications())[0]?.['result'], result)
    }
  })

  test('a late result ends the payment when it comes', async () => {
    await peer.control('PUT', '/scenarios', { next: [{ scenario: 'challenged+result_late:1' }] })
    const payment = await shop.pay()
    const { answer } = await openChallenge(peer, shop, payment)
    const back = fieldsIn((await answer({ code: '1234' })).text)
    await expect.poll(async () => (await peer.authentications())[0]?.['result'], { timeout: 20_000 }).toBe('confirmed')
    await shop.form('/three-d-secure/return', new URLSearchParams(back))
    equal(await shop.outcomeOf(String(payment['token'])), 0)
  })

  test('after a restart on the same ports with the same folder the gateway goes on', async () => {
    const ports = ['--port', String(await freePort()), '--issuer-port', String(await freePort())]
    const first = await simulated(emptyDirectory(), ports)
    const own = await openShop(first)
    equal((await own.pay())['statusCode'], 0)
    await first.stop()
    equal((await own.pay())['statusCode'], 30)
    await simulated(first.folder, ports)
    equal((await own.pay())['statusCode'], 0)
  })
})

test('a later payment is authenticated without its payer, goes on where that is not possible, and ends where the issuer denies it', async () => {
  const peer = await simulated(emptyDirectory(), ['--scheme', 'MASTERCARD', '--later-payments', 'recurring'])
  const shop = await openShop(peer)
  const first = await shop.pay(MASTERCARD)
  equal(first['statusCode'], 0, JSON.stringify(first))
  const again = (scenario: string) =>
    peer.control('PUT', '/scenarios', { next: [{ scenario }] }).then(() => shop.payAgain(String(first['token'])))
  const authenticated = await again('frictionless')
  const proof = await shop.proofOf(String(authenticated['token']))
  deepEqual(
    [authenticated['statusCode'], proof?.['eci'], proof?.['liability'], proof?.['messageVersion']],
    [0, '07', 'issuer', '2.3.1'],
  )
  const unavailable = await again('authentication_unavailable')
  deepEqual([unavailable['statusCode'], await shop.proofOf(String(unavailable['token']))], [0, undefined])
  equal((await again('not_authenticated'))['statusCode'], 5)
  // The issuer cannot challenge a payer who is absent.
  equal((await again('challenged'))['statusCode'], 0)
})

describe('the simulated directory server alone', () => {
  let peer: Started
  beforeAll(async () => {
    peer = await simulated()
  })

  test('the issuer refuses what is no challenge of its own', async () => {
    const id = '5a8007b9-6d26-49cf-a371-3f722bba4ffc'
    const message = { messageType: 'CReq', messageVersion: '2.2.0', threeDSServerTransID: id, acsTransID: id }
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const [path, fields, expected] of [
      ['/challenge', {}, /creq.*not in order/],
      ['/challenge', { creq: 'x' }, /creq.*not in order/],
      ['/challenge', { creq: encoded({ ...message, more: 1 }) }, /creq.*not in order/],
      ['/challenge', { creq: encoded(message) }, /No such challenge/],
      ['/answer', { acsTransID: id, code: '1234' }, /This challenge is over/],
      ['/method', { threeDSMethodData: encoded({ threeDSServerTransID: id }) }, /not in order/],
      ['/other', {}, /no such page/],
    ] as const) {
      const { text, policy } = await toIssuer(peer, path, fields)
      match(text, expected)
      match(policy, /default-src 'none'/)
    }
    const url = 'https://gateway.example/three-d-secure/device-data'
    const data = { threeDSServerTransID: id, threeDSMethodNotificationURL: url }
    const { text } = await toIssuer(peer, '/method', { threeDSMethodData: encoded(data) })
    ok(text.includes(`action="${url}"`) && text.includes(encoded({ threeDSServerTransID: id })))
  })

  test('the control port lists all parts of scenarios, and refuses others', async () => {
    const { body } = await peer.control('GET', '/scenarios')
    const names = (body['scenarios'] as readonly Json[]).map(({ name }) => name)
    for (const name of ['frictionless', 'challenged', 'page_wrong_code', 'informational', 'no_answer', 'result_late'])
      ok(names.includes(name), name)
    for (const [scenario, of, says] of [
      ['declined', undefined, /no scenario of authentication/],
      ['frictionless', 'ranges', /no scenario of ranges/],
      ['result_lost', 'ranges', /is for authentication, not for ranges/],
      ['erro:7', undefined, /has a number that the fault does not take/],
      ['result_lost:7', undefined, /has a number that the fault does not take/],
    ] as const) {
      const { status, body: refused } = await peer.control('PUT', '/scenarios', { next: [{ scenario, of }] })
      equal(status, 400)
      match(String(refused['message']), says)
    }
    equal((await peer.control('GET', '/ledger')).status, 404)
  })

  test.each([
    ['no folder', [], /required option '--folder/],
    ['a scheme that is none', ['--folder', 'x', '--scheme', 'JCB'], /one of VISA, MASTERCARD/],
    ['a kind that is none', ['--folder', 'x', '--later-payments', 'daily'], /one of recurring, split_shipment, other/],
    ['a folder that cannot be made', ['--folder', '/dev/null/x'], /The certificates cannot be kept/],
    ['an address that is none', ['--folder', emptyDirectory(), '--host', '192.0.2.1'], /cannot start/],
  ] as const)('%s is refused with a sentence', async (_, args, says) => {
    const { code, stderr } = await run(['simulate', '3ds', ...args])
    ok(code !== 0)
    match(stderr, says)
  })
})
