// src/simulator/interceptor/recorded-calls.ts — records what is said over a socket about a transaction.

import type { FaultyCall, InterceptedCaller, InterceptedMessage } from '../../api/interceptor.ts'
import type { JsonObject } from '../../api/read/json-body.ts'
import type { Line, RpcAnswer } from '../../api/socket/method-outcome.ts'
import type { Recorder } from '../controls.ts'

/**
 * Records a message of the till. One that has begun a transaction stands before all that has come of it.
 * @returns what to call with its answer
 */
export function recordMessage(
  recorder: Recorder,
  { account }: InterceptedCaller,
  requestId: string,
  { what, params, beganAt }: InterceptedMessage,
): (answer: RpcAnswer) => void {
  const said = { from: 'till', to: 'gateway', what, data: params } as const
  const answered =
    beganAt === undefined
      ? recorder.note(account.id, requestId, said)
      : recorder.noteBeginning(account.id, requestId, said, beganAt)
  return answer => answered(inShort(answer))
}

/** The same call; a start whose answer is lost on a socket is recorded. Over HTTP the request itself is recorded. */
export function noting<Outcome extends object>(
  recorder: Recorder,
  account: string,
  call: FaultyCall<Outcome>,
): FaultyCall<Outcome> {
  return {
    cut(outcome) {
      if (outcome !== null && 'requestId' in outcome)
        recorder.note(account, String(outcome.requestId), {
          from: 'gateway',
          to: 'till',
          what: 'answer_lost',
          data: null,
        })
      return call.cut(outcome)
    },
    later: (outcome, wait) => call.later(outcome, wait),
  }
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
