// src/api/requests/request-recorder.ts — records answered requests of accounts, and logs refused ones. ADR 54.
import { hash } from 'node:crypto'
import { struckOut } from '../../domain/redaction.ts'
import type { Refusal } from '../../domain/refusals.ts'
import { NO_LINK } from '../../engine/ports/node-link.ts'
import type { HttpLimits } from '../limits.ts'
import type { ApiParts } from '../parts.ts'
import type { JsonObject } from '../read/json-body.ts'
import { recordedFields } from '../read/recorded-fields.ts'
import { createLatestRequests, type Outcome } from './latest-requests.ts'
import type { HttpRequest, RequestRecorder, RpcOutcome, RpcRequest } from './recording.ts'
import { createRefusalLines } from './refusal-lines.ts'
import { listOnAllNodes } from './requests-of-nodes.ts'
import { shownParams } from './shown-params.ts'

/** Areas whose requests are recorded: those of a merchant's programs and payers. */
const RECORDED: ReadonlySet<string> = new Set(['connect', 'shop', 'browser', 'management'])
/** Characters of a body or of parameters that are kept, as JSON: longer than those of any payment. */
const LONGEST_FIELDS = 2_000

export function createRequestRecorder({
  clock,
  log,
  metrics,
  settings,
  limits,
  link = NO_LINK,
}: Pick<ApiParts, 'clock' | 'log' | 'metrics' | 'settings' | 'link'> & {
  readonly limits: HttpLimits
}): RequestRecorder {
  const latest = createLatestRequests(clock, limits)
  const list = listOnAllNodes({ link, log, list: latest.list })
  const logRefusal = createRefusalLines({ clock, log, metrics, limits })
  const isOn = settings.recordRequests
  const identities = createReadIdentities()

  /** Reduces and keeps a request, unless it repeats a read: every poll comes here. */
  function recordHttp(account: string, exchange: HttpRequest, status: number | null, endedAt: number): void {
    const { about, startedAt, requestId, request, chosen, query, body, refused } = exchange
    const apiVersion = about.area === 'connect' ? chosen.apiVersion.version : null
    const read = about.method === 'GET' ? identities.of(`${apiVersion} ${status} ${request.url}`, request.socket) : null
    if (read !== null && latest.again(account, read, startedAt)) return
    const params = { ...shownParams(exchange.params), ...(query && recordedFields(query.schema, query.value)) }
    const recorded = {
      at: startedAt,
      transport: 'http',
      operation: about.name,
      route: routeOf(about),
      apiVersion,
      params: limited(params) ?? {},
      body: limited(body),
      requestId: struckOut(requestId),
      rpcId: null,
    } as const
    latest.add(account, recorded, { status, ...refusalIn(refused), endedAt }, read)
  }

  function http(exchange: HttpRequest, status: number | null): void {
    const { about, account, refused, requestId, accountOf } = exchange
    if (refused !== null) logRefusal({ route: routeOf(about), refused, account, id: { request: requestId } })
    if (!isOn || !RECORDED.has(about.area) || isLeftOut(about.name, refused)) return
    const endedAt = clock.now()
    if (account !== null) recordHttp(account, exchange, status, endedAt)
    else if (accountOf !== null) void recordOfBrowser(accountOf, exchange, status, endedAt)
  }

  /** Records a request of a payer's browser, whose account is found by its access token. */
  async function recordOfBrowser(
    accountOf: () => Promise<string | null>,
    exchange: HttpRequest,
    status: number | null,
    endedAt: number,
  ): Promise<void> {
    // If the store fails, the request itself has reported it.
    const account = await accountOf().catch(() => null)
    if (account !== null) recordHttp(account, exchange, status, endedAt)
  }

  function rpc(request: RpcRequest): (outcome: RpcOutcome) => void {
    const { account, requestId, rpcId, apiVersion, startedAt, method } = request
    const route = method === null ? 'JSON-RPC' : `JSON-RPC ${method.name}`
    let replace: ((outcome: Outcome) => void) | null = null
    return ({ status, refused }) => {
      const id = requestId === null ? { rpcId } : { request: requestId }
      if (refused !== null) logRefusal({ route, refused, account, id })
      if (!isOn) return
      const outcome = { status, ...refusalIn(refused), endedAt: status === null ? null : clock.now() }
      if (replace !== null) return replace(outcome)
      const sent = method?.reads ? `${route} ${status} ${JSON.stringify(request.params)}` : null
      const read = sent === null ? null : identities.of(sent, request.connection)
      if (read !== null && latest.again(account, read, startedAt)) return
      const recorded = {
        at: startedAt,
        transport: requestId === null ? 'websocket' : 'http',
        operation: method?.name ?? 'unknown',
        route,
        apiVersion,
        params: {},
        body: limited(rpcBody(request)),
        requestId: requestId === null ? null : struckOut(requestId),
        rpcId,
      } as const
      replace = latest.add(account, recorded, outcome, read)
    }
  }

  return { isOn, http, rpc, refused: logRefusal, list, close: latest.close }
}

/** The list does not list itself. A message of JSON-RPC over HTTP is recorded as its method. */
function isLeftOut(operation: string, refused: Refusal | null): boolean {
  return operation === 'listRequests' || (operation === 'callJsonRpc' && refused === null)
}

function routeOf({ method, path }: HttpRequest['about']): string {
  return path === '' ? 'unrouted' : `${method} ${path}`
}

function refusalIn(refused: Refusal | null): { readonly code: string | null; readonly field: string | null } {
  return { code: refused?.code ?? null, field: refused?.field === undefined ? null : struckOut(refused.field) }
}

function rpcBody({ method, params }: RpcRequest): JsonObject | null {
  if (method === null || typeof params !== 'object' || params === null || Array.isArray(params)) return null
  return recordedFields(method.params, params as JsonObject)
}

/** Null when it is too long. */
function limited(fields: JsonObject | null): JsonObject | null {
  return fields !== null && JSON.stringify(fields).length <= LONGEST_FIELDS ? fields : null
}

/**
 * Identifies reads by a hash, since an address may hold what must not be kept. The last read of each open connection stays in
 * memory, because a till polls one address: hashing it is a twentieth of a poll.
 */
function createReadIdentities(): { of(text: string, connection: object | null): string } {
  const lastReads = new WeakMap<object, { readonly text: string; readonly identity: string }>()
  return {
    of(text, connection) {
      if (connection === null) return identityOf(text)
      const last = lastReads.get(connection)
      if (last?.text === text) return last.identity
      const identity = identityOf(text)
      lastReads.set(connection, { text, identity })
      return identity
    },
  }
}

function identityOf(text: string): string {
  return hash('sha256', text, 'base64')
}
