// src/simulator/interceptor/recorded-calls.ts — records the WebSocket messages about a transaction.

import type { FaultyCall, InterceptedCaller, InterceptedMessage } from '../../api/interceptor.ts'
import type { JsonObject } from '../../api/read/json-body.ts'
import type { RpcAnswer, TillConnection } from '../../api/socket/method-outcome.ts'
import type { Recorder } from '../controls.ts'

/**
 * Records a message of the till. The message that starts a transaction comes before everything that follows from it.
 * @returns function to call with the answer
 */
export function recordMessage(
  recorder: Recorder,
  { account }: InterceptedCaller,
  requestId: string,
  { what, params, beganAt }: InterceptedMessage,
): (answer: RpcAnswer) => void {
  const message = { from: 'till', to: 'gateway', what, data: params } as const
  const answered =
    beganAt === undefined
      ? recorder.note(account.id, requestId, message)
      : recorder.noteBeginning(account.id, requestId, message, beganAt)
  return answer => answered(summaryOf(answer))
}

/** Wraps the call to record a start whose answer is lost on a socket. Over HTTP the request itself is recorded. */
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

/** Wraps a connection to the till to record notifications, signature requests and their answers. */
export function recordConnection(
  recorder: Recorder,
  { account }: InterceptedCaller,
  requestId: string,
  connection: TillConnection,
): TillConnection {
  const note = (what: string, data: object) =>
    recorder.note(account.id, requestId, { from: 'gateway', to: 'till', what, data })
  return {
    notify(params) {
      note('notify', params)
      connection.notify(params)
    },
    askForSignature(params: JsonObject, answered) {
      const noted = note('ask_for_signature', params)
      return connection.askForSignature(params, accepted => {
        noted({ accepted })
        answered(accepted)
      })
    },
  }
}

function summaryOf(answer: RpcAnswer): object {
  return 'refused' in answer ? { refused: answer.refused.code } : answer
}
