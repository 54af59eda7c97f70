// src/api/http/admission.ts — the checks before an operation runs, in the order of terminal reference 1.7: address, caller,
// version, partner headers. What comes after them, down to the body, is the operation's own.
import type { MerchantAccount } from '../../domain/accounts/merchant-account.ts'
import type { Partner } from '../../domain/counter/transaction-events.ts'
import type { Identified } from '../auth.ts'
import type { Operation, RequestContext } from '../operation.ts'
import { type PartnerRefusals, partnerInHeaders, partnerOf } from '../partner.ts'
import type { Refused } from '../read/json-body.ts'
import type { RequestExchange } from './exchange.ts'
import type { ServerContext } from './server-context.ts'

/** Text that may name something. Anything else in an address names nothing. */
const NAME = /^[^\p{Cc}\p{Cs}]+$/u

const NO_PARTNER: Partner = { softwareHouseId: null, installerId: null }

export interface Admitted extends RequestContext {
  /** Null where nobody was asked. */
  readonly account: MerchantAccount | null
  readonly partner: Partner
}

/** Lets a request in, or says the first thing that is wrong with it. */
export async function admit(
  serverContext: ServerContext,
  operation: Operation,
  exchange: RequestExchange,
): Promise<Admitted | Refused> {
  const base = baseOf(serverContext, exchange)
  if (typeof base !== 'string') return base
  const caller = await callerOf(serverContext, operation, exchange, base)
  return admitCaller(serverContext, operation, exchange, base, caller)
}

/** Null where nobody is asked. */
function callerOf(
  serverContext: ServerContext,
  { auth }: Operation,
  exchange: RequestExchange,
  base: string,
): Promise<Identified> | null {
  switch (auth) {
    case 'none':
      return null
    case 'jwt':
      return shopOf(serverContext, exchange, base)
    case 'basic':
      return accountOf(serverContext, exchange)
  }
}

function admitCaller(
  serverContext: ServerContext,
  operation: Operation,
  exchange: RequestExchange,
  base: string,
  account: Identified | null,
): Admitted | Refused {
  if (account !== null && 'refused' in account) return account
  settleVersion(serverContext, exchange, account)
  const partner = operation.area === 'connect' ? partnerIn(serverContext, exchange) : NO_PARTNER
  if ('refused' in partner) return partner
  if (
    account !== null &&
    operation.area === 'connect' &&
    !serverContext.paused(exchange.request.headers.authorization ?? '')
  )
    return { refused: { code: 'too_fast' } }
  if (account !== null && operation.area === 'shop' && !serverContext.mayCall(account.id))
    return { refused: { code: 'too_fast' } }
  const full = fullOf(serverContext, exchange)
  if (full !== null) return full
  const { request, response, requestId, corsHeaders, chosen } = exchange
  return {
    api: serverContext.context,
    requestId,
    base,
    apiVersion: chosen.apiVersion,
    corsHeaders,
    request,
    response,
    account,
    partner,
  }
}

/** A request that names no version gets the one that its account has chosen. */
function settleVersion({ chooseFor }: ServerContext, exchange: RequestExchange, account: MerchantAccount | null): void {
  const version = account?.defaultVersion ?? null
  if (version === null || exchange.chosen.named || exchange.chosen.unknown) return
  const { headers, url } = exchange.request
  exchange.chosen = chooseFor(version, headers.accept, url)
}

function baseOf({ context, baseUrlOf }: ServerContext, { request, params }: RequestExchange): string | Refused {
  for (const name in params) if (!NAME.test(params[name] ?? '')) return { refused: { code: 'path_unknown' } }
  if ((request.url?.length ?? 0) > context.limits.urlLength) return { refused: { code: 'url_too_long' } }
  return baseUrlOf(request) ?? { refused: { code: 'host_invalid' } }
}

function accountOf({ authenticator }: ServerContext, { request }: RequestExchange): Promise<Identified> {
  return authenticator.identify(request.headers.authorization, request.socket)
}

/**
 * In live mode the Host header does not say who we are: whoever sends a token could choose it to match, and use one that
 * its shop has made for its test gateway.
 */
function shopOf({ shops, context }: ServerContext, { request }: RequestExchange, base: string): Promise<Identified> {
  const { mode, publicUrl } = context.settings
  return shops.identify(request.headers.authorization, mode === 'live' ? publicUrl : base, request.socket)
}

function partnerIn({ context }: ServerContext, { request, chosen }: RequestExchange): Partner | Refused {
  if (chosen.unknown) return { refused: { code: 'version_unknown' } }
  const version = { demandsPartner: chosen.apiVersion.demandsPartner, named: chosen.named }
  return partnerOf(partnerInHeaders(request.headers), version, context.settings.partnerHeaders, PARTNER_REFUSALS)
}

const PARTNER_REFUSALS: PartnerRefusals = {
  missing: { softwareHouseId: { code: 'software_house_missing' }, installerId: { code: 'installer_missing' } },
  invalid: {
    softwareHouseId: { code: 'header_invalid', field: 'Software-House-Id' },
    installerId: { code: 'header_invalid', field: 'Installer-Id' },
  },
}

function fullOf({ context, traffic }: ServerContext, { response }: RequestExchange): Refused | null {
  if (traffic.stopping) return { refused: { code: 'gateway_stopping' } }
  const atWork = traffic.servingBeside(response) - context.waiting.count
  return atWork >= context.limits.inFlight ? { refused: { code: 'gateway_busy' } } : null
}
