// src/platform/random.ts — implements the Random port on the operating system's random generator.
import { randomBytes, randomFillSync, randomUUID } from 'node:crypto'
import type { Random } from '../engine/ports/random.ts'

/** Layout of a version 7 UUID: hexadecimal digits of the time, those before the hyphen, and the index after the version. */
const TIME = { digits: 12, first: 8, rest: 15 } as const

/** Bytes read from the operating system at a time: a call costs as much as for 32. */
const POOL_BYTES = 4_096
/** Larger requests are rare and bypass the pool. */
const MOST_FROM_POOL = 256

/** Creates a source of cryptographically random bytes and ids. */
export function systemRandom(): Random {
  return { bytes: pooledBytes(), uuid: timedUuids() }
}

/** Returns bytes from a pool. Returned bytes are erased from the pool and never returned again. */
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
 * Creates UUIDs of version 7 (RFC 9562): epoch milliseconds and 74 random bits. Successive ids are adjacent in the store's
 * index, so an insert touches a page that is already in memory.
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
