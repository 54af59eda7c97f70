// src/platform/otel/otlp-sender.ts — posts serialised telemetry to an OTLP receiver within a time limit.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Clock } from '../../engine/ports/clock.ts'

/** Largest answer that is read, in bytes. Receivers answer with a few; the rest is not needed. */
const ANSWER_BYTES = 65_536

/** How a POST has ended. `retry`: the receiver, or the way to it, may take the same later. */
export type Sent = 'accepted' | 'retry' | 'refused'

export interface OtlpSender {
  /** Never rejects. */
  post(body: Uint8Array): Promise<Sent>
  /** Ends the POST in progress at once, as `refused`. */
  abort(): void
}

export interface OtlpSenderOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly contentType: 'application/json' | 'application/x-protobuf'
  /** Time limit of a whole POST, in milliseconds. */
  readonly limitMs: number
  readonly clock: Clock
}

/** Answers after which OTLP allows to send the same again. OTLP/HTTP, "Failures". */
const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Creates a sender. It makes one POST at a time, each on a connection of its own. */
export function createOtlpSender({ url, headers, contentType, limitMs, clock }: OtlpSenderOptions): OtlpSender {
  const send = url.startsWith('https:') ? requestHttps : requestHttp
  let abort = (): void => {}
  return {
    post: body =>
      new Promise(resolve => {
        const request = send(url, {
          method: 'POST',
          headers: { ...headers, 'content-type': contentType, 'content-length': body.byteLength },
          agent: false,
        })
        const limit = clock.alarm(clock.now() + limitMs, () => end('retry'))
        const end = (sent: Sent): void => {
          limit.cancel()
          resolve(sent)
          request.destroy()
        }
        abort = () => end('refused')
        request.on('error', () => end('retry'))
        request.on('response', response => {
          const { statusCode = 0 } = response
          let read = 0
          response.on('data', (chunk: Uint8Array) => {
            read += chunk.byteLength
            if (read > ANSWER_BYTES) end(sentBy(statusCode))
          })
          response.on('end', () => end(sentBy(statusCode)))
          response.on('error', () => end(sentBy(statusCode)))
        })
        request.end(body)
      }),
    abort: () => abort(),
  }
}

function sentBy(status: number): Sent {
  if (status >= 200 && status < 300) return 'accepted'
  return RETRIED.has(status) ? 'retry' : 'refused'
}
