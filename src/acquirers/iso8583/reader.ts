// src/acquirers/iso8583/reader.ts — reads bytes of a message from front to back, and refuses to read beyond its end.
import { Refused } from './refused.ts'

export interface Reader {
  /** Bytes read so far, counted from the beginning of the message. */
  readonly offset: number
  readonly left: number
  /** The next bytes. @throws Refused when the message is too short */
  take(count: number, field: string): Uint8Array
}

/** @param base byte of the message at which `bytes` begins */
export function createReader(bytes: Uint8Array, base = 0): Reader {
  let position = 0
  return {
    get offset() {
      return base + position
    },
    get left() {
      return bytes.length - position
    },
    take(count, field) {
      const left = bytes.length - position
      // How many are needed is not said: where the dialect is wrong, a length may be digits of the card.
      if (count > left)
        throw new Refused(field, left === 0 ? 'is missing; nothing is left here' : 'is cut off', base + position)
      position += count
      return bytes.subarray(position - count, position)
    },
  }
}
