// src/api/http/lingering-close.ts — closes the connection of a partly read request without losing its answer.
import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../engine/ports/clock.ts'

/** Most bytes discarded: what a client sends while the answer travels to it. */
const MOST_BYTES = 1_048_576

/** Longest wait for a client that has its answer but does not close, in milliseconds. */
const LONGEST_MS = 2_000

/**
 * Makes the socket close in two steps; call it before the request is answered. Closing a socket with unread bytes resets it,
 * and the reset discards the answer. So our side closes first and keeps reading for a while. RFC 9112 §9.6.
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
  // Node calls `destroySoon` when the last response of a connection is written.
  socket.destroySoon = () => {
    if (isClosing) socket.destroy()
    if (isClosing || socket.destroyed) return
    isClosing = true
    socket.end()
    const alarm = clock.alarm(clock.now() + LONGEST_MS, () => socket.destroy())
    socket.once('close', () => alarm.cancel())
  }
}
