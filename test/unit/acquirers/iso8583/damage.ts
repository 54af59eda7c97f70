// test/unit/acquirers/iso8583/damage.ts — damages the bytes of a message: bits, bytes, cuts, insertions, and noise.

const KINDS = 6
const MOST_CHANGES = 4
const NOISE_BYTES = 300

/** @param next a whole number from 0 to 65535, by chance */
export function damaged(bytes: Uint8Array, next: () => number): Uint8Array {
  let wire = Buffer.from(bytes)
  const changes = 1 + (next() % MOST_CHANGES)
  for (let change = 0; change < changes; change += 1) {
    const at = next() % (wire.length + 1)
    switch (next() % KINDS) {
      case 0:
        if (at < wire.length) wire[at] = (wire[at] ?? 0) ^ (1 << (next() % 8))
        break
      case 1:
        if (at < wire.length) wire[at] = next() % 256
        break
      case 2:
        wire = wire.subarray(0, at)
        break
      case 3:
        wire = Buffer.concat([wire.subarray(0, at), Uint8Array.of(next() % 256), wire.subarray(at)])
        break
      case 4:
        wire = Buffer.concat([wire.subarray(0, at), wire.subarray(at + 1 + (next() % 8))])
        break
      default:
        // Everything after the message type: bitmaps and fields by chance.
        if (next() % 8 === 0)
          wire = Buffer.concat([
            wire.subarray(0, 4),
            Uint8Array.from({ length: next() % NOISE_BYTES }, () => next() % 256),
          ])
    }
  }
  return wire
}
