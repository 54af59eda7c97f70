// src/platform/cluster/json-body.ts — reads a bounded body of a call between nodes.
import type { IncomingMessage } from 'node:http'
import { boundedBody } from '../bounded-body.ts'

/** Largest body in bytes. The largest in use are bills and messages of tills, which the till's socket limits to 64 kB. */
export const MOST_BYTES = 1_048_576

/** Reads a body as JSON. @throws Error when it is larger than `MOST_BYTES`, ends early or is not JSON */
export async function readJson(message: IncomingMessage): Promise<unknown> {
  const body = await boundedBody(message, MOST_BYTES)
  if (body === null) throw new Error(`a body has more than ${MOST_BYTES} bytes`)
  return JSON.parse(body.toString('utf8'))
}
