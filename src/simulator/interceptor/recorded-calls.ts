// src/simulator/interceptor/recorded-calls.ts — records what is said over a socket about a transaction.

import type { InterceptedCaller } from '../../api/interceptor.ts'
import type { JsonObject } from '../../api/read/json-body.ts'
import type { Line, RpcAnswer } from '../../api/rpc/taken.ts'
import type { Recorder } from '../controls.ts'

/** Records a call of the till. Returns what to call with its answer. */
export function recordCall(
  recorder: Recorder,
  { account }: InterceptedCaller,
  requestId: string,
  what: string,
  params: object,
): (answer: RpcAnswer) => void {
  const answered = recorder.note(account.id, requestId, { from: 'till', to: 'gateway', what, data: params })
  return answer => answered(inShort(answer))
}

/** The same for the call that has begun the transaction: it stands before all that has come of it. */
export function recordStart(
  recorder: Recorder,
  { account }: InterceptedCaller,
  requestId: string,
  { what, params, at }: { readonly what: string; readonly params: object; readonly at: number },
): (answer: RpcAnswer) => void {
  const said = { from: 'till', to: 'gateway', what, data: params } as const
  const answered = recorder.noteBeginning(account.id, requestId, said, at)
  return answer => answered(inShort(answer))
}

/** A line to the till on which everything that is sent and answered is recorded. */
export function recordLine(recorder: Recorder, { account }: InterceptedCaller, requestId: string, line: Line): Line {
  const note = (what: string, data: object) =>
    recorder.note(account.id, requestId, { from: 'gateway', to: 'till', what, data })
  return {
    notify(params) {
      note('notify', params)
      line.notify(params)
    },
    askForSignature(params: JsonObject, answered) {
      const heard = note('ask_for_signature', params)
      return line.askForSignature(params, accepted => {
        heard({ accepted })
        answered(accepted)
      })
    },
  }
}

function inShort(answer: RpcAnswer): object {
  return 'refused' in answer ? { refused: answer.refused.code } : answer
}
