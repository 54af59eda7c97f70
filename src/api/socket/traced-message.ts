// src/api/socket/traced-message.ts — the span of a JSON-RPC request on a WebSocket. Called only when tracing is on. ADR 68.
import type { Tracing } from '../../engine/ports/tracing.ts'
import type { Caller } from './method.ts'
import { INTERNAL_ERROR } from './rpc-codes.ts'

/** A request that was served: with an answer at once, or not yet. */
interface Answered {
  readonly now: { readonly error?: { readonly code: number } } | null
}

/**
 * Serves a request with a span, from the message to its acceptance. Each request begins a trace, linked with the handshake:
 * JSON-RPC has no headers, and a trace of the whole connection would last for days.
 */
export async function withMessageSpan<Served extends Answered>(
  tracing: Tracing,
  { account, openedBy }: Caller,
  {
    method,
    version,
  }: { readonly method: { readonly name: string; readonly operation: string }; readonly version: string },
  serve: () => Promise<Served>,
): Promise<Served> {
  const span = tracing.begin(method.operation, {
    ...{ kind: 'server', parent: null, link: openedBy },
    attributes: {
      ...{ 'rpc.system': 'jsonrpc', 'rpc.method': method.name, 'tollgate.operation': method.operation },
      ...{ 'tollgate.api_version': version, 'tollgate.account': account.id },
    },
  })
  try {
    const served = await tracing.within(span, serve)
    const code = served.now?.error?.code
    if (code !== undefined) span.set({ 'rpc.jsonrpc.error_code': String(code) })
    if (code === INTERNAL_ERROR) span.fail('failed')
    return served
  } finally {
    span.end()
  }
}
