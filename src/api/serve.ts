// src/api/serve.ts — one request from its first check to its last byte. The checks come in the order of terminal
// reference 1.7: address, caller, version, partner headers, then the operation itself, which reads the body last.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Refusal } from '../domain/refusals.ts'
import type { Partner } from '../domain/terminal-transaction-events.ts'
import { Fault } from '../engine/fault.ts'
import type { Authenticator } from './auth.ts'
import type { BaseUrlOf } from './base-url.ts'
import type { Cors } from './cors.ts'
import type { AccountVisit, Answer, ApiContext, Headers, Input, Operation } from './operation.ts'
import { partnerOf } from './partner.ts'
import { readJsonBody, SenderGone } from './read/json-body.ts'
import { readAs } from './read/lenient.ts'
import { requestIdOf } from './request-id.ts'
import { send, sendFailure, type Shape } from './send.ts'
import type { Traffic } from './traffic.ts'
import { type Chosen, lift } from './versions/ladder.ts'

/** What all requests to one server share. */
export interface Desk {
  readonly context: ApiContext
  readonly authenticator: Authenticator
  readonly baseUrlOf: BaseUrlOf
  readonly choose: (accept: string | undefined) => Chosen
  readonly cors: Cors
  readonly traffic: Traffic
}

/** A request as the router hands it over. */
export interface Routed {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
}

/** Text that may name something. Anything else in an address names nothing. */
const NAME = /^[^\p{Cc}\p{Cs}]+$/u

/** Serves a request to an operation. Never rejects. */
export async function serve(desk: Desk, operation: Operation, routed: Routed): Promise<void> {
  const { request, response } = routed
  const { context, cors, traffic } = desk
  const startedAt = context.clock.now()
  const requestId = requestIdOf(request.headers['x-request-id'], context.random)
  const { rung } = desk.choose(request.headers.accept)
  const shape: Shape = {
    area: operation.area,
    rung,
    operation: operation.name,
    requestId,
    corsHeaders: cors.headersFor(request.headers.origin),
    get last() {
      return traffic.stopping
    },
  }
  traffic.enter(response)
  let status: number | null
  try {
    status = send(response, await answerTo(desk, operation, routed, requestId), shape)
  } catch (error) {
    status = failed(desk, operation, response, error, shape)
  }
  traffic.leave(response)
  if (status === null) return
  context.metrics.observe(operation.name, status, (context.clock.now() - startedAt) / 1_000)
  if (operation.method !== 'GET' && status < 300)
    context.log.info({ request: requestId, operation: operation.name, status, ...routed.params }, 'request done')
}

async function answerTo(desk: Desk, operation: Operation, routed: Routed, requestId: string): Promise<Answer> {
  const { context, traffic } = desk
  const { request, response, params } = routed
  if ((request.url?.length ?? 0) > context.limits.urlLength) return refuse({ code: 'url_too_long' })
  for (const name in params) if (!NAME.test(params[name] ?? '')) return refuse({ code: 'path_unknown' })
  const base = desk.baseUrlOf(request)
  if (base === null) return refuse({ code: 'host_invalid' })

  const identified =
    operation.auth === 'basic' ? desk.authenticator.identify(request.headers.authorization) : NOBODY
  const account = identified instanceof Promise ? await identified : identified
  if ('refused' in account) return account

  let partner: Partner = NO_PARTNER
  const { rung, named, unknown } = desk.choose(request.headers.accept)
  if (operation.area === 'connect') {
    if (unknown) return refuse({ code: 'version_unknown' })
    const demanded = named && rung.demandsPartner && context.settings.partnerHeaders === 'require'
    const found = partnerOf(request.headers, demanded)
    if ('refused' in found) return found
    partner = found
  }
  if (traffic.stopping) return refuse({ code: 'gateway_stopping' })
  const atWork = traffic.serving - context.waiting.count - context.streams.count
  if (atWork > context.limits.inFlight) return refuse({ code: 'gateway_busy' })

  const query = operation.query === undefined ? { value: {} } : readAs(operation.query, { ...Object(routed.query) }, '')
  if ('invalid' in query) return refuse({ code: 'field_invalid', field: query.invalid })
  const visit: AccountVisit = { api: context, requestId, base, rung, request, response, account, partner }
  return operation.run(visit, inputOf(operation, visit, params, query.value))
}

/** Stands in where no account is asked for; such operations are not given it. */
const NOBODY = {} as AccountVisit['account']
const NO_PARTNER: Partner = { softwareHouseId: null, installerId: null }

function inputOf(
  operation: Operation,
  visit: AccountVisit,
  params: Readonly<Record<string, string>>,
  query: object,
): Input<string, object, object> {
  const json: Input<string, object, object>['json'] = async () => {
    const read = await readJsonBody(visit.request, visit.api.settings.bodyLimitBytes)
    return 'refused' in read ? read : { value: lift(visit.rung, operation.name, read.value) }
  }
  return {
    params,
    query,
    json,
    async body() {
      const found = await json()
      if ('refused' in found || operation.body === undefined) return found
      const read = readAs(operation.body.schema, found.value, '')
      return 'invalid' in read ? refuse({ code: 'field_invalid', field: read.invalid }) : read
    },
  }
}

function failed(desk: Desk, { name }: Operation, response: ServerResponse, error: unknown, shape: Shape): number | null {
  if (error instanceof SenderGone || response.headersSent) {
    if (!(error instanceof SenderGone)) desk.context.log.error({ request: shape.requestId, operation: name, error }, 'request failed')
    response.destroy()
    return null
  }
  if (error instanceof Fault && error.code === 'store_busy') return send(response, refuse({ code: 'gateway_busy' }), shape)
  desk.context.log.error({ request: shape.requestId, operation: name, error }, 'request failed')
  return sendFailure(response, shape)
}

function refuse(refused: Refusal, headers: Headers = {}): { readonly refused: Refusal; readonly headers: Headers } {
  return { refused, headers }
}
