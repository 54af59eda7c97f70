// src/api/socket/service.ts — the JSON-RPC service: admits tills and answers messages.
import type { IncomingMessage } from 'node:http'
import type { Authenticator } from '../auth.ts'
import { type PublishedVersion, publish } from '../describe/published-messages.ts'
import type { ServingParts } from '../parts.ts'
import { SOCKET_VERSIONS, type SocketVersion } from '../versions/socket-versions.ts'
import { createDispatcher } from './dispatcher.ts'
import { faultOf, readEnvelope } from './envelope.ts'
import { createMessageBatches } from './message-batches.ts'
import type { Caller, RpcMethod } from './method.ts'
import { errorReply, type Reply } from './replies.ts'
import { INVALID_REQUEST, type RpcCode } from './rpc-codes.ts'
import type { RpcLimits } from './socket-limits.ts'
import { admitTill, type TillRefused } from './till-admission.ts'
import type { AdmittedTill } from './till-session.ts'
import { createTills, type Tills } from './tills.ts'

export interface RpcService {
  readonly tills: Tills
  /** Checks whether a till may connect, by the address and headers of its handshake. */
  admit(request: IncomingMessage): Promise<AdmittedTill | TillRefused>
  /** Answers one message over HTTP. Methods that push messages are unknown there. */
  answer(apiVersion: SocketVersion, caller: Caller, text: string | null): Promise<Reply>
  /** All messages, newest version first. */
  published(): readonly PublishedVersion[]
}

export interface RpcParts {
  readonly api: ServingParts
  readonly authenticator: Authenticator
  readonly limits: RpcLimits
  readonly methods: readonly RpcMethod[]
}

/** Builds the interface over the methods of the operations. */
export function createRpc(parts: RpcParts): RpcService {
  const { api, authenticator, methods } = parts
  const dispatcher = createDispatcher(methods)
  // A POS table provider only answers requests, so it has no methods.
  const atTables = createDispatcher([])
  let published: readonly PublishedVersion[] | null = null
  const withoutPushes = createDispatcher(methods.filter(({ pushes }) => pushes !== true))
  return {
    tills: createTills({ ...parts, dispatcher, atTables, batches: createMessageBatches() }),
    admit: request => admitTill({ authenticator, settings: api.settings }, request),
    async answer(apiVersion, caller, text) {
      const envelope = readEnvelope(text)
      if (envelope.kind !== 'request') {
        // The gateway sends no requests over HTTP, so no reply is valid.
        const code = envelope.kind === 'fault' ? envelope.code : INVALID_REQUEST
        recordFault(apiVersion, caller, envelope.id, code)
        return errorReply(code, envelope.id)
      }
      const { now, later } = await withoutPushes.methods(apiVersion).serve(caller, envelope)
      const reply = now ?? (await later)
      if (reply === null) throw new Error(`${envelope.method} was taken and not answered`)
      return reply
    },
    published() {
      published ??= SOCKET_VERSIONS.map(apiVersion =>
        publish(apiVersion.version, dispatcher.methods(apiVersion).schemas),
      )
      return published
    },
  }
}

function recordFault(
  { version: apiVersion }: SocketVersion,
  { api, account, requestId, connection }: Caller,
  rpcId: number | null,
  code: RpcCode,
): void {
  const call = { account: account.id, requestId, connection, rpcId, apiVersion, method: null, params: null }
  api.requests.rpc({ ...call, startedAt: api.clock.now() })({ status: code, refused: faultOf(code) })
}
