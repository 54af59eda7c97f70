// src/three-d-secure/emv/outcome.ts — what follows from ARes, RReq and Erro: tables from their codes to reports. ADR 84.
import type { CardScheme } from '../../domain/card-number.ts'
import { liabilityOf } from '../../domain/online/liability.ts'
import type {
  AuthenticationFailure,
  AuthenticationProof,
  AuthenticationReport,
  Exemption,
} from '../../domain/online/three-d-secure.ts'
import { toBase64url } from './base64url.ts'
import type { Message } from './codec.ts'
import { encode } from './codec.ts'
import { type Objection, objection } from './objection.ts'
import type { Version } from './versions.ts'

/** What the AReq asked for. */
export interface Asked {
  readonly deviceChannel: '02' | '03'
  readonly messageCategory: '01' | '02'
  readonly mustChallenge: boolean
  /** The payment can wait for an authentication outside of the browser. */
  readonly decoupled: boolean
  readonly scheme: CardScheme
  /** Exemption that was asked for; absent without one. */
  readonly exemption?: Exemption
  /** Id of the challenge, which comes back with the browser. */
  readonly md: string
}

/** What an answer means for the request. */
export type Action =
  | 'authenticated'
  | 'challenge'
  | 'decoupled'
  /** The issuer takes note of an exemption. */
  | 'informational'
  | 'not_authenticated'
  | 'rejected'
  | 'unavailable'
  /** The answer is not one to this request: Erro 203. */
  | 'invalid'

interface Row {
  readonly where?: Partial<Pick<Asked, 'deviceChannel' | 'mustChallenge' | 'decoupled'>>
  readonly action: Action
}

/** Action by the status of an ARes; the first row that fits the request. The category makes no difference to it. */
const ANSWERS: Readonly<Record<string, readonly Row[]>> = {
  Y: [{ action: 'authenticated' }],
  A: [{ action: 'authenticated' }],
  N: [{ action: 'not_authenticated' }],
  U: [{ action: 'unavailable' }],
  R: [{ action: 'rejected' }],
  C: [{ where: { deviceChannel: '03' }, action: 'invalid' }, { action: 'challenge' }],
  D: [{ where: { decoupled: true }, action: 'decoupled' }, { action: 'invalid' }],
  // No authentication where one was demanded.
  I: [{ where: { mustChallenge: true }, action: 'unavailable' }, { action: 'informational' }],
}

/** What an ARes means. */
export function actionOf(
  ares: Message<'ARes'>,
  asked: Pick<Asked, 'deviceChannel' | 'mustChallenge' | 'decoupled'>,
): Action {
  const rows = ANSWERS[ares.transStatus ?? ''] ?? [{ action: 'invalid' as const }]
  const fits = ({ where = {} }: Row) =>
    Object.entries(where).every(([name, value]) => asked[name as keyof typeof asked] === value)
  const action = rows.find(fits)?.action ?? 'invalid'
  // The issuer does not confirm that it asks the payer elsewhere.
  return action === 'decoupled' && ares.acsDecConInd !== 'Y' ? 'unavailable' : action
}

/** A report, and the Erro that the directory server gets when the message was not right. */
export interface Outcome {
  readonly report: AuthenticationReport
  readonly objection: Objection | null
}

/**
 * What the gateway learns from an ARes. A decoupled authentication ends as unavailable: the gateway does not ask for it, and its
 * payments have no state for it.
 */
export function outcomeOfAnswer(ares: Message<'ARes'>, version: Version, asked: Asked): Outcome {
  const action = actionOf(ares, asked)
  switch (action) {
    case 'authenticated':
      return proven(ares, version, false, asked)
    case 'challenge':
      return challenged(ares, version, asked)
    case 'not_authenticated':
    case 'rejected':
    case 'unavailable':
      return failed(ares.transStatus ?? 'U', { ...ares, challengeCancel: undefined })
    case 'invalid':
      return refused(objection('203', ['transStatus']))
    case 'informational':
      return exempted(ares, version, false, asked)
    case 'decoupled':
      return { report: UNAVAILABLE, objection: null }
  }
}

/** What the gateway learns from the result of a challenge. */
export function outcomeOfResult(rreq: Message<'RReq'>, version: Version, asked: Asked): Outcome {
  const { transStatus } = rreq
  if (transStatus === 'Y' || transStatus === 'A') return proven(rreq, version, true, asked)
  if (transStatus === 'I' && !asked.mustChallenge) return exempted(rreq, version, true, asked)
  return failed(transStatus ?? 'U', rreq)
}

/** Erro 305 also says that no issuer has the card; some directory servers answer so where others have no range. */
const RANGE_UNKNOWN = '305'

/** What an Erro means for the authentication: nothing is known about the payer, whatever the code. */
export function outcomeOfErro(erro: Message<'Erro'>, settings: { readonly erro305AsNotEnrolled: boolean }): Outcome {
  const { errorCode, errorMessageType = 'AReq' } = erro
  const unknownRange = errorCode === RANGE_UNKNOWN && errorMessageType === 'AReq' && settings.erro305AsNotEnrolled
  return { report: unknownRange ? { type: 'not_enrolled' } : UNAVAILABLE, objection: null }
}

const UNAVAILABLE: AuthenticationReport = { type: 'authentication_failed', status: 'U', reason: 'unavailable' }

