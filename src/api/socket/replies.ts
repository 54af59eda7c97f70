// src/api/socket/replies.ts — builds JSON-RPC results and errors.
import { maskCardNumbers } from '../../domain/card-numbers.ts'
import { type Refusal, sentenceOf } from '../../domain/refusals.ts'
import { ANSWERS } from '../answers.ts'
import { RPC_ERRORS, type RpcCode } from './rpc-codes.ts'

export interface Reply {
  readonly jsonrpc: '2.0'
  readonly id?: number
  readonly result?: unknown
  readonly error?: ErrorObject
}

interface ErrorObject {
  readonly code: RpcCode
  /** For developers. The text for the cashier is `data.userMessage`. */
  readonly message: string
  readonly data?: Readonly<Record<string, string>>
}

export function resultReply(id: number, result: unknown): Reply {
  return { jsonrpc: '2.0', id, result }
}

/** Builds an error. `id` is left out, not null, when it is unknown. */
export function errorReply(code: RpcCode, id: number | null, data?: ErrorObject['data']): Reply {
  const error: ErrorObject = { code, message: RPC_ERRORS[code], ...(data === undefined ? {} : { data }) }
  return id === null ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id, error }
}

/** Builds the error of a refusal, with the sentence for the cashier. @param terminalMember name of `tid` in this version */
export function refusalReply(refusal: Refusal, id: number | null, terminalMember: string): Reply {
  const { code, tid } = refusal
  return errorReply(ANSWERS[code].rpcCode, id, {
    ...(tid === undefined ? {} : { [terminalMember]: maskCardNumbers(tid) }),
    userMessage: sentenceOf(refusal),
  })
}
