// src/api/read/raw-body.ts — reads the bytes of a request body, up to a limit.
import type { IncomingMessage } from 'node:http'
import type { Refusal } from '../../domain/refusals.ts'

/** The bytes of a request body, empty when it has none. Refused when they exceed the limit. */
export type SentBody = { readonly bytes: Buffer } | { readonly refused: Refusal }

export const NO_BODY: SentBody = { bytes: Buffer.alloc(0) }

/** The rest of the body is not read, so the connection cannot serve another request. */
export const BODY_TOO_LARGE: SentBody = { refused: { code: 'body_too_large' } }

/** The sender disconnected before the end of its request. */
export class SenderGone extends Error {
  override readonly name = 'SenderGone'
}

/** Reads a body of at most `limitBytes`. @throws SenderGone when the connection ends before the body does */
export function readRawBody(request: IncomingMessage, limitBytes: number): Promise<SentBody> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) return Promise.resolve(BODY_TOO_LARGE)
  // A destroyed request emits no further events.
  if (request.destroyed) return Promise.reject(new SenderGone())
  const chunks: Buffer[] = []
  let length = 0
  let ended = false
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      length += chunk.length
      if (length <= limitBytes) chunks.push(chunk)
      else {
        request.off('data', onData)
        request.pause()
        resolve(BODY_TOO_LARGE)
      }
    }
    request.on('data', onData)
    // The promise settles only once, so `on` is enough; `once` would create another function for each request.
    request.on('end', () => {
      ended = true
      const [only] = chunks
      resolve({ bytes: chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks) })
    })
    // `close` follows an error.
    request.on('error', ignore)
    request.on('close', () => {
      if (!ended) reject(new SenderGone())
    })
  })
}

function ignore(): void {}
