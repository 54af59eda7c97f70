// src/platform/bounded-body.ts — reads what comes in pieces, up to a limit.

/**
 * Reads a body to its end. Null when it is longer than `mostBytes`; the rest is not read, and the source is closed. Rejects when the
 * source breaks off.
 */
export async function boundedBody(source: AsyncIterable<unknown>, mostBytes: number): Promise<Buffer | null> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of source) {
    const read = typeof piece === 'string' ? Buffer.from(piece) : (piece as Buffer)
    bytes += read.length
    if (bytes > mostBytes) return null
    pieces.push(read)
  }
  return Buffer.concat(pieces)
}
