// src/api/http/serve.ts — serves an admitted request: reads the body, runs the operation, sends the answer.
import assert from 'node:assert/strict'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccountRequestContext, Answer, Operation } from '../operation.ts'
import { audited } from '../people/audited.ts'
import { FORM_BYTES, FORM_TYPE } from '../read/form-body.ts'
import { NO_BODY, readRawBody, SenderGone, type SentBody } from '../read/raw-body.ts'
import { isDeferred } from '../versions/select.ts'
import type { Admitted } from './admission.ts'
import { corsHeaders } from './cors.ts'
import { type About, type RequestExchange, record, renderError, renderFor, UNKNOWN_SO_FAR } from './exchange.ts'
import { inputOf, queryOf } from './operation-input.ts'
import type { Rendered } from './render.ts'
import type { ServerContext } from './server-context.ts'
import { beginSpan } from './traced-request.ts'

/** An exchange as the hooks of its route see it. */
export interface RoutedExchange extends RequestExchange {
  /** Null when no route matches the request. */
  readonly operation: Operation | null
  context: Admitted | null
}

declare module 'fastify' {
  interface FastifyRequest {
    exchange: RoutedExchange
  }
}

/** Starts an exchange with what the request itself says. Reads no stored data. */
export function begin(
  { api, tracker, choose }: ServerContext,
  { id: requestId, raw: request, params }: FastifyRequest,
  { raw: response }: FastifyReply,
  about: Operation | About,
  path = request.url ?? '',
): RoutedExchange {
  tracker.enter(response)
  const span = api.tracing === null ? null : beginSpan(api.tracing, about, request.headers)
  response.on('close', () => {
    tracker.leave(response)
    // Ended before, unless the caller has gone without an answer.
    if (span !== null) span.end()
  })
  const { accept, origin } = request.headers
  return {
    about,
    operation: 'run' in about ? about : null,
    requestId,
    request,
    response,
    params: params as Readonly<Record<string, string>>,
    startedAt: api.clock.now(),
    chosen: choose(accept, path),
    corsHeaders:
      origin === undefined ? null : corsHeaders(api.settings.corsOrigins, origin, { area: about.area, path }),
    ...UNKNOWN_SO_FAR,
    span,
    context: null,
  }
}

/** Reads the bytes of a body, for an operation that has one. An invalid body is refused when the operation asks for it. */
export async function readBody({ api }: ServerContext, { exchange, raw }: FastifyRequest): Promise<SentBody> {
  const spec = exchange?.operation?.body
  if (spec === undefined) return NO_BODY
  return readRawBody(raw, spec.mediaType === FORM_TYPE ? FORM_BYTES : api.settings.bodyLimitBytes)
}

/** Runs the operation of an admitted request. Returns the body for Fastify to send. */
export async function serve(server: ServerContext, request: FastifyRequest, reply: FastifyReply): Promise<Payload> {
  const { exchange } = request
  const { span } = exchange
  const { tracing } = server.api
  const body = (request.body as SentBody | undefined) ?? NO_BODY
  const answer = await (span === null || tracing === null
    ? run(server, exchange, request.query, body)
    : tracing.within(span, () => run(server, exchange, request.query, body)))
  if ('taken' in answer) {
    server.api.requests.http(exchange, null)
    return void reply.hijack()
  }
  const rendered = renderFor(exchange, answer)
  return rendered.stream === undefined ? give(reply, rendered) : void stream(server, exchange, reply, rendered)
}

async function run(
  { api }: ServerContext,
  exchange: RoutedExchange,
  sentQuery: unknown,
  sent: SentBody,
): Promise<Answer> {
  const { operation, context, params } = exchange
  assert(operation !== null && context !== null)
  const query = queryOf(operation, context.apiVersion, sentQuery)
  if ('refused' in query) return query
  if (operation.query !== undefined) exchange.query = { schema: operation.query, value: query.value }
  // An operation that needs an account was admitted with one.
  const known = (
    operation.body !== undefined && api.requests.isOn ? recordingBody(exchange, context) : context
  ) as AccountRequestContext
  const input = (context: AccountRequestContext) => inputOf(operation, context, { params, query: query.value, sent })
  const accountOf = async () => known.account?.id ?? (await operation.accountOf?.(known, input(known))) ?? null
  if (operation.accountOf !== undefined) exchange.accountOf = accountOf
  const bytes = 'bytes' in sent ? sent.bytes : NO_BYTES
  return api.interceptor.request(operation, known, { params, accountOf, bytes }, async context => {
    const answer = await audited(operation, context, params, () => operation.run(context, input(context)))
    const deferred =
      isDeferred(context.apiVersion, operation.name) && 'outcome' in answer && answer.outcome !== undefined
    return deferred ? answer.outcome() : answer
  })
}

const NO_BYTES = new Uint8Array()

/** The context of a request whose body is recorded. */
function recordingBody(exchange: RoutedExchange, context: Admitted): Admitted {
  return {
    ...context,
    onBody(body) {
      exchange.body = body
    },
  }
}

/** Writes the head and hands the response to its writer. A stream may last for days, so it no longer counts as under way. */
function stream(
  server: ServerContext,
  exchange: RequestExchange,
  reply: FastifyReply,
  { status, headers, stream: write }: Rendered,
): void {
  reply.hijack()
  record(server, exchange, status)
  server.tracker.leave(reply.raw)
  reply.raw.writeHead(status, headers)
  if (exchange.request.method === 'HEAD') reply.raw.end()
  else write?.(reply.raw)
}

export async function answerError(
  server: ServerContext,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Payload> {
  const { exchange } = request
  if (error instanceof SenderGone) {
    server.api.requests.http(exchange, null)
    reply.hijack()
    exchange.response.destroy()
    return undefined
  }
  if ((error as { code?: unknown } | null)?.code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return give(reply, renderError(server, exchange, error))
  // Fastify rejects media types that the gateway accepts, and other refusals come before that of the media type.
  try {
    request.body = await readBody(server, request)
    return await serve(server, request, reply)
  } catch (inner) {
    return answerError(server, inner, request, reply)
  }
}

export type Payload = Uint8Array | undefined

/** Sets status and headers of the reply. Returns its body. */
export function give(reply: FastifyReply, { status, headers, body }: Rendered): Payload {
  reply.code(status).headers(headers)
  // Fastify adds a Content-Type to an empty body.
  return body === null || body.length === 0 ? undefined : body
}
