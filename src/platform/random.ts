// src/platform/random.ts — the operating system's chance as the Random port.
import { randomBytes, randomUUID } from 'node:crypto'
import type { Random } from '../engine/ports.ts'

/** Characters of a UUID that hold the time of version 7, its hyphen and the digit of the version. */
const TIME = { digits: 12, first: 8, rest: 15 } as const

/** Unguessable bytes and ids. */
export function systemRandom(): Random {
  return { bytes: count => randomBytes(count), uuid: timedUuid }
}

/**
 * A UUID of version 7 (RFC 9562): milliseconds since 1970, then 74 bits of chance. Ids that were made one after the other
 * lie side by side in the store's index, so that a sale beside a million others touches a page that is in memory anyway.
 */
function timedUuid(): string {
  const time = Date.now().toString(16).padStart(TIME.digits, '0')
  return `${time.slice(0, TIME.first)}-${time.slice(TIME.first)}-7${randomUUID().slice(TIME.rest)}`
}
