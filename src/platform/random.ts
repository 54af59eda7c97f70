// src/platform/random.ts — the operating system's chance as the Random port.
import { randomBytes, randomFillSync, randomUUID } from 'node:crypto'
import type { Random } from '../engine/ports/random.ts'

/** Characters of a UUID that hold the time of version 7, its hyphen and the digit of the version. */
const TIME = { digits: 12, first: 8, rest: 15 } as const

/** Bytes asked of the operating system at a time: a call costs as much for these as for 32. */
const POOL_BYTES = 4_096
/** More than these are rare, and are asked for by themselves. */
const MOST_FROM_POOL = 256

/** Unguessable bytes and ids. */
export function systemRandom(): Random {
  return { bytes: pooledBytes(), uuid: timedUuids() }
}

/** No byte is given twice: what was given is wiped from the pool. */
function pooledBytes(): (count: number) => Uint8Array {
  const pool = Buffer.alloc(POOL_BYTES)
  let used = POOL_BYTES
  return count => {
    if (count > MOST_FROM_POOL) return randomBytes(count)
    if (used + count > POOL_BYTES) {
      randomFillSync(pool)
      used = 0
    }
    const given = Uint8Array.prototype.slice.call(pool, used, used + count)
    pool.fill(0, used, used + count)
    used += count
    return given
  }
}

/**
 * A UUID of version 7 (RFC 9562): milliseconds since 1970, then 74 bits of chance. Ids that were made one after the other
 * lie side by side in the store's index, so that a sale beside a million others touches a page that is in memory anyway.
 */
function timedUuids(): () => string {
  let latest = Number.NaN
  let head = ''
  return () => {
    const now = Date.now()
    if (now !== latest) {
      latest = now
      const time = now.toString(16).padStart(TIME.digits, '0')
      head = `${time.slice(0, TIME.first)}-${time.slice(TIME.first)}-7`
    }
    return head + randomUUID().slice(TIME.rest)
  }
}
