// src/simulator/interceptor/recorded-calls.ts — notes what is said over a socket about a transaction, in sandbox mode.

import type { JsonObject } from '../../api/read/json-body.ts'
import type { Caller, Line, RpcAnswer } from '../../api/rpc/method.ts'
import type { Party } from '../controls.ts'

/** Notes a call of the till. Returns what to call with its answer. */
export function overhearCall(
  caller: Caller,
  requestId: string,
  what: string,
  params: object,
): (answer: RpcAnswer) => void {
  const answered = note(caller, requestId, ['till', 'gateway'], what, params)
  return answer => answered(inShort(answer))
}

/** The same for the call that has begun the transaction: it stands before all that has come of it. */
export function overhearBeginning(
  { api, account }: Caller,
  requestId: string,
  { what, params, at }: { readonly what: string; readonly params: object; readonly at: number },
): (answer: RpcAnswer) => void {
  const said = { from: 'till', to: 'gateway', what, data: params } as const
  const answered = api.sandbox?.recorder.noteBeginning(account.id, requestId, said, at) ?? (() => {})
  return answer => answered(inShort(answer))
}

/** A line to the till on which everything that is sent and answered is noted. */
export function overhearLine(caller: Caller, requestId: string, line: Line): Line {
  if (caller.api.sandbox === null) return line
  return {
    notify(params) {
      note(caller, requestId, ['gateway', 'till'], 'notify', params)
      line.notify(params)
    },
    askForSignature(params: JsonObject, answered) {
      const heard = note(caller, requestId, ['gateway', 'till'], 'ask_for_signature', params)
      return line.askForSignature(params, accepted => {
        heard({ accepted })
        answered(accepted)
      })
    },
  }
}

function note(
  { api, account }: Caller,
  requestId: string,
  [from, to]: readonly [Party, Party],
  what: string,
  data: object,
): (answer: unknown) => void {
  return api.sandbox?.recorder.note(account.id, requestId, { from, to, what, data }) ?? (() => {})
}

function inShort(answer: RpcAnswer): object {
  return 'refused' in answer ? { refused: answer.refused.code } : answer
}
