// src/peers/acquirer-host/framing.ts — cuts a stream of bytes into messages by their length, and puts lengths before answers.
import { numberOf, oneOf, recordOf } from './document-members.ts'
import { Unreadable } from './unreadable.ts'

export interface Framing {
  readonly kind: keyof typeof KINDS
  readonly maxBytes: number
  /** Before each message: a TPDU or another header, as bytes; empty for none. */
  readonly header: Buffer
  /** `own`: the dialect's bytes. */
  readonly headerAnswer: 'swap' | 'echo' | 'own'
}

/** A message with the header that came before it. */
export interface Frame {
  readonly header: Buffer
  readonly body: Buffer
}

interface Kind {
  /** Bytes of the length. */
  readonly bytes: number
  read(bytes: Buffer): number
  write(length: number): Buffer
}

const KINDS = {
  binary2: binary(2, 0),
  'binary2-inclusive': binary(2, 2),
  'binary2-zero2': {
    bytes: 4,
    read: bytes => bytes.readUInt16BE(0),
    write: length => Buffer.from([length >> 8, length & 0xff, 0, 0]),
  },
  binary4: binary(4, 0),
  bcd2: { bytes: 2, read: bytes => digitsIn(bytes.toString('hex'), 10), write: length => hex(length.toString(), 4) },
  ascii4: {
    bytes: 4,
    read: bytes => digitsIn(bytes.toString('latin1'), 10),
    write: length => Buffer.from(length.toString().padStart(4, '0')),
  },
  hex4: {
    bytes: 4,
    read: bytes => digitsIn(bytes.toString('latin1'), 16),
    write: length => Buffer.from(length.toString(16).toUpperCase().padStart(4, '0')),
  },
} as const satisfies Record<string, Kind>

/** TPDU: one byte of id, two of destination, two of source. */
const TPDU_BYTES = 5
/** For a dialect that does not say. */
const USUAL_MOST = 4_096

/** Reads the framing of a dialect. @throws Error with the place of what cannot be read */
export function framingIn(document: unknown): Framing {
  const framing = recordOf(recordOf(document, '')['framing'], 'framing')
  const kind = oneOf(framing, 'length', Object.keys(KINDS) as (keyof typeof KINDS)[], 'framing')
  const maxBytes = framing['maxBytes'] === undefined ? USUAL_MOST : numberOf(framing, 'maxBytes', 'framing')
  if (framing['header'] === undefined) return { kind, maxBytes, header: Buffer.alloc(0), headerAnswer: 'echo' }
  const header = recordOf(framing['header'], 'framing.header')
  const { bytes } = header
  if (typeof bytes !== 'string' || !/^(?:[0-9A-Fa-f]{2})+$/.test(bytes))
    throw new Error('framing.header.bytes must be bytes in hexadecimal.')
  const headerAnswer = oneOf(header, 'answer', ['swap', 'echo', 'own'], 'framing.header')
  if (headerAnswer === 'swap' && bytes.length !== 2 * TPDU_BYTES)
    throw new Error(`framing.header.bytes must have ${TPDU_BYTES} bytes, of which four are swapped in answers.`)
  return { kind, maxBytes, header: Buffer.from(bytes, 'hex'), headerAnswer }
}

/**
 * Returns a function that takes bytes as they arrive and returns the messages that are whole. A length of 0 is a heartbeat and
 * skipped. It throws Unreadable for a length that is above the limit or none.
 */
export function frameReader(framing: Framing): (chunk: Buffer) => readonly Frame[] {
  const kind: Kind = KINDS[framing.kind]
  let rest: Buffer = Buffer.alloc(0)
  return chunk => {
    rest = Buffer.concat([rest, chunk])
    const frames: Frame[] = []
    while (rest.length >= kind.bytes) {
      const length = kind.read(rest.subarray(0, kind.bytes))
      if (!(length >= 0 && length <= framing.maxBytes)) throw new Unreadable(null, 'The length of the message is wrong')
      if (length > 0 && length < framing.header.length) throw new Unreadable(null, 'The header of the message is short')
      if (rest.length < kind.bytes + length) break
      const whole = rest.subarray(kind.bytes, kind.bytes + length)
      rest = rest.subarray(kind.bytes + length)
      if (length > 0)
        frames.push({ header: whole.subarray(0, framing.header.length), body: whole.subarray(framing.header.length) })
    }
    return frames
  }
}

/** A message with its length and header, as it is sent. */
export function framed({ header, body }: Frame, { kind }: Framing): Buffer {
  return Buffer.concat([KINDS[kind].write(header.length + body.length), header, body])
}

/** Header of the answer to a message. */
export function answerHeader(header: Buffer, { headerAnswer, header: own }: Framing): Buffer {
  if (headerAnswer !== 'swap') return headerAnswer === 'own' ? own : header
  return Buffer.concat([header.subarray(0, 1), header.subarray(3, 5), header.subarray(1, 3)])
}

function binary(bytes: number, included: number): Kind {
  return {
    bytes,
    read: read => read.readUIntBE(0, bytes) - included,
    write: length => hex((length + included).toString(16), 2 * bytes),
  }
}

function digitsIn(text: string, base: 10 | 16): number {
  return (base === 10 ? /^\d+$/ : /^[0-9A-Fa-f]+$/).test(text) ? Number.parseInt(text, base) : Number.NaN
}

function hex(digits: string, size: number): Buffer {
  return Buffer.from(digits.padStart(size, '0'), 'hex')
}
