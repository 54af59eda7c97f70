// src/terminals/nexo/https-carrier.ts — connects to terminals over HTTPS.
import { request as requestHttp } from 'node:http'
import { isIP } from 'node:net'
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls'
import type { Clock } from '../../engine/ports/clock.ts'
import { type Address, type Carrier, type Line, LineError } from './line.ts'
import type { Received } from './wire/answers.ts'

/** Longest answer in bytes: a receipt as a page has up to 262,144 characters, and there are two. */
const LONGEST_ANSWER = 1_048_576
/** A payment is silent for minutes. Probes show a dead terminal, and keep address translation alive. */
const PROBES_EVERY_MS = 20_000

/** Creates the carrier. Each request has a connection of its own: a reused one may be dead, which shows only after sending. */
export function createHttpsCarrier({ clock }: { readonly clock: Clock }): Carrier {
  return {
    open: (address, limitMs) =>
      new Promise((resolve, reject) => {
        const { host, port, root, commonNames } = address
        const socket = connect({
          ...{ host, port, minVersion: 'TLSv1.2' },
          ...(root === null ? {} : { ca: [root] }),
          ...(isIP(host) === 0 ? { servername: host } : {}),
          ...(commonNames === null
            ? {}
            : {
                checkServerIdentity: (_: string, certificate: PeerCertificate) =>
                  identityError(certificate, commonNames),
              }),
        })
        const limit = clock.alarm(clock.now() + limitMs, () => {
          socket.destroy(new LineError('unreachable', `No connection to ${host}:${port} within ${limitMs / 1_000} s.`))
        })
        socket.once('error', error => {
          limit.cancel()
          reject(lineErrorOf(error, address))
        })
        socket.once('secureConnect', () => {
          limit.cancel()
          socket.setKeepAlive(true, PROBES_EVERY_MS)
          socket.removeAllListeners('error')
          // Until the request is sent nobody else listens.
          socket.on('error', () => {})
          resolve(lineOver(socket, address))
        })
      }),
  }
}

function lineOver(socket: TLSSocket, address: Address): Line {
  return {
    post: body => answerOn(socket, address, body),
    get: () => answerOn(socket, address, null),
    close: () => socket.destroy(),
  }
}

/** Sends a request. @param body null: it only reads */
function answerOn(socket: TLSSocket, { host, port, path, headers }: Address, body: string | null): Promise<Received> {
  return new Promise((resolve, reject) => {
    const lost = (why: string) => reject(new LineError('lost', `The connection to ${host}:${port} was lost: ${why}.`))
    if (socket.destroyed) return lost('closed')
    const request = requestHttp({
      ...{ method: body === null ? 'GET' : 'POST', path, host, port, createConnection: () => socket },
      headers: {
        ...headers,
        ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        connection: 'close',
      },
    })
    request.on('error', (error: Error & { readonly code?: string }) => lost(error.code ?? 'an error'))
    request.on('close', () => lost('closed'))
    request.on('response', response => {
      const chunks: Buffer[] = []
      let length = 0
      response.on('error', () => lost('in the middle of the answer'))
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > LONGEST_ANSWER) socket.destroy()
        else chunks.push(chunk)
      })
      response.on('end', () => {
        const received: Received = {
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString('utf8'),
        }
        socket.destroy()
        if (response.complete) resolve(received)
        else lost('in the middle of the answer')
      })
    })
    request.end(body ?? '')
  })
}

function identityError(
  { subject, fingerprint256 }: PeerCertificate,
  commonNames: readonly string[],
): Error | undefined {
  const name = String(subject?.CN ?? '')
  if (commonNames.includes(name)) return undefined
  return new LineError(
    'certificate',
    `The certificate is issued to ${name || 'nobody'} (SHA-256 ${fingerprint256}); it must be ${commonNames.join(' or ')}. ` +
      'Another device may be at this address.',
  )
}

/** Codes of Node for a chain that does not lead to the root, or is not valid now. */
const CHAIN_ERROR = /CERT|SELF_SIGNED|UNABLE_TO|ISSUER|CHAIN/

function lineErrorOf(error: Error & { readonly code?: string }, { host, port }: Address): LineError {
  if (error instanceof LineError) return error
  const { code = '' } = error
  if (CHAIN_ERROR.test(code))
    return new LineError(
      'certificate',
      `The certificate of ${host}:${port} does not lead to the root, or is not valid now (${code}).`,
    )
  return new LineError('unreachable', `${host}:${port} cannot be reached (${code || 'no connection'}).`)
}
