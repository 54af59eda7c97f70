// src/api/rpc/frames.ts — from a message to what goes over the line: one text frame, written in one piece. RFC 6455
// section 5.2, decision 39.
import type { Reply } from './replies.ts'

/** Final, text, not masked. */
const TEXT_FRAME = '\x81'

/** Longest payload whose length stands in the second byte, and in two bytes behind it. */
const LONGEST_SHORT = 125
const LONGEST_MEDIUM = 65_535

/** A result that is told again and again, with its JSON, so that this is not made anew each time. */
export class Kept {
  readonly result: unknown
  /** By whom and for whom it was made: it is told again only to the like. */
  readonly method: object
  readonly variant: string
  /** Its JSON in UTF-8, a character a byte. */
  readonly bytes: string

  /** @param result must not change afterwards */
  constructor(result: unknown, method: object, variant: string) {
    this.result = result
    this.method = method
    this.variant = variant
    this.bytes = bytesOf(JSON.stringify(result))
  }

  /** In JSON it is what it holds. */
  toJSON(): unknown {
    return this.result
  }
}

/**
 * The frame of a message. Each character of it is a byte, 0 to 255: such a text is written without being copied into a
 * buffer first.
 */
export function frameOf(message: object): string {
  const { id, result } = message as Partial<Reply>
  return framed(
    result instanceof Kept ? `{"jsonrpc":"2.0","id":${id},"result":${result.bytes}}` : bytesOf(JSON.stringify(message)),
  )
}

/** The UTF-8 of a text, a character a byte. */
function bytesOf(text: string): string {
  const length = Buffer.byteLength(text)
  // Nothing but ASCII, as nearly always.
  return length === text.length ? text : Buffer.from(text).toString('latin1')
}

function framed(payload: string): string {
  return TEXT_FRAME + lengthIn(payload.length) + payload
}

function lengthIn(length: number): string {
  if (length <= LONGEST_SHORT) return String.fromCharCode(length)
  if (length <= LONGEST_MEDIUM) return String.fromCharCode(126, length >>> 8, length & 0xff)
  const bytes = Buffer.alloc(9)
  bytes[0] = 127
  bytes.writeBigUInt64BE(BigInt(length), 1)
  return bytes.toString('latin1')
}
