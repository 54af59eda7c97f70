// src/simulator/interceptor/recorded-requests.ts — records HTTP requests of tills about transactions, and the answers.
import type { Answer } from '../../api/answer.ts'
import type { InterceptedOperation, InterceptedRequest } from '../../api/interceptor.ts'
import type { JsonObject } from '../../api/read/json-body.ts'
import type { Clocks } from '../../engine/ports/clock.ts'
import type { Recorder } from '../controls.ts'

/** A request in progress. */
export interface RecordedRequest<RequestContext extends InterceptedRequest> {
  /** Runs the request, and records it if it is about a transaction. */
  run(context: RequestContext): Promise<Answer>
  /** Records that the answer did not reach the till. */
  lost(): void
}

export interface RecorderParts {
  readonly recorder: Recorder
  readonly clocks: Clocks
}

/** The request and its caller. */
interface About {
  readonly operation: InterceptedOperation
  readonly account: string
  readonly params: Readonly<Record<string, string>>
}

/** Records one request. */
interface Listener {
  /** Called with the body. */
  body(json: JsonObject): void
  /** Called with the answer, or `failed` when there is none. */
  answered(answer: Answer | 'failed'): void
  /** Called when the answer did not reach the till. */
  lost(): void
}

/** Operations on a transaction. The path has its id; for a start the answer has it. */
const ABOUT_TRANSACTIONS = /\/transactions(\/|$)/

/** Records a request while it runs. */
export function recordRequest<RequestContext extends InterceptedRequest>(
  { recorder, clocks }: RecorderParts,
  operation: InterceptedOperation,
  { account }: RequestContext,
  params: Readonly<Record<string, string>>,
  run: (context: RequestContext) => Promise<Answer>,
): RecordedRequest<RequestContext> {
  if (account === null || operation.area !== 'connect' || !ABOUT_TRANSACTIONS.test(operation.path))
    return { run, lost() {} }
  const about: About = { operation, account: account.id, params }
  const cameAt = clocks.of(account.id).now()
  const listener = operation.method === 'GET' ? pollListener(recorder, about) : callListener(recorder, about, cameAt)
  return {
    async run(context) {
      try {
        const answer = await run({ ...context, onBody: hearing(context, listener) })
        listener.answered(answer)
        return answer
      } catch (error) {
        listener.answered('failed')
        throw error
      }
    },
    lost: listener.lost,
  }
}

/** Passes the body on: /api/requests lists it too. */
function hearing({ onBody }: InterceptedRequest, { body }: Listener): (json: JsonObject) => void {
  return json => {
    onBody?.(json)
    body(json)
  }
}

/** Counts polls: a repeated answer is not recorded again. */
function pollListener(recorder: Recorder, { operation: { name, method }, account, params }: About): Listener {
  return {
    body() {},
    answered(answer) {
      const requestId = params['requestId']
      const status = statusOf(answer)
      if (requestId === undefined || recorder.again(account, requestId, name, status)) return
      const message = { from: 'till', to: 'gateway', what: name, data: { method, ...params } } as const
      recorder.note(account, requestId, message)(whatOf(answer, status))
    },
    lost() {},
  }
}

function callListener(
  recorder: Recorder,
  { operation: { method, name }, account, params }: About,
  cameAt: number,
): Listener {
  let requestId = params['requestId'] ?? null
  let body: JsonObject | null = null
  let answeredWith: ((answer: unknown) => void) | null = null

  /** Records the call before its effects, as soon as the transaction is known. */
  function noteCall(begins = false): void {
    if (requestId === null || answeredWith !== null) return
    const message = { from: 'till', to: 'gateway', what: name, data: { method, ...params, body } } as const
    answeredWith = begins
      ? recorder.noteBeginning(account, requestId, message, cameAt)
      : recorder.note(account, requestId, message)
  }

  if (method === 'DELETE') noteCall()
  return {
    body(json) {
      body = json
      noteCall()
    },
    answered(given) {
      const lost = typeof given === 'object' && 'taken' in given ? given.lost : undefined
      const answer = lost ?? given
      requestId ??= startedBy(answer)
      if (requestId === null) return
      const status = statusOf(answer)
      // A replay by idempotency key is a later call than the one that started the transaction.
      const replayed =
        typeof answer === 'object' && 'headers' in answer && answer.headers?.['idempotency-replayed'] !== undefined
      noteCall(params['requestId'] === undefined && !replayed)
      answeredWith?.(whatOf(answer, status))
      if (lost !== undefined) noteLoss(recorder, account, requestId)
    },
    lost: () => noteLoss(recorder, account, requestId),
  }
}

function noteLoss(recorder: Recorder, account: string, requestId: string | null): void {
  if (requestId !== null)
    recorder.note(account, requestId, { from: 'gateway', to: 'till', what: 'answer_lost', data: null })
}

function startedBy(answer: Answer | 'failed'): string | null {
  const body = typeof answer === 'object' && 'body' in answer ? answer.body : undefined
  const requestId = body?.['requestId']
  return typeof requestId === 'string' ? requestId : null
}

function statusOf(answer: Answer | 'failed'): number {
  if (answer === 'failed') return 500
  return 'status' in answer ? answer.status : 0
}

/** Short form of the answer: status, body or refusal code. */
function whatOf(answer: Answer | 'failed', status: number): object {
  if (typeof answer === 'object' && 'refused' in answer) return { refused: answer.refused.code }
  return typeof answer === 'object' && 'body' in answer && answer.body !== undefined
    ? { status, body: answer.body }
    : { status }
}
