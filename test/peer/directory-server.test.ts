// test/peer/directory-server.test.ts — the program against a directory server that is another process with other code.
import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Issued } from '../../src/peers/certificates.ts'
import { emptyDirectory, run, runJson } from '../cli/tollgate.ts'
import { testAuthority } from '../support/authority.ts'

const PROGRAM = fileURLToPath(new URL('./directory-server/server.ts', import.meta.url))
const REF_NUMBER = '3DS_LOA_SER_XXXX_020200_00000'

const scheme = testAuthority('scheme.example')
const stranger = testAuthority('stranger.example')
const SERVER = scheme.issue('localhost')
const OURS = scheme.issue('gateway.example', { from: Date.UTC(2020, 0), to: Date.UTC(2049, 0) })

interface Seen {
  readonly requests: readonly Readonly<Record<string, string>>[]
  readonly erros: readonly string[]
  readonly invalid: readonly string[]
  readonly clients: readonly string[]
}

interface Peer {
  readonly port: number
  /** What it has received so far. */
  seen(): Promise<Seen>
  close(): void
}

async function openPeer(): Promise<Peer> {
  const folder = emptyDirectory()
  writeFileSync(join(folder, 'server.pem'), SERVER.cert)
  writeFileSync(join(folder, 'server-key.pem'), SERVER.key)
  writeFileSync(join(folder, 'ca.pem'), scheme.root)
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const port = Number(line)
  return { port, seen: () => seenBy(port), close: () => void child.kill('SIGKILL') }
}

async function seenBy(port: number): Promise<Seen> {
  const asked = request({
    ...{ host: 'localhost', port, path: '/seen', agent: false },
    ...OURS,
    ca: scheme.root,
  }).end()
  const [response] = await once(asked, 'response')
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return JSON.parse(text) as Seen
}

interface Document {
  readonly urls: readonly string[]
  readonly versions?: readonly string[]
  readonly ours?: Issued
  readonly authority?: string
  readonly changes?: object
}

/** Writes a document with its files, and returns its path. */
function documentFor({ urls, versions = ['2.1.0', '2.2.0'], ours = OURS, authority, changes }: Document): string {
  const folder = emptyDirectory()
  writeFileSync(join(folder, 'ours.pem'), ours.cert)
  writeFileSync(join(folder, 'ours-key.pem'), ours.key)
  writeFileSync(join(folder, 'theirs.pem'), authority ?? scheme.root)
  const document = {
    name: 'scheme-test',
    versions,
    preqUrls: urls,
    tls: { clientCert: 'ours.pem', clientKey: 'ours-key.pem', serverCa: 'theirs.pem' },
    ids: { refNumber: REF_NUMBER, operatorId: '10000001' },
    ...changes,
  }
  const path = join(folder, 'scheme.json')
  writeFileSync(path, JSON.stringify(document))
  return path
}

let peer: Peer
beforeAll(async () => {
  peer = await openPeer()
})
afterAll(() => peer.close())

const at = (path: string, host = 'localhost') => `https://${host}:${peer.port}${path}`
const ping = (document: Document) => run(['3ds', 'ping', documentFor(document)])

