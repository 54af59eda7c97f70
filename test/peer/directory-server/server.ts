// test/peer/directory-server/server.ts — a directory server in a process of its own, by its own reading of the protocol. It
// imports nothing of the gateway, only the schemas of the simulated one. The path of a request says how it answers; GET /seen says what it received.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request as requestHttps, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Ajv } from 'ajv'
import { AREQ, AREQ_LATER, ERRO, PREQ, VERSIONS } from '../../../src/peers/directory-server/schemas.ts'

/** Folder with server.pem, server-key.pem, client.pem and client-key.pem, and ca.pem, the authority of both sides. */
const [folder = ''] = process.argv.slice(2)
const pem = (name: string) => readFileSync(join(folder, name))

type Json = Readonly<Record<string, unknown>>

const ajv = new Ajv()
const isBrowserAreq = ajv.compile(AREQ)
const isLaterAreq = ajv.compile(AREQ_LATER)
const isPreq = ajv.compile(PREQ)
const isErro = ajv.compile(ERRO)

const seen: { requests: Json[]; erros: string[]; invalid: string[]; clients: string[] } = {
  requests: [],
  erros: [],
  invalid: [],
  clients: [],
}

const RANGES = [
  ['9000100100000000', '9000100199999999'],
  ['9000100200000000', '9000100299999999'],
  ['90001003000000000', '90001003999999999'],
] as const

function pres(request: Json, changes: Json = {}): Json {
  const late = request['messageVersion'] === '2.3.1'
  const entries = RANGES.map(([startRange, endRange]) =>
    late
      ? { ranges: [{ startRange, endRange }], acsProtocolVersions: [{ version: '2.3.1', acsInfoInd: ['01'] }] }
      : { startRange, endRange, acsStartProtocolVersion: '2.1.0', acsEndProtocolVersion: '2.2.0', actionInd: 'A' },
  )
  return {
    messageType: 'PRes',
    messageVersion: request['messageVersion'],
    threeDSServerTransID: request['threeDSServerTransID'],
    dsTransID: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
    serialNum: '42',
    ...(late ? { dsProtocolVersions: VERSIONS } : { dsStartProtocolVersion: '2.1.0', dsEndProtocolVersion: '2.2.0' }),
    cardRangeData: entries,
    ...changes,
  }
}

function erro(request: Json, errorCode: string): Json {
  return {
    messageType: 'Erro',
    messageVersion: request['messageVersion'] ?? '2.1.0',
    errorCode,
    errorComponent: 'D',
    errorDescription: 'As the path asks',
    errorDetail: 'None',
    ...(typeof request['threeDSServerTransID'] === 'string' && {
      threeDSServerTransID: request['threeDSServerTransID'],
    }),
  }
}

/** The answer to an AReq by the last digit of its card, unless the card is one of the sandbox's. */
const BY_CARD: Readonly<Record<string, string>> = {
  '4456530000001096': 'Y',
  '5200000000001096': 'C',
  '4111111111111111': 'I',
}
const STATUSES = ['Y', 'N', 'A', 'R', 'I', 'U', 'D', 'C'] as const
const VALUE = 's3xYIbbZVSakGpUEaAtOfIt2Ohs='

function ares(request: Json, changes: Json = {}): Json {
  const number = String(request['acctNumber'])
  const transStatus = BY_CARD[number] ?? STATUSES[Number(number.at(-1))] ?? 'U'
  const late = request['messageVersion'] === '2.3.1'
  return {
    messageType: 'ARes',
    messageVersion: request['messageVersion'],
    threeDSServerTransID: request['threeDSServerTransID'],
    acsTransID: 'd7c1ee99-9478-44a6-b1f2-391e29c6b340',
    dsTransID: '1cf815e5-cc85-436f-8e13-9f5e5aea731f',
    acsReferenceNumber: 'example-acs',
    dsReferenceNumber: 'example-ds',
    transStatus,
    ...('NUR'.includes(transStatus) && { transStatusReason: '01' }),
    ...('YA'.includes(transStatus) && { authenticationValue: VALUE, eci: transStatus === 'Y' ? '05' : '06' }),
    ...(transStatus === 'C' && { acsChallengeMandated: 'N', acsURL: 'https://acs.example/challenge?t=1' }),
    ...('CD'.includes(transStatus) && !late && { authenticationType: '02' }),
    ...(transStatus === 'D' && { acsDecConInd: 'Y', cardholderInfo: 'Confirm it in the app' }),
    ...changes,
  }
}

/** Sends the result of the last challenge to the address of its AReq, and returns the answer. */
async function sendResult(query: URLSearchParams): Promise<Json> {
  const areq = seen.requests.findLast(each => each['messageType'] === 'AReq') ?? {}
  const { messageVersion, threeDSServerTransID, acsTransID, dsTransID } = ares(areq)
  const transStatus = query.get('status') ?? 'Y'
  const rreq = {
    ...{ messageType: 'RReq', messageVersion, threeDSServerTransID, acsTransID, dsTransID, messageCategory: '01' },
    ...{ transStatus, interactionCounter: '01' },
    ...(transStatus === 'Y' ? { authenticationValue: VALUE, eci: '05' } : { transStatusReason: '01' }),
    ...(query.has('acsTransID') && { acsTransID: query.get('acsTransID') }),
  }
  const [cert, key] = [pem(query.get('cert') ?? 'client.pem'), pem(query.get('key') ?? 'client-key.pem')]
  return new Promise(resolve => {
    const asked = requestHttps(query.get('url') ?? String(areq['threeDSServerURL']), {
      method: 'POST',
      cert,
      key,
      ca: pem('ca.pem'),
      agent: false,
    })
    asked.on('error', error => resolve({ failed: 'code' in error ? String(error.code) : error.message }))
    asked.on('response', async answer => {
      let text = ''
      for await (const chunk of answer) text += String(chunk)
      resolve({ status: answer.statusCode, ...(JSON.parse(text || '{}') as Json) })
    })
    asked.end(JSON.stringify(rreq))
  })
}

