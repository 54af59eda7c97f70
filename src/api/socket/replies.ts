// src/api/socket/replies.ts — the messages that answer a till, put together. Terminal socket reference 2.1, 2.4 and 8.2.
import { type Refusal, sentenceOf } from '../../domain/refusals.ts'
import { ANSWERS } from '../answers.ts'
import { RPC_ERRORS, type RpcCode } from './codes.ts'

export interface Reply {
  readonly jsonrpc: '2.0'
  readonly id?: number
  readonly result?: unknown
  readonly error?: ErrorObject
}

interface ErrorObject {
  readonly code: RpcCode
  /** For whoever looks for the trouble, not for the cashier. */
  readonly message: string
  readonly data?: Readonly<Record<string, string>>
}

export function resultReply(id: number, result: unknown): Reply {
  return { jsonrpc: '2.0', id, result }
}

/** An error. Without a known id it carries none, which is not the same as null. */
export function errorReply(code: RpcCode, id: number | null, data?: ErrorObject['data']): Reply {
  const error: ErrorObject = { code, message: RPC_ERRORS[code], ...(data === undefined ? {} : { data }) }
  return id === null ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id, error }
}

/** A refusal, with the sentence for the cashier. `terminalMember`: what `tid` is called. */
export function refusalReply(refusal: Refusal, id: number | null, terminalMember: string): Reply {
  const { code, tid } = refusal
  return errorReply(ANSWERS[code].rpcCode, id, {
    ...(tid === undefined ? {} : { [terminalMember]: tid }),
    userMessage: sentenceOf(refusal),
  })
}
