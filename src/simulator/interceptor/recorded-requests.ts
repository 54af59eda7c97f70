// src/simulator/interceptor/recorded-requests.ts — notes what tills ask about transactions and what they are answered, in sandbox mode.

import type { AccountVisit, Answer, Operation } from '../../api/operation.ts'
import type { JsonObject } from '../../api/read/json-body.ts'
import type { Recorder } from '../controls.ts'

/** A request that is listened to. */
export interface Overheard {
  /** Hears the body. */
  body(json: JsonObject): void
  /** Hears the answer, or that there will be none. */
  answered(answer: Answer | 'failed'): void
  /** Hears that the till never got it. */
  lost(): void
}

/** Operations on a transaction. Their path says which; the one that starts it says so in its answer. */
const ABOUT_TRANSACTIONS = /\/transactions(\/|$)/

/** By operation: polls are many, and a pattern takes its time. */
const isAbout = new Map<Operation, boolean>()

/** Whether somebody wants to know of this request: it is about a transaction, and there is a recorder. */
export function isOverheard(operation: Operation, { api }: AccountVisit): boolean {
  if (api.sandbox === null) return false
  const known = isAbout.get(operation)
  if (known !== undefined) return known
  const about = operation.area === 'connect' && ABOUT_TRANSACTIONS.test(operation.path)
  isAbout.set(operation, about)
  return about
}

/** Hears the answer to a poll. */
export function hearPoll(
  { name, method }: Operation,
  { api, account }: AccountVisit,
  params: Readonly<Record<string, string>>,
  answer: Answer | 'failed',
): void {
  const requestId = params['requestId']
  const recorder = api.sandbox?.recorder
  const status = statusOf(answer)
  if (requestId === undefined || recorder === undefined || recorder.again(account.id, requestId, name, status)) return
  const said = { from: 'till', to: 'gateway', what: name, data: { method, ...params } } as const
  recorder.note(account.id, requestId, said)(whatOf(answer, status))
}

/** Listens to a request that is not a poll. */
export function listenTo(
  { method, name }: Operation,
  { api, account }: AccountVisit,
  params: Readonly<Record<string, string>>,
): Overheard | null {
  if (api.sandbox === null) return null
  const { recorder } = api.sandbox
  const cameAt = api.clocks.of(account.id).now()
  let requestId = params['requestId'] ?? null
  let body: JsonObject | null = null
  let answeredWith: ((answer: unknown) => void) | null = null

  /** Notes the call before what comes of it, as soon as it is known what it is about. */
  function noteCall(begins = false): void {
    if (requestId === null || answeredWith !== null) return
    const said = { from: 'till', to: 'gateway', what: name, data: { method, ...params, body } } as const
    answeredWith = begins
      ? recorder.noteBeginning(account.id, requestId, said, cameAt)
      : recorder.note(account.id, requestId, said)
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
      // One that is answered from its key is a later call than the one that began it.
      const replayed =
        typeof answer === 'object' && 'headers' in answer && answer.headers?.['idempotency-replayed'] !== undefined
      noteCall(params['requestId'] === undefined && !replayed)
      answeredWith?.(whatOf(answer, status))
      if (lost !== undefined) noteLoss(recorder, account.id, requestId)
    },
    lost: () => noteLoss(recorder, account.id, requestId),
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

/** What was answered, in a few words: the body of a poll is what the events say. */
function whatOf(answer: Answer | 'failed', status: number): object {
  if (typeof answer === 'object' && 'refused' in answer) return { refused: answer.refused.code }
  return typeof answer === 'object' && 'body' in answer && answer.body !== undefined
    ? { status, body: answer.body }
    : { status }
}