/** Answers by path. */
const ANSWERS: Readonly<Record<string, (request: Json, response: ServerResponse, query: URLSearchParams) => void>> = {
  // All cards of one issuer, which has a page for device data.
  '/with-method': (request, response, query) =>
    json(
      response,
      pres(request, {
        cardRangeData: [
          {
            ...{ startRange: '4000000000000000', endRange: '4999999999999999', actionInd: 'A' },
            ...{ acsStartProtocolVersion: '2.1.0', acsEndProtocolVersion: '2.2.0' },
            threeDSMethodURL: query.get('url'),
          },
        ],
      }),
    ),
  '/good': (request, response) => json(response, pres(request)),
  '/gzip': (request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify(pres(request)))),
  '/not-231': (request, response) =>
    json(response, request['messageVersion'] === '2.3.1' ? erro(request, '102') : pres(request)),
  '/only-210': (request, response) =>
    json(response, request['messageVersion'] === '2.1.0' ? pres(request) : erro(request, '102')),
  '/erro-303': (request, response) => json(response, erro(request, '303'), 403),
  '/wrong-erro': (request, response) => json(response, erro(request, '3003')),
  '/overlap': (request, response) => {
    const { cardRangeData } = pres(request) as { readonly cardRangeData: readonly Json[] }
    json(response, pres(request, { cardRangeData: [...cardRangeData, ...cardRangeData.slice(0, 1)] }))
  },
  '/delete-unknown': (request, response) => {
    const { cardRangeData } = pres(request) as { readonly cardRangeData: readonly Json[] }
    json(response, pres(request, { cardRangeData: [{ ...cardRangeData[0], actionInd: 'D' }] }))
  },
  '/other-id': (request, response) =>
    json(response, pres(request, { threeDSServerTransID: '00000000-0000-4000-8000-000000000000' })),
  '/other-version': (request, response) => json(response, pres(request, { messageVersion: '2.1.0' })),
  '/html': (_, response) => response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Out of order</h1>'),
  '/half': (_, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('{"messageType":"PRes"', () => response.destroy())
  },
  '/areq': (request, response) => json(response, ares(request)),
  '/areq-not-231': (request, response) =>
    json(response, request['messageVersion'] === '2.3.1' ? erro(request, '102') : ares(request)),
  '/areq-once-403': (request, response) => {
    const tried = seen.requests.filter(each => each['acctNumber'] === request['acctNumber']).length
    json(response, tried % 2 === 1 ? erro(request, '403') : ares(request))
  },
  '/areq-403': (request, response) => json(response, erro(request, '403'), 500),
  '/areq-305': (request, response) => json(response, erro(request, '305')),
  '/areq-other-id': (request, response) =>
    json(response, ares(request, { threeDSServerTransID: '00000000-0000-4000-8000-000000000000' })),
  '/areq-no-value': (request, response) => {
    const { authenticationValue: _, ...rest } = ares(request)
    json(response, rest)
  },
  '/areq-plain-acs': (request, response) => json(response, ares(request, { acsURL: 'http://acs.example/' })),
  '/silent': () => {},
  '/drop': (_, response) => void response.destroy(),
}

function json(response: ServerResponse, message: Json, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(message))
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url?.startsWith('/result?')) {
    json(response, await sendResult(new URL(request.url, 'https://localhost').searchParams))
    return
  }
  if (request.url === '/seen') {
    json(response, seen)
    return
  }
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const message = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Json
  const isAreq = message['deviceChannel'] === '03' ? isLaterAreq : isBrowserAreq
  const isValid = { Erro: isErro, AReq: isAreq }[String(message['messageType'])] ?? isPreq
  if (!isValid(message)) seen.invalid.push(JSON.stringify(isValid.errors))
  if (message['messageType'] === 'Erro') {
    seen.erros.push(`${String(message['errorCode'])} ${String(message['errorDetail'])}`)
    response.writeHead(200).end()
    return
  }
  seen.requests.push(message)
  const { pathname, searchParams } = new URL(request.url ?? '', 'https://localhost')
  ANSWERS[pathname]?.(message, response, searchParams)
}

const options: ServerOptions = {
  cert: pem('server.pem'),
  key: pem('server-key.pem'),
  ca: pem('ca.pem'),
  requestCert: true,
  rejectUnauthorized: true,
}
const server = createServer(options, (request, response) => {
  handle(request, response).catch(error => {
    seen.invalid.push(String(error))
    response.destroy()
  })
})
server.on('secureConnection', socket => {
  seen.clients.push(createHash('sha256').update(socket.getPeerCertificate().raw).digest('hex'))
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
