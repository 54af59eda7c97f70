// src/api/socket/dispatcher.ts — dispatches JSON-RPC requests to methods, by the names and schemas of each version.
// Checks in order: method, params, terminal, state.
import type { JsonObject } from '../read/json-body.ts'
import { refusalOfFault } from '../store-faults.ts'
import type { MethodSchemas, VersionSchemas } from '../versions/socket-schemas.ts'
import { SOCKET_VERSIONS, type SocketVersion, schemasOf } from '../versions/socket-versions.ts'
import { INTERNAL_ERROR, METHOD_NOT_FOUND } from './codes.ts'
import type { Envelope } from './envelope.ts'
import type { Caller, MethodOutcome, RpcAnswer, RpcMethod } from './method.ts'
import { paramsReader } from './params.ts'
import { errorReply, type Reply, refusalReply, resultReply } from './replies.ts'

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
  const tables = new Map(SOCKET_VERSIONS.map(apiVersion => [apiVersion, methodsOf(schemasOf(apiVersion, methods))]))
  return {
    methods(apiVersion) {
      const table = tables.get(apiVersion)
      if (table === undefined) throw new Error(`${apiVersion.version} is on no ladder`)
      return table
    },
  }
}

function methodsOf(schemas: VersionSchemas): Methods {
  const { terminalMember } = schemas
  const byName = new Map(
    schemas.methods.map(form => {
      const method: ServedMethod = { ...form, read: paramsReader(form), operation: `rpc.${form.name}`, terminalMember }
      return [form.name, method]
    }),
  )
  return {
    schemas,
    async serve(caller, request) {
      const method = byName.get(request.method)
      if (method === undefined) return { now: errorReply(METHOD_NOT_FOUND, request.id), later: null }
      const startedAt = caller.api.clock.now()
      return observed(caller, method, await take(method, caller, request), startedAt)
    },
  }
}

/** A request with valid params. */
interface Asked {
  readonly method: ServedMethod
  readonly caller: Caller
  readonly id: number
  readonly params: JsonObject
}

async function take(method: ServedMethod, caller: Caller, { id, params }: Request): Promise<Served> {
  const read = method.read(params)
  if ('invalid' in read) {
    const refusal = refusalReply({ code: 'field_invalid', field: read.invalid }, id, method.terminalMember)
    return { now: refusal, later: null }
  }
  const asked: Asked = { method, caller, id, params: read.value }
  const lifted = method.upgrade(read.value)
  const { tid } = lifted
  if (typeof tid === 'string' && NAMES_NOTHING.test(tid))
    return { now: replyTo(asked, { refused: { code: 'terminal_unavailable', tid } }), later: null }
  try {
    return servedOf(asked, await method.method.run(caller, lifted, id))
  } catch (error) {
    return { now: failed(asked, error), later: null }
  }
}

function servedOf(asked: Asked, taken: MethodOutcome): Served {
  if ('abandoned' in taken) return { now: null, later: null }
  if ('underWay' in taken) return { now: null, later: replyLater(asked, taken.underWay) }
  if ('result' in taken && taken.outcome !== undefined && asked.method.waits)
    return { now: null, later: replyLater(asked, taken.outcome()) }
  return { now: replyTo(asked, taken), later: null }
}

async function replyLater(asked: Asked, answer: Promise<RpcAnswer>): Promise<Reply> {
  try {
    return replyTo(asked, await answer)
  } catch (error) {
    return failed(asked, error)
  }
}

function replyTo({ method, id, params }: Asked, answer: RpcAnswer): Reply {
  return 'refused' in answer
    ? refusalReply(answer.refused, id, method.terminalMember)
    : resultReply(id, method.downgrade(answer.result, params))
}

function failed({ caller, method, id }: Asked, error: unknown): Reply {
  const refused = refusalOfFault(error)
  if (refused?.code !== 'gateway_busy')
    caller.api.log.error({ account: caller.account.id, method: method.name, error }, 'request failed')
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
