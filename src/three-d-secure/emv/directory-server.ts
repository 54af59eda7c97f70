// src/three-d-secure/emv/directory-server.ts — a directory server of a scheme, as the gateway's payments use it. ADR 88.
import { hash } from 'node:crypto'
import type { MerchantAccountId } from '../../domain/ids.ts'
import type {
  AuthenticationReport,
  Exemption,
  PriorAuthentication,
  StoredReport,
} from '../../domain/online/three-d-secure.ts'
import { challengeId } from '../../engine/challenge-ids.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { AuthenticationOrder, DirectoryServer } from '../../engine/ports/three-d-secure.ts'
import type { Vault } from '../../engine/ports/vault.ts'
import { forgetSealed, openedProof, sealedReport } from '../../engine/sealed-proofs.ts'
import type { BrowserRequest, LaterRequest } from './areq.ts'
import { type AuthenticateParts, type Authentication, authenticate } from './authenticate.ts'
import { exemptionAskedFor, wishFor } from './challenge-wishes.ts'
import type { DeviceData, TakenDeviceData } from './device-data.ts'
import type { DirectoryDocument } from './directory-document.ts'
import type { Exchanged } from './exchange.ts'
import type { AuthenticationJournal, AuthenticationNote, Noted, StoredResult } from './journal.ts'

/** Name of the connector in the registries. */
export const EMV = 'emv'

export interface EmvDirectoryServerParts extends Omit<AuthenticateParts, 'sending' | 'ranges'> {
  readonly journal: AuthenticationJournal
  readonly deviceData: DeviceData
  readonly vault: Vault
  readonly log: Log
  /** Card ranges as they are now; null before they are loaded. */
  ranges(): AuthenticateParts['ranges']
  /** Where the issuer's page sends the browser after a challenge. */
  readonly notificationUrl: string
}

const UNAVAILABLE = { type: 'authentication_failed', status: 'U', reason: 'unavailable' } as const

/**
 * Creates the directory server. An order is noted before its AReq goes out. When the note says so and has no answer, the process has
 * ended in between: the authentication is then unavailable, and nothing is sent again.
 */
export function createEmvDirectoryServer(parts: EmvDirectoryServerParts): DirectoryServer {
  const { journal, deviceData, vault, log } = parts

  async function begin(order: AuthenticationOrder, md: string): Promise<AuthenticationReport> {
    const request = order.prior === undefined ? await browserRequest(order) : laterRequest(order, order.prior)
    if (request === null) return UNAVAILABLE
    const exemption = 'wish' in request ? exemptionAskedFor(request.wish, order.mustChallenge) : null
    const fresh = freshNote(order, md, exemption)
    let noted: Noted | null = null
    const note = (changes: Partial<AuthenticationNote>) =>
      noted === null ? journal.add({ ...fresh, ...changes }) : journal.change(noted, changes)
    const authentication = await authenticate(request, md, {
      ...{ ...parts, document: documentFor(order.account, parts.document), ranges: parts.ranges() },
      async sending(attempt) {
        noted = await note({ phase: 'sent', ...attempt })
        if (noted === null) throw new Error('another process has taken the authentication')
      },
    })
    const { attempt } = authentication
    if (attempt !== null && attempt.exchanged.outcome !== 'answered')
      log.warn({ directoryServer: parts.document.name, ...faultOf(attempt.exchanged) }, 'authentication not answered')
    const report = await sealedReport(vault, order.account, md, authentication.report)
    if ((await note(outcomeOf(authentication, report))) !== null) return authentication.report
    await forgetSealed(vault, order.account, report)
    return stored(order.account, md)
  }

  async function browserRequest(order: AuthenticationOrder): Promise<BrowserRequest | null> {
    const requestor = requestorOf(order.account)
    const { browser } = order
    if (requestor === undefined || browser === undefined) return null
    const wish = wishFor(order, requestor.wishes ?? [])
    return { ...requestOf(order, parts, await deviceDataOf(order)), requestor, browser, wish }
  }

  function laterRequest(order: AuthenticationOrder, prior: PriorAuthentication): LaterRequest | null {
    const requestor = requestorOf(order.account)
    const payments = requestor?.laterPayments
    if (requestor === undefined || payments === undefined) return null
    return { order, requestor, payer: order.payer ?? {}, later: { payments, prior } }
  }

  function requestorOf(account: MerchantAccountId) {
    return parts.document.requestors?.find(each => each.account === account)
  }

  async function deviceDataOf({ account, paymentId, card }: AuthenticationOrder): Promise<TakenDeviceData | null> {
    return paymentId === undefined ? null : deviceData.take(account, paymentId, card.number)
  }

  /** What another process has written counts. */
  async function stored(account: MerchantAccountId, md: string): Promise<AuthenticationReport> {
    return reportIn(account, (await journal.load(account, md))?.note.report ?? UNAVAILABLE)
  }

  async function reportIn(account: MerchantAccountId, report: StoredReport): Promise<AuthenticationReport> {
    return report.type === 'challenge_requested' ? report : resultIn(account, report)
  }

  /** A value is deleted long after its payment has ended. */
  async function resultIn(
    account: MerchantAccountId,
    report: StoredResult,
  ): Promise<Exclude<AuthenticationReport, { readonly type: 'challenge_requested' }>> {
    if (report.type !== 'authenticated' && report.type !== 'exempted') return report
    const proof = await openedProof(vault, account, report.proof)
    return proof === null ? UNAVAILABLE : { ...report, proof }
  }

  async function repeated(noted: Noted): Promise<AuthenticationReport> {
    const { account, md, report } = noted.note
    if (report !== null) return reportIn(account, report)
    const closed = await journal.change(noted, { phase: 'answered', report: UNAVAILABLE })
    return closed === null ? stored(account, md) : UNAVAILABLE
  }

  return {
    name: EMV,
    deviceData: deviceData.deviceData,
    issuerPost: deviceData.issuerPost,
    deviceDataDone: deviceData.deviceDataDone,
    async lookUp(order) {
      // Other schemes have directory servers of their own.
      if (order.card.number.scheme !== parts.document.authentication?.scheme) return { type: 'not_enrolled' }
      const md = challengeId(order.account, hash('sha256', order.authenticationId, 'hex'))
      const known = await journal.load(order.account, md)
      return known === null ? begin(order, md) : repeated(known)
    },
    async authenticatesLater(account, scheme) {
      return scheme === parts.document.authentication?.scheme && requestorOf(account)?.laterPayments !== undefined
    },
    async resultOf(account, md) {
      const note = (await journal.load(account, md))?.note
      if (note === undefined) return UNAVAILABLE
      const { report, result } = note
      if (result !== null) return resultIn(account, result)
      return report === null || report.type === 'challenge_requested' ? 'pending' : resultIn(account, report)
    },
  }
}

