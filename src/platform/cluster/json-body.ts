// src/platform/cluster/json-body.ts — reads a bounded body of a call between nodes.
import type { IncomingMessage } from 'node:http'

/** Largest body in bytes. The largest in use are bills and messages of tills, which the till's socket limits to 64 kB. */
export const MOST_BYTES = 1_048_576

/** Reads a body as JSON. @throws Error when it is larger than `MOST_BYTES`, ends early or is not JSON */
export async function readJson(message: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new Error(`a body has more than ${MOST_BYTES} bytes`)
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
