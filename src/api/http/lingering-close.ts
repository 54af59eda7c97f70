// src/api/http/lingering-close.ts — closes a connection whose request is not read to its end, without losing the answer.
import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../engine/ports/clock.ts'

/** Read and thrown away at most: what a client has under way while our answer travels to it. */
const MOST_BYTES = 1_048_576

/** The longest wait for a client that has its answer and does not hang up, in milliseconds. */
const LONGEST_MS = 2_000

/**
 * Call it before the request is answered. A socket that is closed while bytes wait to be read is reset, and a reset throws away the
 * answer on its way. So our side is closed first, and what still comes is read for a while. RFC 9112 §9.6.
 */
export function lingerOnClose(request: IncomingMessage, clock: Clock): void {
  const { socket } = request
  let left = MOST_BYTES
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) socket.destroy()
  })
  request.resume()
  let isClosing = false
  // Node calls it when the last answer of a connection is written.
  socket.destroySoon = () => {
    if (isClosing) socket.destroy()
    if (isClosing || socket.destroyed) return
    isClosing = true
    socket.end()
    const alarm = clock.alarm(clock.now() + LONGEST_MS, () => socket.destroy())
    socket.once('close', () => alarm.cancel())
  }
}
