// src/api/http/traced-request.ts — the span of an HTTP request. Called only when tracing is on. ADR 68.
import type { IncomingHttpHeaders } from 'node:http'
import type { Span, Tracing } from '../../engine/ports/tracing.ts'
import { traceparentIn } from '../../engine/trace-context.ts'
import type { Operation } from '../operation.ts'
import type { HttpRequest } from '../requests/recording.ts'
import type { Chosen } from '../versions/select.ts'

/**
 * Begins the span of a request, in the caller's trace if there is one. Null for the system's own addresses: a trace of each
 * health check would hide the others. A caller's `tracestate` is not read, because it may hold anything.
 */
export function beginSpan(
  tracing: Tracing,
  { area, name, method, path }: Pick<Operation, 'name' | 'area' | 'method' | 'path'>,
  headers: IncomingHttpHeaders,
): Span | null {
  if (area === 'system') return null
  return tracing.begin(path === '' ? 'HTTP' : `${method} ${path}`, {
    kind: 'server',
    parent: traceparentIn(headers['traceparent']),
    attributes: {
      ...{ 'http.request.method': method, 'tollgate.operation': name },
      ...(path === '' ? {} : { 'http.route': path }),
    },
  })
}

/** Ends the span of an answered request. */
export function endSpan(
  span: Span,
  { account, refused, chosen }: Pick<HttpRequest, 'account' | 'refused'> & { readonly chosen: Chosen },
  status: number,
): void {
  span.set({
    'http.response.status_code': status,
    'tollgate.api_version': chosen.apiVersion.version,
    ...(account === null ? {} : { 'tollgate.account': account }),
    ...(refused === null ? {} : { 'tollgate.refusal': refused.code }),
  })
  if (status >= 500) span.fail(status === 503 ? 'unavailable' : 'failed')
  span.end()
}