/** Failure by the code that ended a challenge. 07, unknown, and codes of directory servers leave it to the status. */
const BY_CANCEL: Readonly<Record<string, AuthenticationFailure>> = {
  '01': 'cancelled',
  '02': 'cancelled',
  '03': 'timed_out',
  '04': 'timed_out',
  '05': 'timed_out',
  '06': 'unavailable',
  '08': 'timed_out',
  '09': 'unavailable',
  '10': 'unavailable',
}

/** Failure by reason, where the reason says more than the status: the card, or the issuer's system. */
const BY_REASON: Readonly<Record<string, AuthenticationFailure>> = {
  ...Object.fromEntries(['05', '06', '08', '10', '11', '12'].map(code => [code, 'not_authenticated'] as const)),
  ...{ '14': 'unavailable', '22': 'unavailable' },
}

const BY_STATUS: Readonly<Record<string, AuthenticationFailure>> = { N: 'not_authenticated', U: 'unavailable' }

interface FailureCodes {
  readonly challengeCancel?: string | undefined
  readonly transStatusReason?: string | undefined
}

function failed(status: string, { challengeCancel = '', transStatusReason = '' }: FailureCodes): Outcome {
  if (status === 'R') return failure('R', 'rejected')
  const reason = BY_CANCEL[challengeCancel] ?? BY_REASON[transStatusReason] ?? BY_STATUS[status] ?? 'unavailable'
  return failure(status === 'N' ? 'N' : 'U', reason)
}

function failure(status: 'N' | 'R' | 'U', reason: AuthenticationFailure): Outcome {
  return { report: { type: 'authentication_failed', status, reason }, objection: null }
}

interface Proven {
  readonly transStatus?: string | undefined
  readonly eci?: string | undefined
  readonly authenticationValue?: string | undefined
  readonly threeDSServerTransID: string
  readonly acsTransID: string
  readonly dsTransID: string
}

/** What names the authentication in a dispute, and to an acquirer. */
function transactionOf({ threeDSServerTransID, acsTransID, dsTransID }: Proven, messageVersion: Version) {
  return {
    directoryServerTransactionId: dsTransID,
    threeDSServerTransactionId: threeDSServerTransID,
    acsTransactionId: acsTransID,
    messageVersion,
  }
}

/** A payment without a value has no proof: Erro 201. Other authentications may come without, and prove nothing to an acquirer. */
function proven(
  message: Proven,
  version: Version,
  challenged: boolean,
  { scheme, messageCategory, deviceChannel, exemption }: Asked,
): Outcome {
  const { transStatus, authenticationValue } = message
  if (authenticationValue === undefined)
    return {
      report: UNAVAILABLE,
      objection: messageCategory === '01' ? objection('201', ['authenticationValue']) : null,
    }
  const status = transStatus === 'A' ? 'A' : 'Y'
  const { eci, liability } = liabilityOf(scheme, status, message.eci, deviceChannel === '03')
  const proof: AuthenticationProof = {
    ...{ version: '2.0', status, challenged, eci, value: authenticationValue },
    ...{ ...transactionOf(message, version), liability },
    // An issuer that takes the liability has authenticated the payer all the same.
    ...(liability === 'merchant' && exemption !== undefined && { exemption }),
  }
  return { report: { type: 'authenticated', proof }, objection: null }
}

/** Exemption that an issuer grants, from 2.3.1 on; null for none. */
const GRANTED: Readonly<Record<string, Exemption | null>> = {
  ...{ '05': 'transaction_risk_analysis', '08': 'trusted_beneficiary', '10': 'low_value', '11': 'corporate' },
  '79': null,
}

/** Nobody is authenticated. Where the issuer does not say why, the reason is what was asked for. */
function exempted(
  message: Proven & { readonly transChallengeExemption?: string | undefined },
  version: Version,
  challenged: boolean,
  asked: Asked,
): Outcome {
  const { eci, authenticationValue = '', transChallengeExemption = '' } = message
  const granted = GRANTED[transChallengeExemption]
  const exemption = granted === undefined ? asked.exemption : (granted ?? undefined)
  const proof: AuthenticationProof = {
    ...{ version: '2.0', status: 'I', challenged, value: authenticationValue },
    ...{ ...transactionOf(message, version), ...liabilityOf(asked.scheme, 'I', eci) },
    ...(exemption !== undefined && { exemption }),
  }
  return { report: { type: 'exempted', proof }, objection: null }
}

/** Size of the issuer's page: 390 × 400, which fits the frame of the form. */
const WINDOW_SIZE = '02'

function challenged(ares: Message<'ARes'>, version: Version, { md }: Asked): Outcome {
  const { threeDSServerTransID, acsTransID, acsURL } = ares
  const creq = encode(
    { messageType: 'CReq', threeDSServerTransID, acsTransID, challengeWindowSize: WINDOW_SIZE },
    version,
  )
  if (acsURL === undefined || 'refused' in creq) return refused(objection('201', ['acsURL']))
  const challenge = { version: '2.0' as const, md, acsUrl: acsURL, payload: toBase64url(creq.text) }
  return { report: { type: 'challenge_requested', challenge }, objection: null }
}

/** A message that is not right never counts as a card that is not enrolled. */
function refused(problem: Objection): Outcome {
  return { report: UNAVAILABLE, objection: problem }
}