/** The account is in the address, because a result names no account. */
function documentFor(account: MerchantAccountId, document: DirectoryDocument): DirectoryDocument {
  const { authentication } = document
  if (authentication === undefined) return document
  const resultsUrl = `${authentication.resultsUrl}/${encodeURIComponent(account)}`
  return { ...document, authentication: { ...authentication, resultsUrl } }
}

function requestOf(
  order: AuthenticationOrder,
  { deviceData, notificationUrl }: EmvDirectoryServerParts,
  taken: TakenDeviceData | null,
): Omit<BrowserRequest, 'requestor' | 'browser' | 'wish'> {
  const common = { order, payer: order.payer ?? {}, notificationUrl }
  if (taken === null) return { ...common, methodCompleted: deviceData.pageOf(order.card.number) === null ? 'U' : 'N' }
  return { ...common, methodCompleted: taken.completed ? 'Y' : 'N', methodId: taken.threeDSServerTransID }
}

function freshNote(
  { account, card, mustChallenge }: AuthenticationOrder,
  md: string,
  exemption: Exemption | null,
): AuthenticationNote {
  const { scheme, masked: maskedNumber } = card.number
  return {
    ...{ md, account, phase: 'answered', scheme, maskedNumber, mustChallenge },
    ...(exemption !== null && { exemption }),
    ...{ threeDSServerTransID: null, version: null, acsTransID: null, dsTransID: null },
    ...{ report: null, result: null, resultDigest: null },
  }
}

/** Why an authentication has no answer that can be used. Details name members, and never have values. */
function faultOf(exchanged: Exclude<Exchanged, { readonly outcome: 'answered' }>): Record<string, unknown> {
  const { outcome } = exchanged
  switch (outcome) {
    case 'failed':
      return { outcome, failed: exchanged.failed, url: exchanged.url }
    case 'erro':
      return { outcome, errorCode: exchanged.erro.errorCode }
    case 'not_sent':
    case 'objection':
      return { outcome, errorCode: exchanged.objection.code, detail: exchanged.objection.detail }
  }
}

function outcomeOf({ attempt }: Authentication, report: StoredReport): Partial<AuthenticationNote> {
  const phase = report.type === 'challenge_requested' ? 'challenged' : 'answered'
  if (attempt?.exchanged.outcome !== 'answered') return { phase, report }
  const { acsTransID, dsTransID } = attempt.exchanged.message
  return { phase, report, acsTransID, dsTransID }
}
