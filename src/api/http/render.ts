// src/api/http/render.ts — renders an answer as status, headers and bytes for its area and version.
import type { ServerResponse } from 'node:http'
import type { RefusalCode } from '../../domain/refusals.ts'
import { ANSWERS, browserError, connectError, internalProblem, onlineStatusOf, problem, shopError } from '../answers.ts'
import type { Answer, Area, Headers } from '../operation.ts'
import type { JsonObject } from '../read/json-body.ts'
import { type ApiVersion, downgrade } from '../versions/select.ts'

/** Facts of the exchange that an answer is rendered with. */
export interface Shape {
  readonly area: Area
  readonly apiVersion: ApiVersion
  readonly operation: string
  readonly requestId: string
  readonly corsHeaders: Headers | null
}

export interface Rendered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number | string[]>>
  /** Null when the status allows no body, or when `stream` writes it. */
  readonly body: Uint8Array | null
  /** Writes the body after the head. */
  readonly stream?: (response: ServerResponse) => void
}

const JSON_TYPE = 'application/json; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'
const NO_BYTES = Buffer.alloc(0)

interface Ready {
  readonly status: number
  readonly mediaType: string
  readonly bytes: Uint8Array
  readonly headers?: Headers | undefined
  readonly cookies?: readonly string[] | undefined
}

export function render(answer: Exclude<Answer, { taken: true }>, shape: Shape): Rendered {
  if (!('stream' in answer)) return rendered(readyAnswer(answer, shape), shape)
  const { headers: head } = rendered({ ...answer, bytes: NO_BYTES }, shape)
  const { 'content-length': _, ...headers } = head
  return {
    status: answer.status,
    headers: { ...headers, 'content-type': answer.mediaType },
    body: null,
    stream: answer.stream,
  }
}

/** Renders a 500. The connect area defines no body for it. */
export function renderFailure(shape: Shape): Rendered {
  return rendered(failureOf(shape), shape)
}

/** Assigns headers one by one instead of spreading objects, because every poll passes here. */
function rendered({ status, bytes, mediaType, headers, cookies }: Ready, { requestId, corsHeaders }: Shape): Rendered {
  const bodiless = status === 204 || status === 304
  const head: Record<string, string | number | string[]> = {
    // Payment data must not be cached, nor interpreted as another type.
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  }
  // A till parses every body as JSON unless Content-Length is 0.
  if (!bodiless) head['content-length'] = bytes.length
  if (!bodiless && bytes.length > 0) head['content-type'] = mediaType
  for (const name in corsHeaders) head[name] = corsHeaders[name] ?? ''
  for (const name in headers) head[name] = headers[name] ?? ''
  if (cookies !== undefined) head['set-cookie'] = [...cookies]
  return { status, headers: head, body: bodiless ? null : bytes }
}

function failureOf({ area, requestId }: Shape): Ready {
  switch (area) {
    case 'connect':
      return { status: 500, mediaType: PROBLEM_TYPE, bytes: NO_BYTES }
    case 'shop':
      return { status: 500, mediaType: TEXT_TYPE, bytes: Buffer.from('Processing error') }
    case 'browser': {
      const bytes = Buffer.from(JSON.stringify({ statusCode: 500, message: 'Processing error' }))
      return { status: 500, mediaType: JSON_TYPE, bytes }
    }
    case 'management':
    case 'sandbox':
    case 'system':
      return { status: 500, mediaType: PROBLEM_TYPE, bytes: Buffer.from(JSON.stringify(internalProblem(requestId))) }
  }
}

function readyAnswer(answer: Exclude<Answer, { taken: true } | { stream: unknown }>, shape: Shape): Ready {
  if ('refused' in answer) return readyRefusal(answer, shape)
  const { status, headers } = answer
  if ('bytes' in answer) return { status, mediaType: answer.mediaType || typeOf(shape), bytes: answer.bytes, headers }
  const body = ready(status, answer.body, headers, typeOf(shape), shape)
  return answer.cookies === undefined ? body : { ...body, cookies: answer.cookies }
}

function readyRefusal(answer: Extract<Answer, { refused: unknown }>, shape: Shape): Ready {
  const { refused, location } = answer
  const { status, retryAfterSeconds } = ANSWERS[refused.code]
  const scheme = shape.area === 'shop' ? 'Bearer realm="Tollgate"' : schemeFor(refused.code)
  const headers = {
    ...(status === 401 && shape.area !== 'browser' ? { 'www-authenticate': scheme } : {}),
    ...(retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...answer.headers,
  }
  if (shape.area === 'shop') {
    const bytes = Buffer.from(shopError(refused))
    return { status: onlineStatusOf(refused.code), mediaType: TEXT_TYPE, bytes, headers }
  }
  if (shape.area === 'browser') {
    const body = browserError(refused)
    return { status: body.statusCode, mediaType: JSON_TYPE, bytes: Buffer.from(JSON.stringify(body)), headers }
  }
  return shape.area === 'connect'
    ? ready(status, connectError(refused, location), headers, typeOf(shape), shape)
    : ready(status, problem(refused, shape.requestId), headers, PROBLEM_TYPE, shape)
}

/** A browser asks for a name and a password when it sees `Basic`, which is no answer to a user whose session is over. */
function schemeFor(code: RefusalCode): string {
  return SESSION_REFUSALS.has(code) ? 'Cookie realm="Tollgate"' : 'Basic realm="Tollgate", charset="UTF-8"'
}

const SESSION_REFUSALS: ReadonlySet<RefusalCode> = new Set([
  ...(['signed_out', 'sign_in_refused', 'code_needed', 'code_refused', 'passkey_refused'] as const),
])

function ready(
  status: number,
  body: JsonObject | undefined,
  headers: Headers | undefined,
  mediaType: string,
  { area, apiVersion, operation }: Shape,
): Ready {
  const answer = { status, ...(body === undefined ? {} : { body }), ...(headers === undefined ? {} : { headers }) }
  const downgraded = area === 'connect' ? downgrade(apiVersion, operation, answer) : answer
  const bytes = downgraded.body === undefined ? NO_BYTES : Buffer.from(JSON.stringify(downgraded.body))
  return { status: downgraded.status, mediaType, bytes, headers: downgraded.headers }
}

function typeOf({ area, apiVersion }: Shape): string {
  return area === 'connect' ? apiVersion.mediaType : JSON_TYPE
}
