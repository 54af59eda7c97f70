// src/three-d-secure/emv/authenticate.ts — asks a directory server to authenticate a payer: version, AReq, report. ADR 88.
import type { AuthenticationReport } from '../../domain/online/three-d-secure.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { DirectoryServerClient, MutualTls } from '../../engine/ports/directory-server-client.ts'
import { type AuthenticationRequest, areqOf } from './areq.ts'
import { type CardRangeTable, lookUp } from './card-range-table.ts'
import { exemptionAskedFor } from './challenge-wishes.ts'
import { DEFAULT_TIMERS, type DirectoryDocument } from './directory-document.ts'
import { type Exchanged, type ExchangeParts, exchange, refuse } from './exchange.ts'
import { versionsOfKind } from './later-payments.ts'
import { type Asked, outcomeOfAnswer, outcomeOfErro } from './outcome.ts'
import { chooseVersion, VERSIONS, type Version } from './versions.ts'

export interface AuthenticateParts {
  readonly client: DirectoryServerClient
  readonly document: DirectoryDocument
  readonly tls: MutualTls
  readonly clock: Pick<Clock, 'now'>
  /** Card ranges of the directory server; null when they were never loaded. */
  readonly ranges: CardRangeTable | null
  /** A new transaction id. */
  newId(): string
  /** Awaited before each AReq goes out. What it throws ends the authentication before anything was sent. */
  readonly sending?: (attempt: Omit<Attempt, 'exchanged'>) => Promise<void>
}

export interface Authentication {
  readonly report: AuthenticationReport
  /** The last AReq; null when the card counts as not enrolled without one. */
  readonly attempt: Attempt | null
}

export interface Attempt {
  readonly threeDSServerTransID: string
  readonly version: Version
  readonly exchanged: Exchanged<'AReq'>
}

const LONGEST_ARES = 1_048_576
/** Erro codes after which another AReq with a new id has a chance. */
const VERSION_NOT_SUPPORTED = '102'
const TRANSIENT_FAILURE = '403'
/** After this a payer has waited long enough, and the issuer may have sent a message to a phone. */
const TRY_AGAIN_WITHIN_MS = 4_000

const UNAVAILABLE: AuthenticationReport = { type: 'authentication_failed', status: 'U', reason: 'unavailable' }
const NOT_ENROLLED: AuthenticationReport = { type: 'not_enrolled' }

/**
 * Sends at most two AReqs, each with an id of its own: the second one after Erro 102, in the next lower version, or after a
 * quick Erro 403. Whatever fails is a report; only `sending` makes it reject.
 * @param md id of the challenge, which comes back with the browser
 */
export async function authenticate(
  request: AuthenticationRequest,
  md: string,
  parts: AuthenticateParts,
): Promise<Authentication> {
  const [version, lower] = versionsFor(request.order.card.number.reveal(), parts).filter(each => isFor(request, each))
  if (version === undefined) return { report: NOT_ENROLLED, attempt: null }
  const begun = parts.clock.now()
  const first = await attemptIn(version, request, md, parts)
  const { exchanged } = first.attempt
  if (exchanged.outcome !== 'erro') return first
  const { errorCode } = exchanged.erro
  const again = withNewId(request)
  if (errorCode === VERSION_NOT_SUPPORTED && lower !== undefined) return attemptIn(lower, again, md, parts)
  if (errorCode === TRANSIENT_FAILURE && parts.clock.now() - begun < TRY_AGAIN_WITHIN_MS)
    return attemptIn(version, again, md, parts)
  return first
}

/** Before 2.2 issuers are not asked about every kind of later payment. */
function isFor(request: AuthenticationRequest, version: Version): boolean {
  return !('later' in request) || versionsOfKind(request.later.payments).includes(version)
}

/** The issuer knows the device by the id of the first AReq only. */
function withNewId(given: AuthenticationRequest): AuthenticationRequest {
  if ('later' in given) return given
  const { methodId: _, ...request } = given
  return request.methodCompleted === 'Y' ? { ...request, methodCompleted: 'N' } : request
}

/** Versions in which the card can be authenticated, the highest first; none when it counts as not enrolled. */
export function versionsFor(
  number: string,
  { document, ranges }: Pick<AuthenticateParts, 'document' | 'ranges'>,
): readonly Version[] {
  const ours = VERSIONS.filter(version => document.versions.includes(version))
  const range = ranges === null ? null : lookUp(ranges, number)
  if (range === null) {
    const { onUnknownRange = ranges === null ? 'ask' : 'not_enrolled' } = document.authentication ?? {}
    return onUnknownRange === 'ask' ? ours.toReversed() : []
  }
  const servers = range.directoryServerVersions ?? ranges?.directoryServerVersions ?? []
  const acs = range.acsVersions.map(({ version }) => version)
  const highest = chooseVersion(ours, servers, acs)
  const next = chooseVersion(ours.slice(0, highest === null ? 0 : ours.indexOf(highest)), servers, acs)
  return [highest, next].filter(version => version !== null)
}

async function attemptIn(
  version: Version,
  request: AuthenticationRequest,
  md: string,
  parts: AuthenticateParts,
): Promise<Authentication & { readonly attempt: Attempt }> {
  const methodId = 'later' in request ? undefined : request.methodId
  const threeDSServerTransID = methodId ?? parts.newId()
  const areq = areqOf(request, { document: parts.document, threeDSServerTransID, at: parts.clock.now() })
  const ended = (exchanged: Exchanged<'AReq'>, report: AuthenticationReport) => {
    return { report, attempt: { threeDSServerTransID, version, exchanged } }
  }
  if ('refused' in areq) return ended({ outcome: 'not_sent', objection: areq.refused }, UNAVAILABLE)
  await parts.sending?.({ threeDSServerTransID, version })
  const to = exchangePartsOf(parts)
  const exchanged = await exchange(areq, version, to)
  if (exchanged.outcome === 'erro') {
    const { erro305AsNotEnrolled = false } = parts.document.authentication ?? {}
    return ended(exchanged, outcomeOfErro(exchanged.erro, { erro305AsNotEnrolled }).report)
  }
  if (exchanged.outcome !== 'answered') return ended(exchanged, UNAVAILABLE)
  const { message: ares, url } = exchanged
  const { report, objection } = outcomeOfAnswer(ares, version, askedBy(request, md))
  return ended(objection === null ? exchanged : await refuse(objection, areq, version, url, to), report)
}

/** A payment does not wait for an authentication outside of the browser. Without its payer it asks for no exemption. */
function askedBy(request: AuthenticationRequest, md: string): Asked {
  const { mustChallenge, card } = request.order
  const common = { messageCategory: '01', decoupled: false, mustChallenge, scheme: card.number.scheme, md } as const
  if ('later' in request) return { ...common, deviceChannel: '03' }
  const exemption = exemptionAskedFor(request.wish, mustChallenge)
  return { ...common, deviceChannel: '02', ...(exemption !== null && { exemption }) }
}

/** Where there is one address, it is tried twice. */
function exchangePartsOf({ client, document, tls }: AuthenticateParts): ExchangeParts {
  const { areqUrls = [] } = document.authentication ?? {}
  const { connectMs = DEFAULT_TIMERS.connectMs, aresMs = DEFAULT_TIMERS.aresMs } = document.timers ?? {}
  return {
    client,
    urls: areqUrls.length === 1 ? [...areqUrls, ...areqUrls] : areqUrls,
    call: { tls, connectMs, answerMs: aresMs, longestAnswer: LONGEST_ARES },
  }
}
