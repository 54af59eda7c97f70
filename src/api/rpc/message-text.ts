// src/api/rpc/message-text.ts — from a message to what goes over the line.
import type { Reply } from './replies.ts'

const TEXT = Symbol('text')

/** A result that is told again and again, with its JSON. A symbol, which JSON itself passes over. */
interface Kept {
  readonly [TEXT]: string
}

/** The result with its text, so that it is not made anew each time it is told. It must not change afterwards. */
export function kept(result: unknown): object & Kept {
  return { ...(result as object), [TEXT]: JSON.stringify(result) }
}

export function textOf(message: object): string {
  const { id, result } = message as Partial<Reply>
  return isKept(result) && id !== undefined
    ? `{"jsonrpc":"2.0","id":${id},"result":${result[TEXT]}}`
    : JSON.stringify(message)
}

function isKept(result: unknown): result is Kept {
  return typeof result === 'object' && result !== null && TEXT in result
}
