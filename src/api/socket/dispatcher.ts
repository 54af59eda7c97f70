// src/api/socket/dispatcher.ts — dispatches JSON-RPC requests to methods, by the names and schemas of each version.
// Checks in order: method, params, what the key may do, terminal, state.
import { ANSWERS } from '../answers.ts'
import { refusalOfMethod } from '../keys/key-scope.ts'
import { refusedFor } from '../read/field-fault.ts'
import type { JsonObject } from '../read/json-body.ts'
import type { RpcOutcome } from '../requests/recording.ts'
import { refusalOfFault } from '../store-faults.ts'
import type { MethodSchemas, VersionSchemas } from '../versions/socket-schemas.ts'
import { SOCKET_VERSIONS, type SocketVersion, schemasOf } from '../versions/socket-versions.ts'
import type { Envelope } from './envelope.ts'
import type { Caller, MethodOutcome, RpcAnswer, RpcMethod } from './method.ts'
import { paramsReader } from './params.ts'
import { errorReply, type Reply, refusalReply, resultReply } from './replies.ts'
import { INTERNAL_ERROR, METHOD_NOT_FOUND } from './rpc-codes.ts'
import { withMessageSpan } from './traced-message.ts'

export type Request = Extract<Envelope, { kind: 'request' }>

/** The outcome of serving a request. `later` does not reject. */
export interface Served {
  /** Reply to send now; null while the request is under way. */
  readonly now: Reply | null
  /** Reply to send when the request has ended; null when there is none. */
  readonly later: Promise<Reply> | null
}

/** The methods of one version. */
export interface Methods {
  readonly schemas: VersionSchemas
  /** Serves a request. The next one may start when the promise resolves. */
  serve(caller: Caller, request: Request): Promise<Served>
}

export interface Dispatcher {
  methods(apiVersion: SocketVersion): Methods
}

interface ServedMethod extends MethodSchemas {
  readonly read: ReturnType<typeof paramsReader>
  /** Label of its requests in the metrics. */
  readonly operation: string
  /** Name of the `tid` member in this version. */
  readonly terminalMember: string
}

/** Values that are no terminal id: the default of the published schema, and texts with control characters. */
const NAMES_NOTHING = /^N\/A$|[\p{Cc}\p{Cs}]/u

/** Builds the methods of all versions once, so that a request is one look-up. */
export function createDispatcher(methods: readonly RpcMethod[]): Dispatcher {
  const tables = new Map(
    SOCKET_VERSIONS.map(apiVersion => [apiVersion, methodsOf(schemasOf(apiVersion, methods), apiVersion.version)]),
  )
  return {
    methods(apiVersion) {
      const table = tables.get(apiVersion)
      if (table === undefined) throw new Error(`${apiVersion.version} is on no ladder`)
      return table
    },
  }
}

function methodsOf(schemas: VersionSchemas, version: string): Methods {
  const { terminalMember } = schemas
  const byName = new Map(
    schemas.methods.map(form => {
      const read = paramsReader(form)
      const method: ServedMethod = { ...form, read, operation: `rpc.${form.name}`, terminalMember }
      return [form.name, method]
    }),
  )
  return {
    schemas,
    async serve(caller, request) {
      const method = byName.get(request.method)
      const startedAt = caller.api.clock.now()
      const record = recordFor(caller, request, { method, version, startedAt })
      if (method === undefined) {
        record({ status: METHOD_NOT_FOUND, refused: { code: 'method_unknown' } })
        return { now: errorReply(METHOD_NOT_FOUND, request.id), later: null }
      }
      const { tracing } = caller.api
      const served =
        tracing === null || caller.connection === null
          ? await take(method, caller, request, record)
          : await withMessageSpan(tracing, caller, { method, version }, () => take(method, caller, request, record))
      return observed(caller, method, served, startedAt)
    },
  }
}

/** Records the request, and its outcome, for /api/requests and the log. */
type RecordOutcome = (outcome: RpcOutcome) => void

