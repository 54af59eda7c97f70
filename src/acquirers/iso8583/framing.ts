// src/acquirers/iso8583/framing.ts — cuts a stream of bytes into messages, and puts lengths and headers before them.
import { packNumber } from './digits.ts'
import { Refused } from './refused.ts'

/**
 * Length before each message. It counts what follows; `binary2-inclusive` also itself. `binary2-zero2` is followed by two zero
 * bytes, and a length of 0 keeps the connection alive. `etx` is a byte 03 after the message instead, for messages of text only.
 */
export const LENGTH_HEADERS = [
  'binary2',
  'binary2-inclusive',
  'binary2-zero2',
  'binary4',
  'bcd2',
  'ascii4',
  'hex4',
  'etx',
] as const
export type LengthHeader = (typeof LENGTH_HEADERS)[number]

export interface Framing {
  readonly length: LengthHeader
  /** Most bytes of a message with its header and trailer. */
  readonly maxBytes: number
  /** Bytes between length and message, such as a TPDU; empty for none. */
  readonly header: Uint8Array
  /** Header of an answer to a message of the host: addresses swapped as in a TPDU, the same, or our own. */
  readonly answer: 'swap' | 'echo' | 'own'
  /** Bytes after the message, included in the length; empty for none. */
  readonly trailer: Uint8Array
}

export interface Frame {
  readonly header: Uint8Array
  readonly message: Uint8Array
}

export interface FrameReader {
  /** Takes the next bytes of the stream. Returns the messages that are complete. @throws Refused; the stream is then unusable */
  push(chunk: Uint8Array): readonly Frame[]
  /** Number of bytes of a message that is not complete. */
  readonly pending: number
}

const END_OF_TEXT = 0x03
/** A TPDU: id, destination, source. */
const TPDU_BYTES = 5

/** Reads one stream. It keeps one incomplete message at most. */
export function createFrameReader(framing: Framing): FrameReader {
  let rest: Uint8Array = new Uint8Array(0)
  return {
    get pending() {
      return rest.length
    },
    push(chunk) {
      rest = Buffer.concat([rest, chunk])
      const frames: Frame[] = []
      for (;;) {
        const next = nextFrame(framing, rest)
        if (next === null) return frames
        rest = rest.subarray(next.bytes)
        if (next.content !== null) frames.push(frameIn(framing, next.content))
      }
    },
  }
}

/** The bytes of a message on the wire. @param header default: that of the dialect @throws Refused for one that is too long */
export function frameMessage(framing: Framing, message: Uint8Array, header = framing.header): Uint8Array {
  const content = Buffer.concat([header, message, framing.trailer])
  refuseLength(framing, content.length)
  if (framing.length === 'etx') return Buffer.concat([content, Uint8Array.of(END_OF_TEXT)])
  return Buffer.concat([lengthBytes(framing.length, content.length), content])
}

/** The header of an answer to a message that came with `received`. */
export function answerHeader({ header, answer }: Framing, received: Uint8Array): Uint8Array {
  switch (answer) {
    case 'own':
      return header
    case 'echo':
      return received
    case 'swap':
      return Buffer.concat([received.subarray(0, 1), received.subarray(3, TPDU_BYTES), received.subarray(1, 3)])
  }
}

/** Whether a header has the length of the only one whose addresses can be swapped. */
export function canSwap(header: Uint8Array): boolean {
  return header.length === TPDU_BYTES
}

function lengthBytes(length: Exclude<LengthHeader, 'etx'>, bytes: number): Uint8Array {
  switch (length) {
    case 'binary2':
      return packNumber({ as: 'binary', bytes: 2 }, bytes, 'ascii', 'frame')
    case 'binary2-inclusive':
      return packNumber({ as: 'binary', bytes: 2 }, bytes + 2, 'ascii', 'frame')
    case 'binary2-zero2':
      return Buffer.concat([packNumber({ as: 'binary', bytes: 2 }, bytes, 'ascii', 'frame'), new Uint8Array(2)])
    case 'binary4':
      return packNumber({ as: 'binary', bytes: 4 }, bytes, 'ascii', 'frame')
    case 'bcd2':
      return packNumber({ as: 'bcd', bytes: 2 }, bytes, 'ascii', 'frame')
    case 'ascii4':
      return packNumber({ as: 'ascii', bytes: 4 }, bytes, 'ascii', 'frame')
    case 'hex4':
      return Buffer.from(bytes.toString(16).toUpperCase().padStart(4, '0'), 'latin1')
  }
}

/** The first frame of the bytes: how long it is with its length, and its content; null for a keep-alive. Null until it is whole. */
function nextFrame(
  framing: Framing,
  bytes: Uint8Array,
): { readonly bytes: number; readonly content: Uint8Array | null } | null {
  if (framing.length === 'etx') return upToEndOfText(framing, bytes)
  const size = lengthSize(framing.length)
  if (bytes.length < size) return null
  const length = lengthIn(framing.length, bytes.subarray(0, size))
  if (length === 0 && framing.length === 'binary2-zero2') return { bytes: size, content: null }
  refuseLength(framing, length)
  return bytes.length < size + length ? null : { bytes: size + length, content: bytes.subarray(size, size + length) }
}

function upToEndOfText(framing: Framing, bytes: Uint8Array) {
  const end = bytes.indexOf(END_OF_TEXT)
  if (end < 0 && bytes.length <= framing.maxBytes) return null
  refuseLength(framing, end < 0 ? bytes.length : end)
  return { bytes: end + 1, content: bytes.subarray(0, end) }
}

function lengthSize(length: LengthHeader): number {
  return length === 'binary2' || length === 'binary2-inclusive' || length === 'bcd2' ? 2 : 4
}

function lengthIn(length: Exclude<LengthHeader, 'etx'>, bytes: Uint8Array): number {
  const hex = Buffer.from(bytes).toString('hex')
  const text = Buffer.from(bytes).toString('latin1')
  switch (length) {
    case 'binary2':
    case 'binary4':
      return Number.parseInt(hex, 16)
    case 'binary2-inclusive':
      return Number.parseInt(hex, 16) - 2
    case 'binary2-zero2':
      if (hex.endsWith('0000')) return Number.parseInt(hex.slice(0, 4), 16)
      throw new Refused('frame', 'has a length without two zero bytes behind it', 2)
    case 'bcd2':
      return numberIn(/^\d+$/, hex, 10)
    case 'ascii4':
      return numberIn(/^\d+$/, text, 10)
    case 'hex4':
      return numberIn(/^[\da-f]+$/i, text, 16)
  }
}

function numberIn(form: RegExp, text: string, radix: number): number {
  if (form.test(text)) return Number.parseInt(text, radix)
  throw new Refused('frame', 'has a length that is not a number', 0)
}

function refuseLength({ maxBytes, header, trailer }: Framing, length: number): void {
  if (length > maxBytes) throw new Refused('frame', `has ${length} bytes, and ${maxBytes} is the most`, 0)
  const fewest = header.length + trailer.length + 1
  if (length < fewest) throw new Refused('frame', `has ${length} bytes, and ${fewest} is the fewest`, 0)
}

function frameIn({ header, trailer }: Framing, content: Uint8Array): Frame {
  const end = content.length - trailer.length
  if (!Buffer.from(content.subarray(end)).equals(trailer))
    throw new Refused('frame', 'does not end with its trailer', end)
  return { header: content.subarray(0, header.length), message: content.subarray(header.length, end) }
}