describe('tollgate 3ds ping', () => {
  test('case 22: loads all ranges with our certificate, and the PReq is as the server wants it', async () => {
    const { code, stdout, stderr } = await ping({ urls: [at('/good')] })
    deepEqual({ code, stderr }, { code: 0, stderr: '' })
    match(stdout, /answers in version 2\.2\.0 within \d+ ms\./)
    match(stdout, /Versions of the directory server: 2\.1\.0, 2\.2\.0\.\nCard ranges: 3; serial number: 42\.\n$/)
    const { requests, clients } = await peer.seen()
    const { threeDSServerTransID: _, ...preq } = requests.at(-1) ?? {}
    deepEqual(preq, {
      messageType: 'PReq',
      messageVersion: '2.2.0',
      threeDSServerRefNumber: REF_NUMBER,
      threeDSServerOperatorID: '10000001',
    })
    equal(clients[0], createHash('sha256').update(new X509Certificate(OURS.cert).raw).digest('hex'))
  })

  test.each(['2.1.0', '2.2.0', '2.3.1'])('speaks %s', async version => {
    const { version: used, ranges } = await runJson<{ version: string; ranges: number }>([
      ...['3ds', 'ping', documentFor({ urls: [at('/good')], versions: [version] })],
    ])
    deepEqual([used, ranges], [version, 3])
  })

  test('reads a packed answer', async () => {
    match((await ping({ urls: [at('/gzip')] })).stdout, /Card ranges: 3;/)
  })

  test('case 40: goes to the second address when nothing listens at the first', async () => {
    const { stdout, code } = await ping({ urls: ['https://localhost:1/preq', at('/good')] })
    equal(code, 0)
    match(stdout, new RegExp(`^https://localhost:${peer.port}/good answers`, 'm'))
  })

  test('case 41: an Erro 102 is answered with the next lower version and a new id, once', async () => {
    const versions = ['2.1.0', '2.2.0', '2.3.1']
    match((await ping({ urls: [at('/not-231')], versions })).stdout, /answers in version 2\.2\.0/)
    const { requests } = await peer.seen()
    const [first, second] = requests.slice(-2)
    deepEqual([first?.['messageVersion'], second?.['messageVersion']], ['2.3.1', '2.2.0'])
    equal(first?.['threeDSServerTransID'] === second?.['threeDSServerTransID'], false)

    const refused = await ping({ urls: [at('/only-210')], versions })
    match(refused.stderr, /^tollgate: It answers with Erro 102: version not supported: /)
    deepEqual(
      (await peer.seen()).requests.slice(-2).map(each => each['messageVersion']),
      ['2.3.1', '2.2.0'],
    )
  })

  test.each([
    ['/overlap', '205 cardRangeData'],
    ['/delete-unknown', '206 cardRangeData'],
    ['/other-id', '301 threeDSServerTransID'],
    ['/other-version', '203 messageVersion'],
    ['/html', '101 not JSON'],
  ])('case 23: an answer at %s is refused with Erro %s, which the server gets', async (path, erro) => {
    const { code, stderr } = await ping({ urls: [at(path), at('/good')] })
    equal(code, 1)
    match(stderr, new RegExp(`^tollgate: The answer is not right\\. Erro ${erro.replace(' ', ': .*: ')}\\.\\n$`))
    equal((await peer.seen()).erros.at(-1), erro)
  })

  test('an Erro that is malformed is not answered with an Erro', async () => {
    const before = (await peer.seen()).erros.length
    match((await ping({ urls: [at('/wrong-erro')] })).stderr, /Erro 203: .*: errorCode\.$/m)
    equal((await peer.seen()).erros.length, before)
  })

  test('says what an Erro means, whatever the status of HTTP', async () => {
    const { code, stderr } = await ping({ urls: [at('/erro-303')] })
    deepEqual([code, stderr], [1, 'tollgate: It answers with Erro 303: access denied: As the path asks: None.\n'])
  })

  test.each(['/half', '/drop'])('case 38: a connection that ends at %s is not tried again', async path => {
    const before = (await peer.seen()).requests.length
    match((await ping({ urls: [at(path), at('/good')] })).stderr, /ended the connection without an answer/)
    equal((await peer.seen()).requests.length, before + 1)
  })

  test('case 38: a server that is not reached, and one of another name or authority', async () => {
    match((await ping({ urls: ['https://localhost:1/preq'] })).stderr, /cannot be reached \(ECONNREFUSED\)/)
    match((await ping({ urls: ['https://nowhere.invalid/'] })).stderr, /cannot be reached \((ENOTFOUND|EAI_AGAIN)\)/)
    const before = (await peer.seen()).requests.length
    match((await ping({ urls: [at('/good', '127.0.0.1')] })).stderr, /not trusted; .*\(ERR_TLS_CERT_ALTNAME_INVALID\)/)
    const wrong = await ping({ urls: [at('/good'), at('/good')], authority: stranger.root })
    match(wrong.stderr, /not trusted; check tls\.serverCa/)
    equal((await peer.seen()).requests.length, before)
  })

  test('a certificate of ours that the server does not know gets no answer', async () => {
    const before = (await peer.seen()).requests.length
    const { code, stderr } = await ping({ urls: [at('/good')], ours: stranger.issue('gateway.example') })
    equal(code, 1)
    match(stderr, /refuses our certificate|refuse a certificate/)
    equal((await peer.seen()).requests.length, before)
  })
})

