// src/platform/directory-server-client.ts — posts messages to directory servers over mutual TLS. ADR 84.
import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Readable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { createGunzip } from 'node:zlib'
import type { Clock } from '../engine/ports/clock.ts'
import type {
  CallFailure,
  CallOutcome,
  DirectoryServerCall,
  DirectoryServerClient,
} from '../engine/ports/directory-server-client.ts'
import { boundedBody } from './bounded-body.ts'

/** Creates the client. It opens a connection for each call and follows no redirects. */
export function createDirectoryServerClient({ clock }: { readonly clock: Clock }): DirectoryServerClient {
  return { post: call => post(call, clock) }
}

function post(call: DirectoryServerCall, clock: Clock): Promise<CallOutcome> {
  const { url, body, tls, connectMs, answerMs, longestAnswer } = call
  return new Promise(resolve => {
    let connected = false
    const request = requestHttps(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=UTF-8',
        'content-length': Buffer.byteLength(body),
        'accept-encoding': 'gzip',
      },
      agent: false,
      ...{ cert: tls.certificate, key: tls.privateKey, ca: tls.authorities, minVersion: 'TLSv1.2' },
    })
    let limit = clock.alarm(clock.now() + connectMs, () => fail('unreachable', `no connection within ${connectMs} ms`))
    const end = (outcome: CallOutcome): void => {
      limit.cancel()
      resolve(outcome)
      request.destroy()
    }
    const fail = (failed: CallFailure, detail: string): void => end({ failed, detail })

    request.on('socket', socket => {
      ;(socket as TLSSocket).once('secureConnect', () => {
        connected = true
        limit.cancel()
        limit = clock.alarm(clock.now() + answerMs, () => fail('timed_out', `no answer within ${answerMs} ms`))
      })
    })
    request.on('error', error => fail(failureOf(error, connected), codeOf(error)))
    request.on('response', response => {
      boundedBody(unpacked(response), longestAnswer).then(
        bytes =>
          bytes === null
            ? fail('too_long', `more than ${longestAnswer} bytes`)
            : end({ status: response.statusCode ?? 0, body: bytes.toString('utf8') }),
        error => fail('broken_off', codeOf(error)),
      )
    })
    request.end(body)
  })
}

function unpacked(response: IncomingMessage): Readable {
  if (response.headers['content-encoding'] !== 'gzip') return response
  const gunzip = createGunzip()
  response.on('error', error => gunzip.destroy(error))
  return response.pipe(gunzip)
}

/** What the server says when our certificate is missing, unknown, expired or not allowed. */
const OUR_CERTIFICATE = /^ERR_SSL_.*(?:ALERT|CERTIFICATE_REQUIRED|ACCESS_DENIED|HANDSHAKE_FAILURE)/
/** Errors of Node when the server's certificate is not right. */
const ITS_CERTIFICATE = /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|ERR_TLS_CERT|INVALID_CA|HOSTNAME_MISMATCH)/

function failureOf(error: Error, connected: boolean): CallFailure {
  const code = codeOf(error)
  if (OUR_CERTIFICATE.test(code)) return 'refused'
  if (ITS_CERTIFICATE.test(code)) return 'untrusted'
  return connected ? 'broken_off' : 'unreachable'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'the connection failed'
}
