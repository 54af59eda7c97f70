// src/api/http/admission.ts — checks a request before its operation runs: address, caller, version, partner headers, limits.
// The order decides which refusal a caller gets. Query and body are checked by the operation.
import type { MerchantAccount } from '../../domain/accounts/merchant-account.ts'
import type { Partner } from '../../domain/counter/transaction-events.ts'
import type { Identified } from '../auth.ts'
import type { HeldKey } from '../keys/key-holder.ts'
import { refusalOfOperation } from '../keys/key-scope.ts'
import type { Operation, RequestContext } from '../operation.ts'
import { ID_TOO_LONG, type PartnerRefusals, partnerInHeaders, partnerOf } from '../partner.ts'
import type { Person } from '../people/person.ts'
import { hasSession, identifyPerson } from '../people/session-caller.ts'
import type { Refused } from '../read/json-body.ts'
import { API_VERSIONS } from '../versions/select.ts'
import type { RequestExchange } from './exchange.ts'
import type { ServerContext } from './server-context.ts'

/** A valid path parameter: no control characters, no lone surrogates. */
const NAME = /^[^\p{Cc}\p{Cs}]+$/u

/** Longest path parameter, in characters: longer than any name or access token. */
const LONGEST_NAME = 256

/** Media types listed in the refusal of an unknown Accept header. */
const MEDIA_TYPES = `application/json, ${API_VERSIONS.map(({ mediaType }) => mediaType).join(', ')}`

const NO_PARTNER: Partner = { softwareHouseId: null, installerId: null }

export interface Admitted extends RequestContext {
  /** Null when the operation needs no authentication. */
  readonly account: MerchantAccount | null
  readonly partner: Partner
  /** Null when the caller is no signed-in user. */
  readonly person: Person | null
  /** Null when the caller has no API key. */
  readonly key: HeldKey | null
}

/** Who calls. */
interface Caller {
  readonly account: MerchantAccount
  readonly person: Person | null
  readonly key: HeldKey | null
}

/** Admits a request, or returns its first refusal. */
export async function admit(
  server: ServerContext,
  operation: Operation,
  exchange: RequestExchange,
): Promise<Admitted | Refused> {
  const base = baseOf(server, exchange)
  if (typeof base !== 'string') return base
  const caller = await callerOf(server, operation, exchange, base)
  return admitCaller(server, operation, exchange, base, caller)
}

/** Identifies the caller. Null when the operation needs no authentication. */
async function callerOf(
  server: ServerContext,
  operation: Operation,
  exchange: RequestExchange,
  base: string,
): Promise<Caller | Refused | null> {
  if (operation.auth === 'none') return null
  if (hasSession(operation, exchange.request)) {
    const found = await identifyPerson(server.api, operation, exchange.request, base)
    return 'refused' in found ? found : { ...found, key: null }
  }
  const linked = operation.area === 'sandbox' ? await linkedOf(server, operation, exchange) : null
  if (linked !== null) return 'refused' in linked ? linked : { account: linked, person: null, key: null }
  const holder = await (operation.auth === 'jwt' ? shopOf(server, exchange, base) : holderOf(server, exchange))
  if ('refused' in holder) return holder
  return operation.peopleOnly === true ? { refused: { code: 'person_needed' } } : { ...holder, person: null }
}

function admitCaller(
  server: ServerContext,
  operation: Operation,
  exchange: RequestExchange,
  base: string,
  caller: Caller | Refused | null,
): Admitted | Refused {
  if (caller !== null && 'refused' in caller) return caller
  const { account, person, key } = caller ?? NOBODY
  exchange.account = account?.id ?? null
  settleVersion(server, exchange, account)
  const beyond = key === null ? null : refusalOfOperation(key, operation, exchange.params)
  if (beyond !== null) return { refused: beyond }
  const partner = operation.area === 'connect' ? partnerIn(server, exchange) : NO_PARTNER
  if ('refused' in partner) return partner
  if (account !== null && isTooFast(server, operation, exchange, account)) return { refused: { code: 'too_fast' } }
  const full = fullOf(server, exchange)
  if (full !== null) return full
  const { request, response, requestId, chosen } = exchange
  return {
    api: server.api,
    requestId,
    base,
    apiVersion: chosen.apiVersion,
    request,
    response,
    account,
    partner,
    person,
    key,
  }
}