describe('tollgate 3ds check', () => {
  const check = (document: Partial<Document>) =>
    run(['3ds', 'check', documentFor({ urls: ['https://ds.example/preq'], ...document })])

  test('says until when the certificate is valid', async () => {
    const { code, stdout } = await check({})
    deepEqual(
      [code, stdout],
      [0, 'scheme-test can be used. Our certificate is valid until 2049-01-01T00:00:00.000Z.\n'],
    )
  })

  const WISHING = {
    ...{ account: 'harbour', requestorId: 'R-1', requestorName: 'Harbour', requestorUrl: 'https://shop.example' },
    ...{ acquirerBin: '438309', acquirerMerchantId: '00002', merchantCategoryCode: '5411', country: '826' },
    ...{ merchantName: 'Harbour', wishes: [{ wish: 'low_value', upTo: { amountMinor: 100, currencyNumeric: '000' } }] },
  }
  const old = { from: Date.UTC(2020, 0), to: Date.UTC(2021, 0) }

  test.each([
    ['an address without TLS', { urls: ['http://ds.example/'] }, /preqUrls\[0\] must be a text \(An https address\)/],
    ['a version that is none', { versions: ['2.4.0'] }, /versions\[0\] must be one of 2\.1\.0, 2\.2\.0, 2\.3\.1/],
    ['a member that is none', { changes: { acsUrls: [] } }, /acsUrls is unknown/],
    ['a time limit of nothing', { changes: { timers: { connectMs: 1 } } }, /timers\.connectMs must be/],
    ['a key of another certificate', { ours: { ...OURS, key: SERVER.key } }, /is not the key of/],
    ['a key that is none', { ours: { ...OURS, key: 'secret' } }, /must be a file with a private key in PEM/],
    ['an authority that is none', { authority: 'none' }, /tls\.serverCa must be a file with a certificate/],
    [
      'version 2.3.1 without the country of the acquirer',
      { versions: ['2.2.0', '2.3.1'], changes: { requestors: [{ ...WISHING, wishes: [{ wish: 'no_preference' }] }] } },
      /acquirerCountry of harbour is missing: version 2\.3\.1 requires it/,
    ],
    [
      'a wish up to an amount of no currency',
      { changes: { requestors: [WISHING] } },
      /wish low_value of harbour is no currency/,
    ],
    ['an expired certificate', { ours: scheme.issue('gateway.example', old) }, /expired on Jan {2}1 00:00:00 2021 GMT/],
  ] as const)('refuses %s', async (_, document, sentence) => {
    const { code, stderr } = await check(document)
    equal(code, 1)
    match(stderr, sentence)
    doesNotMatch(stderr, /secret|BEGIN/)
  })
})

