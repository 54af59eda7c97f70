// src/api/read/raw-body.ts — reads the bytes of a request body, up to a limit.
import type { IncomingMessage } from 'node:http'
import type { Refusal } from '../../domain/refusals.ts'

/** The bytes of a request, none where it has no body; `refused` when there are more than its limit. */
export type SentBody = { readonly bytes: Buffer } | { readonly refused: Refusal }

export const NO_BODY: SentBody = { bytes: Buffer.alloc(0) }

/** The rest of such a body is not read, so its connection cannot serve another request. */
export const BODY_TOO_LARGE: SentBody = { refused: { code: 'body_too_large' } }

/** The sender went away in the middle of its request. Nobody is left to be answered. */
export class SenderGone extends Error {
  override readonly name = 'SenderGone'
}

/** @throws SenderGone when the connection ends before the body does */
export function readRawBody(request: IncomingMessage, limitBytes: number): Promise<SentBody> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) return Promise.resolve(BODY_TOO_LARGE)
  // It has said so already, and will not again.
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
    // Each settles it once; `once` would only make another function for each request.
    request.on('end', () => {
      ended = true
      const [only] = chunks
      resolve({ bytes: chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks) })
    })
    // It is closed after that.
    request.on('error', ignore)
    request.on('close', () => {
      if (!ended) reject(new SenderGone())
    })
  })
}

function ignore(): void {}
