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
import { emptyDirectory, run, runJson } from '../cli/tollgate.ts'
import { createAuthority, type Issued } from './directory-server/certificates.ts'

const PROGRAM = fileURLToPath(new URL('./directory-server/server.ts', import.meta.url))
const REF_NUMBER = '3DS_LOA_SER_XXXX_020200_00000'

const scheme = createAuthority('scheme.example')
const stranger = createAuthority('stranger.example')
const SERVER = scheme.issue('localhost')
const OURS = scheme.issue('gateway.example')

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
  writeFileSync(join(folder, 'server.pem'), SERVER.certificate)
  writeFileSync(join(folder, 'server-key.pem'), SERVER.privateKey)
  writeFileSync(join(folder, 'ca.pem'), scheme.certificate)
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const port = Number(line)
  return { port, seen: () => seenBy(port), close: () => void child.kill('SIGKILL') }
}

async function seenBy(port: number): Promise<Seen> {
  const asked = request({
    ...{ host: 'localhost', port, path: '/seen', agent: false },
    ...{ cert: OURS.certificate, key: OURS.privateKey, ca: scheme.certificate },
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
  writeFileSync(join(folder, 'ours.pem'), ours.certificate)
  writeFileSync(join(folder, 'ours-key.pem'), ours.privateKey)
  writeFileSync(join(folder, 'theirs.pem'), authority ?? scheme.certificate)
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
    equal(clients[0], createHash('sha256').update(new X509Certificate(OURS.certificate).raw).digest('hex'))
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
    const wrong = await ping({ urls: [at('/good'), at('/good')], authority: stranger.certificate })
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

  const old = { from: new Date('2020-01-01T00:00:00Z'), to: new Date('2021-01-01T00:00:00Z') }

  test.each([
    ['an address without TLS', { urls: ['http://ds.example/'] }, /preqUrls\[0\] must be a text \(An https address\)/],
    ['a version that is none', { versions: ['2.4.0'] }, /versions\[0\] must be one of 2\.1\.0, 2\.2\.0, 2\.3\.1/],
    ['a member that is none', { changes: { acsUrls: [] } }, /acsUrls is unknown/],
    ['a time limit of nothing', { changes: { timers: { connectMs: 1 } } }, /timers\.connectMs must be/],
    ['a key of another certificate', { ours: { ...OURS, privateKey: SERVER.privateKey } }, /is not the key of/],
    ['a key that is none', { ours: { ...OURS, privateKey: 'secret' } }, /must be a file with a private key in PEM/],
    ['an authority that is none', { authority: 'none' }, /tls\.serverCa must be a file with a certificate/],
    ['an expired certificate', { ours: scheme.issue('gateway.example', old) }, /expired on Jan {2}1 00:00:00 2021 GMT/],
  ] as const)('refuses %s', async (_, document, sentence) => {
    const { code, stderr } = await check(document)
    equal(code, 1)
    match(stderr, sentence)
    doesNotMatch(stderr, /secret|BEGIN/)
  })
})

test('the server has no code of the gateway, whose errors it would share', () => {
  const imports = readFileSync(PROGRAM, 'utf8').match(/(?<=\bfrom ')[^']+/g) ?? []
  equal(imports.length > 3, true)
  deepEqual(
    imports.filter(name => !name.startsWith('node:')),
    ['ajv'],
  )
})

test('the server found nothing wrong with any message', async () => {
  const { invalid, requests } = await peer.seen()
  deepEqual(invalid, [])
  equal(new Set(requests.map(each => each['threeDSServerTransID'])).size, requests.length)
})