describe('tollgate 3ds authenticate', () => {
  const authentication = { scheme: 'VISA', resultsUrl: 'https://gateway.example/3ds/results' }
  const PAYMENT = {
    amountMinor: 2599,
    currencyNumeric: '978',
    notificationUrl: 'https://gateway.example/three-d-secure/return',
    requestor: {
      ...{ requestorId: 'R-1', requestorName: 'Corner shop', requestorUrl: 'https://shop.example' },
      ...{ acquirerBin: '438309', acquirerMerchantId: '00002000000', acquirerCountry: '840' },
      ...{ merchantCategoryCode: '5411', country: '840', merchantName: 'Corner shop' },
    },
    browser: {
      ...{ acceptHeader: 'text/html', userAgent: 'Mozilla/5.0', language: 'en-GB', javaEnabled: false },
      ...{ colourDepth: 30, screenHeight: 1080, screenWidth: 1920, timeZoneMinutes: -60 },
    },
    payer: { emailAddress: 'jan@shop.example', billingAddress: { city: 'Łódź', postcode: '90-001' } },
  }

  interface Trial {
    readonly path?: string
    readonly versions?: readonly string[]
    readonly settings?: object
    readonly timers?: object
    readonly changes?: object
    readonly more?: readonly string[]
  }

  /** Runs the command with the card that ends in a digit. */
  function authenticate(
    digit: number,
    { path = '/areq', versions, timers = {}, settings, changes, more = [] }: Trial = {},
  ) {
    const card = { number: `900010010000000${digit}`, expiry: { month: 12, year: 2030 }, holder: 'Zoë Wałęsa' }
    const file = join(emptyDirectory(), 'payment.json')
    writeFileSync(file, JSON.stringify({ card, ...PAYMENT, ...changes }))
    const document = documentFor({
      urls: ['https://localhost:1/preq'],
      ...(versions !== undefined && { versions }),
      changes: { timers, authentication: { ...authentication, areqUrls: [at(path)], ...settings } },
    })
    return run(['3ds', 'authenticate', document, file, ...more])
  }

  test.each(['2.1.0', '2.2.0', '2.3.1'])('a frictionless answer in %s is a proof', async version => {
    const { code, stdout, stderr } = await authenticate(0, { versions: [version] })
    deepEqual({ code, stderr }, { code: 0, stderr: '' })
    match(stdout, /^Asking scheme-test to authenticate card 900010\*{6}0000…\n/)
    match(stdout, new RegExp(`/areq answers in version ${version.replaceAll('.', '\\.')} within \\d+ ms\\.`))
    match(stdout, /Status Y: authenticated\.\n/)
    match(stdout, /ECI 05\.\nUsually the issuer bears a chargeback for fraud\.\n$/)
    doesNotMatch(stdout, /s3xYIbbZ|9000100100000000/)
    const sent = (await peer.seen()).requests.at(-1) ?? {}
    deepEqual(
      ['acctNumber', 'cardholderName', 'browserColorDepth', 'purchaseAmount', 'billAddrCity'].map(name => sent[name]),
      ['9000100100000000', 'Zoe Walesa', '24', '2599', 'Łódź'],
    )
  })

  test('prints JSON without the value', async () => {
    const { stdout } = await authenticate(0, { more: ['--json'] })
    const { report, transStatus, dsTransID, ...ids } = JSON.parse(stdout) as Readonly<Record<string, unknown>>
    deepEqual([transStatus, dsTransID], ['Y', '1cf815e5-cc85-436f-8e13-9f5e5aea731f'])
    deepEqual((report as { readonly proof: object }).proof, {
      ...{ version: '2.0', status: 'Y', challenged: false, eci: '05', value: '[hidden]' },
      ...{ directoryServerTransactionId: dsTransID, liability: 'issuer', messageVersion: '2.2.0' },
      ...{ threeDSServerTransactionId: ids['threeDSServerTransID'], acsTransactionId: ids['acsTransID'] },
    })
  })

  test.each([
    [1, /Status N: not authenticated\.\nReason 01: card authentication failed\.\n.*would end: not_authenticated\.\n$/s],
    [2, /Status A: attempted, with proof\.\n.*ECI 06\.\nUsually the issuer bears/s],
    [3, /Status R: .*would end: rejected\.\n$/s],
    [4, /Status I: .*go on without a proof: ECI 07, exemption none\.\nUsually the merchant bears/s],
    [5, /Status U: .*would end: unavailable\.\n$/s],
    [7, /Status C: .*a challenge at https:\/\/acs\.example, which this command does not show\.\n$/s],
  ] as const)('a card that ends in %i', async (digit, text) => {
    const { code, stdout } = await authenticate(digit)
    equal(code, 0)
    match(stdout, text)
  })

  test.each([
    ['case 19: a decoupled authentication that was not asked for', '/areq', 6, '203 transStatus'],
    ['case 36: an answer with another id', '/areq-other-id', 0, '301 threeDSServerTransID'],
    ['case 18: a Y without a value', '/areq-no-value', 0, '201 authenticationValue'],
    ['case 56: an issuer without TLS', '/areq-plain-acs', 7, '203 acsURL'],
  ] as const)('%s is refused with an Erro', async (_, path, digit, erro) => {
    const { code, stderr } = await authenticate(digit, { path })
    equal(code, 1)
    match(stderr, new RegExp(`^tollgate: The answer is not right\\. Erro ${erro.replace(' ', ': .*: ')}\\.\\n$`))
    equal((await peer.seen()).erros.at(-1), erro)
  })

  test('case 41: an Erro 102 is answered with the next lower version and a new id', async () => {
    const { stdout } = await authenticate(0, { path: '/areq-not-231', versions: ['2.1.0', '2.2.0', '2.3.1'] })
    match(stdout, /answers in version 2\.2\.0/)
  })

  test('case 42: an Erro 403 is answered with another AReq, once', async () => {
    match((await authenticate(0, { path: '/areq-once-403' })).stdout, /Status Y/)
    const before = (await peer.seen()).requests.length
    match((await authenticate(0, { path: '/areq-403' })).stderr, /Erro 403/)
    equal((await peer.seen()).requests.length, before + 2)
  })

  test('case 38: an answer that does not come in time is not asked for again', async () => {
    const before = (await peer.seen()).requests.length
    const { code, stderr } = await authenticate(0, { path: '/silent', timers: { aresMs: 3_000 } })
    deepEqual([code, (await peer.seen()).requests.length], [1, before + 1])
    match(stderr, /does not answer in time/)
  })

  test('case 12: a card without a version in common, or in no range, counts as not enrolled without an AReq', async () => {
    const before = (await peer.seen()).requests.length
    const file = join(emptyDirectory(), 'pres.json')
    writeFileSync(
      file,
      JSON.stringify({
        messageType: 'PRes',
        ...{ messageVersion: '2.2.0', threeDSServerTransID: '6b91f61e-9e62-4f5c-ab8c-f1ffb84122cb' },
        ...{ dsTransID: '6b91f61e-9e62-4f5c-ab8c-f1ffb84122cb' },
        ...{ dsStartProtocolVersion: '2.1.0', dsEndProtocolVersion: '2.2.0' },
        cardRangeData: [
          {
            ...{ startRange: '9000100100000000', endRange: '9000100100000004' },
            ...{ acsStartProtocolVersion: '2.1.0', acsEndProtocolVersion: '2.1.0' },
          },
        ],
      }),
    )
    const more = ['--ranges', file]
    match((await authenticate(7, { more })).stdout, /counts as not enrolled/)
    match((await authenticate(0, { more, versions: ['2.2.0'] })).stdout, /counts as not enrolled/)
    equal((await peer.seen()).requests.length, before)
    match((await authenticate(0, { more })).stdout, /answers in version 2\.1\.0/)
    match((await authenticate(7, { more, settings: { onUnknownRange: 'ask' } })).stdout, /Status C/)
  })

  test('Erro 305 counts as not enrolled where the document says so', async () => {
    const settled = await authenticate(0, { path: '/areq-305', settings: { erro305AsNotEnrolled: true } })
    deepEqual([settled.code, /counts as not enrolled/.test(settled.stdout)], [0, true])
    match((await authenticate(0, { path: '/areq-305' })).stderr, /Erro 305/)
  })

  test('what the document forbids is left out, and what it requires must be there', async () => {
    await authenticate(0, { settings: { forbid: ['email', 'cardholderName'] } })
    const sent = (await peer.seen()).requests.at(-1) ?? {}
    deepEqual([sent['email'], sent['cardholderName']], [undefined, undefined])
    const before = (await peer.seen()).requests.length
    const { stderr } = await authenticate(0, { settings: { require: ['email', 'transType', 'billAddrCountry'] } })
    match(stderr, /Nothing was sent: the request is not right\. Erro 201: .*: transType,billAddrCountry\.\n$/)
    equal((await peer.seen()).requests.length, before)
  })

  test.each([
    ['a currency that is none', { currencyNumeric: '999' }, /currencyNumeric is no currency of ISO 4217/],
    ['a wish that is none', { wish: 'none' }, /wish must be one of no_preference, no_challenge, /],
    ['an unknown member', { securityCode: '123' }, /securityCode is unknown/],
  ] as const)('refuses a payment with %s', async (_, changes, sentence) => {
    const { code, stderr } = await authenticate(0, { changes })
    equal(code, 1)
    match(stderr, sentence)
  })
})

test('the server has no code of the gateway, whose errors it would share', () => {
  const imports = readFileSync(PROGRAM, 'utf8').match(/(?<=\bfrom ')[^']+/g) ?? []
  equal(imports.length > 3, true)
  deepEqual(
    imports.filter(name => !name.startsWith('node:')),
    // The schemas import nothing.
    ['ajv', '../../../src/peers/directory-server/schemas.ts'],
  )
})

test('the server found nothing wrong with any message', async () => {
  const { invalid, requests } = await peer.seen()
  deepEqual(invalid, [])
  equal(new Set(requests.map(each => each['threeDSServerTransID'])).size, requests.length)
})