const NOBODY = { account: null, person: null, key: null } as const

/** Applies the default version of the account to a request that names none. */
function settleVersion({ chooseFor }: ServerContext, exchange: RequestExchange, account: MerchantAccount | null): void {
  const version = account?.defaultVersion ?? null
  if (version === null || exchange.chosen.named || exchange.chosen.unknown) return
  const { headers, url } = exchange.request
  exchange.chosen = chooseFor(version, headers.accept, url)
}

function baseOf({ api, baseUrlOf }: ServerContext, { request, params }: RequestExchange): string | Refused {
  for (const name in params) if (!isName(params[name] ?? '')) return { refused: { code: 'path_unknown' } }
  if ((request.url?.length ?? 0) > api.limits.urlLength) return { refused: { code: 'url_too_long' } }
  return baseUrlOf(request) ?? { refused: { code: 'host_invalid' } }
}

function isName(text: string): boolean {
  return text.length <= LONGEST_NAME && NAME.test(text)
}

function holderOf({ authenticator }: ServerContext, { request }: RequestExchange): Promise<Identified> {
  return authenticator.identify(request.headers.authorization, request.socket)
}

/** Identifies the bearer of a link to a simulated terminal, which counts in the sandbox only. Null when there is none. */
async function linkedOf({ api }: ServerContext, operation: Operation, { request, params }: RequestExchange) {
  return (await api.interceptor.callerByLink?.(operation, request, params)) ?? null
}

/**
 * Identifies a web shop. In live mode the audience of its JWT must be the configured public URL: a sender could choose a
 * Host header that matches a token made for the shop's test gateway.
 */
function shopOf({ shops, api }: ServerContext, { request }: RequestExchange, base: string): Promise<Identified> {
  const { mode, publicUrl } = api.settings
  return shops.identify(request.headers.authorization, mode === 'live' ? publicUrl : base, request.socket)
}

function partnerIn({ api }: ServerContext, { request, chosen }: RequestExchange): Partner | Refused {
  if (chosen.unknown) return { refused: { code: 'version_unknown', detail: MEDIA_TYPES } }
  const version = { demandsPartner: chosen.apiVersion.demandsPartner, named: chosen.named }
  return partnerOf(partnerInHeaders(request.headers), version, api.settings.partnerHeaders, PARTNER_REFUSALS)
}

const PARTNER_REFUSALS: PartnerRefusals = {
  missing: { softwareHouseId: { code: 'software_house_missing' }, installerId: { code: 'installer_missing' } },
  invalid: {
    softwareHouseId: { code: 'header_invalid', field: 'Software-House-Id', detail: ID_TOO_LONG },
    installerId: { code: 'header_invalid', field: 'Installer-Id', detail: ID_TOO_LONG },
  },
}

function fullOf({ api, tracker }: ServerContext, { response }: RequestExchange): Refused | null {
  if (tracker.stopping) return { refused: { code: 'gateway_stopping' } }
  const atWork = tracker.othersThan(response) - api.waiting.count
  return atWork >= api.limits.inFlight ? { refused: { code: 'gateway_busy' } } : null
}

/** Whether the caller has called too often. A request that another node passes on was counted there. */
function isTooFast(
  server: ServerContext,
  { area }: Operation,
  { request }: RequestExchange,
  account: Pick<MerchantAccount, 'id'>,
): boolean {
  if (server.api.interceptor.isPassedOn?.(request) === true) return false
  if (area === 'connect') return !server.mayCallAgain(request.headers.authorization ?? '')
  return area === 'shop' && !server.mayCall(account.id)
}