function recordFor(
  { api, account, requestId, connection }: Caller,
  { id: rpcId, params }: Request,
  {
    method,
    version: apiVersion,
    startedAt,
  }: { readonly method: ServedMethod | undefined; readonly version: string; readonly startedAt: number },
): RecordOutcome {
  const known =
    method === undefined ? null : { name: method.name, params: method.params, reads: method.method.reads === true }
  const sent = { rpcId, apiVersion, startedAt, method: known, params }
  return api.requests.rpc({ account: account.id, requestId, connection, ...sent })
}

/** A request with valid params. */
interface IncomingCall {
  readonly method: ServedMethod
  readonly caller: Caller
  readonly id: number
  readonly params: JsonObject
  readonly record: RecordOutcome
}

async function take(
  method: ServedMethod,
  caller: Caller,
  { id, params }: Request,
  record: RecordOutcome,
): Promise<Served> {
  const read = method.read(params)
  const call: IncomingCall = { method, caller, id, params: 'value' in read ? read.value : {}, record }
  if ('invalid' in read) {
    return { now: replyTo(call, refusedFor(read)), later: null }
  }
  const lifted = method.upgrade(read.value)
  const { tid } = lifted
  if (typeof tid === 'string' && NAMES_NOTHING.test(tid))
    return { now: replyTo(call, { refused: { code: 'terminal_unavailable', tid } }), later: null }
  const beyond = refusalOfMethod(caller.key, method.method, lifted)
  if (beyond !== null) return { now: replyTo(call, { refused: beyond }), later: null }
  try {
    return servedOf(call, await method.method.run(caller, lifted, id))
  } catch (error) {
    return { now: failed(call, error), later: null }
  }
}

function servedOf(call: IncomingCall, taken: MethodOutcome): Served {
  const later = laterOf(call, taken)
  // The outcome is recorded with the reply. Until then the request is listed without one.
  if (later !== null || 'abandoned' in taken) call.record({ status: null, refused: null })
  if (later !== null) return { now: null, later: replyLater(call, later) }
  if ('abandoned' in taken || 'underWay' in taken) return { now: null, later: null }
  return { now: replyTo(call, taken), later: null }
}

/** The answer that comes later; null when there is one now, or none. */
function laterOf({ method }: IncomingCall, taken: MethodOutcome): Promise<RpcAnswer> | null {
  if ('underWay' in taken) return taken.underWay
  return 'result' in taken && taken.outcome !== undefined && method.waits ? taken.outcome() : null
}

async function replyLater(call: IncomingCall, answer: Promise<RpcAnswer>): Promise<Reply> {
  try {
    return replyTo(call, await answer)
  } catch (error) {
    return failed(call, error)
  }
}

function replyTo({ method, id, params, record }: IncomingCall, answer: RpcAnswer): Reply {
  const refused = 'refused' in answer ? answer.refused : null
  record({ status: refused === null ? 200 : ANSWERS[refused.code].rpcCode, refused })
  return 'refused' in answer
    ? refusalReply(answer.refused, id, method.terminalMember)
    : resultReply(id, method.downgrade(answer.result, params))
}

function failed({ caller, method, id, record }: IncomingCall, error: unknown): Reply {
  const refused = refusalOfFault(error)
  if (refused?.code !== 'gateway_busy')
    caller.api.log.error({ account: caller.account.id, method: method.name, error }, 'request failed')
  record({ status: refused === null ? INTERNAL_ERROR : ANSWERS[refused.code].rpcCode, refused })
  return refused === null ? errorReply(INTERNAL_ERROR, id) : refusalReply(refused, id, '')
}

/**
 * Records a request in the metrics: by its error code, otherwise as 200, with the time until it was accepted. What follows
 * depends on a person.
 */
function observed({ api }: Caller, { operation }: ServedMethod, served: Served, startedAt: number): Served {
  api.metrics.observe(operation, served.now?.error?.code ?? 200, (api.clock.now() - startedAt) / 1_000)
  return served
}
