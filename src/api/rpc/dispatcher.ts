// src/api/rpc/dispatcher.ts — a loop over the methods: each is served under the names and in the shapes of each version,
// in the order of checks of terminal socket reference 2.5, steps 4 to 8.
import { Fault } from '../../engine/fault.ts'
import { after, orElse, type Soon } from '../../engine/soon.ts'
import type { JsonObject } from '../read/json-body.ts'
import { INTERNAL_ERROR, METHOD_NOT_FOUND } from './codes.ts'
import type { Envelope } from './envelope.ts'
import { kept } from './message-text.ts'
import type { Caller, RpcAnswer, RpcMethod, Taken } from './method.ts'
import { paramsReader } from './params.ts'
import { errorReply, type Reply, refusalReply, resultReply } from './replies.ts'
import type { Forms, MethodForm } from './versions/forms.ts'
import { formsOf, RPC_RUNGS, type RpcRung } from './versions/ladder.ts'

export type Request = Extract<Envelope, { kind: 'request' }>

/** What becomes of a request. Neither rejects. */
export interface Served {
  /** What is to be said now; null while it is under way. */
  readonly now: Reply | null
  /** What is to be said when it has ended; null when all is said. */
  readonly later: Promise<Reply> | null
}

export interface Dispatcher {
  readonly forms: (rung: RpcRung) => Forms
  /** Serves a request. The next one may be taken when this is there. */
  serve(rung: RpcRung, caller: Caller, request: Request): Soon<Served>
}

interface ServedMethod extends MethodForm {
  readonly read: ReturnType<typeof paramsReader>
  /** What was told of a thing, which is told again. */
  readonly told: WeakMap<object, { readonly variant: string; readonly result: object }>
}

/** The default of the published schema, and text that nobody can have written on a terminal. Reference 4.1. */
const NAMES_NOTHING = /^N\/A$|[\p{Cc}\p{Cs}]/u

/** Builds the tables once; a request is then one look-up. */
export function createDispatcher(methods: readonly RpcMethod[]): Dispatcher {
  const tables = new Map(RPC_RUNGS.map(rung => [rung, tableOf(formsOf(rung, methods))]))
  const tableFor = (rung: RpcRung) => {
    const table = tables.get(rung)
    if (table === undefined) throw new Error(`${rung.version} is on no ladder`)
    return table
  }
  return {
    forms: rung => tableFor(rung).forms,
    serve(rung, caller, request) {
      const { forms, byName } = tableFor(rung)
      const method = byName.get(request.method)
      if (method === undefined) return { now: errorReply(METHOD_NOT_FOUND, request.id), later: null }
      const startedAt = caller.api.clock.now()
      return after(take(method, caller, request, forms.terminalMember), served => {
        observe(caller, method, served.now, startedAt)
        return served
      })
    },
  }
}

function tableOf(forms: Forms) {
  const served = forms.methods.map(
    (form): ServedMethod => ({
      ...form,
      read: paramsReader(form),
      told: new WeakMap(),
    }),
  )
  return { forms, byName: new Map(served.map(method => [method.name, method])) }
}

function take(method: ServedMethod, caller: Caller, { id, params }: Request, member: string): Soon<Served> {
  const read = method.read(params)
  if ('invalid' in read)
    return { now: refusalReply({ code: 'field_invalid', field: read.invalid }, id, member), later: null }
  const say = (answer: RpcAnswer) => replyTo(method, answer, { id, params: read.value, member })
  const lifted = method.lift(read.value)
  const { tid } = lifted
  if (typeof tid === 'string' && NAMES_NOTHING.test(tid)) return { now: say(unavailable(tid)), later: null }
  const served = (taken: Taken): Served => {
    if ('again' in taken) return { now: resultReply(id, toldAgain(method, taken, read.value)), later: null }
    if ('underWay' in taken) return { now: null, later: guarded(caller, method, id, taken.underWay.then(say)) }
    if ('result' in taken && taken.outcome !== undefined && method.waits)
      return { now: null, later: guarded(caller, method, id, taken.outcome().then(say)) }
    return { now: say(taken), later: null }
  }
  return orElse(
    () => after(method.method.run(caller, lifted), served),
    error => ({ now: failed(caller, method, id, error), later: null }),
  )
}

function unavailable(tid: string): RpcAnswer {
  return { refused: { code: 'terminal_unavailable', tid } }
}

function replyTo(
  method: ServedMethod,
  answer: RpcAnswer,
  { id, params, member }: { readonly id: number; readonly params: JsonObject; readonly member: string },
): Reply {
  return 'refused' in answer
    ? refusalReply(answer.refused, id, member)
    : resultReply(id, method.lower(answer.result, params))
}

function toldAgain(
  { told, lower }: ServedMethod,
  { again, variant, tell }: Extract<Taken, { again: object }>,
  params: JsonObject,
): object {
  const known = told.get(again)
  if (known?.variant === variant) return known.result
  const result = kept(lower(tell(), params))
  told.set(again, { variant, result })
  return result
}

function guarded(caller: Caller, method: ServedMethod, id: number, later: Promise<Reply>): Promise<Reply> {
  return later.catch(error => failed(caller, method, id, error))
}

function failed({ api, account }: Caller, { name }: ServedMethod, id: number, error: unknown): Reply {
  if (error instanceof Fault && error.code === 'store_busy') return refusalReply({ code: 'gateway_busy' }, id, '')
  api.log.error({ account: account.id, method: name, error }, 'request failed')
  return errorReply(INTERNAL_ERROR, id)
}

/** Counted by the error code, or 200; and timed until it was taken, because what follows takes a person. */
function observe({ api }: Caller, { name }: ServedMethod, now: Reply | null, startedAt: number): void {
  api.metrics.observe(`rpc.${name}`, now?.error?.code ?? 200, (api.clock.now() - startedAt) / 1_000)
}
