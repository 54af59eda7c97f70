// src/api/rpc/message-text.ts — from a message to what goes over the line.
import type { Reply } from './replies.ts'

const BYTES = Symbol('bytes')

/** A result that is told again and again, with its JSON as bytes. A symbol, which JSON itself passes over. */
interface Kept {
  readonly [BYTES]: Buffer
}

/** The result with its bytes, so that they are not made anew each time it is told. It must not change afterwards. */
export function kept(result: unknown): object & Kept {
  const text = JSON.stringify(result)
  // Not out of the pool, of which it would hold back eight times as much.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return { ...(result as object), [BYTES]: bytes }
}

/** The JSON of a message: as text, or as UTF-8 where that is at hand. */
export function textOf(message: object): string | Buffer {
  const { id, result } = message as Partial<Reply>
  return isKept(result) && id !== undefined ? replyWith(id, result[BYTES]) : JSON.stringify(message)
}

function replyWith(id: number, result: Buffer): Buffer {
  const head = `{"jsonrpc":"2.0","id":${id},"result":`
  const message = Buffer.allocUnsafe(head.length + result.length + 1)
  message.write(head, 'latin1')
  result.copy(message, head.length)
  message[message.length - 1] = CLOSING_BRACE
  return message
}

const CLOSING_BRACE = 0x7d

function isKept(result: unknown): result is Kept {
  return typeof result === 'object' && result !== null && BYTES in result
}
