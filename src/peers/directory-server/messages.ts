// src/peers/directory-server/messages.ts — the messages that a directory server and an issuer send.
import type { Authentication } from './authentications.ts'
import type { Status } from './behaviour.ts'
import { type Json, VERSIONS } from './schemas.ts'

/** Where the issuer's pages are. */
export interface Pages {
  readonly challenge: string
  readonly method: string
}

/** First and last card of each range, by scheme. */
const RANGES = {
  VISA: [['4000000000000000', '4999999999999999']],
  MASTERCARD: [
    ['5100000000000000', '5599999999999999'],
    ['2221000000000000', '2720999999999999'],
  ],
  AMEX: [
    ['340000000000000', '349999999999999'],
    ['370000000000000', '379999999999999'],
  ],
  DCI: [['36000000000000', '36999999999999']],
  DISCOVER: [['6011000000000000', '6011999999999999']],
  MAESTRO: [
    ['5000000000000000', '5099999999999999'],
    ['5600000000000000', '5899999999999999'],
    ['6700000000000000', '6799999999999999'],
  ],
} as const satisfies Record<string, readonly (readonly [string, string])[]>
export type Scheme = keyof typeof RANGES
export const SCHEMES = Object.keys(RANGES) as readonly Scheme[]

/** Indicators for an authenticated payer, for an attempt, and for nobody authenticated. */
const ECI = {
  Y: { mastercard: '02', others: '05' },
  A: { mastercard: '01', others: '06' },
  I: { mastercard: '00', others: '07' },
}
/** Twenty bytes, base64. They mean nothing. */
const VALUE = 's3xYIbbZVSakGpUEaAtOfIt2Ohs='

/** The answer to a PReq: the card ranges of the scheme. */
export function pres(request: Json, scheme: Scheme, { method }: Pages, dsTransId: string): Json {
  const late = request['messageVersion'] === '2.3.1'
  const entries = RANGES[scheme].map(([startRange, endRange]) =>
    late
      ? {
          ranges: [{ startRange, endRange }],
          acsProtocolVersions: VERSIONS.map(version => ({ version, acsInfoInd: ['01'], threeDSMethodURL: method })),
        }
      : {
          ...{ startRange, endRange, actionInd: 'A', threeDSMethodURL: method },
          ...{ acsStartProtocolVersion: '2.1.0', acsEndProtocolVersion: '2.2.0' },
        },
  )
  return {
    messageType: 'PRes',
    messageVersion: request['messageVersion'],
    threeDSServerTransID: request['threeDSServerTransID'],
    dsTransID: dsTransId,
    serialNum: '1',
    ...(late ? { dsProtocolVersions: VERSIONS } : { dsStartProtocolVersion: '2.1.0', dsEndProtocolVersion: '2.2.0' }),
    cardRangeData: entries,
  }
}

/** The answer to an AReq. */
export function ares({ areq, acsTransId, dsTransId, status }: Authentication, { challenge }: Pages): Json {
  const late = areq['messageVersion'] === '2.3.1'
  return {
    messageType: 'ARes',
    ...idsOf(areq, acsTransId, dsTransId),
    acsReferenceNumber: 'simulated-acs',
    dsReferenceNumber: 'simulated-ds',
    transStatus: status,
    ...('NUR'.includes(status) && { transStatusReason: '01' }),
    ...(status === 'C' && { acsChallengeMandated: 'N', acsURL: challenge }),
    ...(status === 'C' && !late && { authenticationType: '02' }),
    ...provenBy(areq, status),
  }
}

/** The result of a challenge. */
export function rreq({ areq, acsTransId, dsTransId, challenge, wrongCodes }: Authentication): Json {
  const transStatus = challenge === 'passed' ? 'Y' : 'N'
  return {
    messageType: 'RReq',
    ...idsOf(areq, acsTransId, dsTransId),
    messageCategory: '01',
    transStatus,
    interactionCounter: String(wrongCodes + (challenge === 'passed' ? 1 : 0)).padStart(2, '0'),
    ...(transStatus === 'N' && { transStatusReason: '01' }),
    ...(challenge === 'cancelled' && { challengeCancel: '01' }),
    ...provenBy(areq, transStatus),
  }
}

/** What the browser takes back. It proves nothing. */
export function cres({ areq, acsTransId, challenge }: Authentication): Json {
  const { messageVersion, threeDSServerTransID } = areq
  const transStatus = challenge === 'passed' ? 'Y' : 'N'
  return { messageType: 'CRes', messageVersion, threeDSServerTransID, acsTransID: acsTransId, transStatus }
}

/** Says that a request was wrong. @param component `D`: directory server; `A`: issuer */
export function erro(request: Json, errorCode: string, errorDetail: string, component: 'D' | 'A' = 'D'): Json {
  const { messageType, threeDSServerTransID } = request
  const version = VERSIONS.find(each => each === request['messageVersion'])
  return {
    messageType: 'Erro',
    messageVersion: version ?? '2.1.0',
    errorCode,
    errorComponent: component,
    errorDescription: 'The simulated directory server refuses the message',
    errorDetail,
    ...(typeof messageType === 'string' && /^\w{4}$/.test(messageType) && { errorMessageType: messageType }),
    ...(typeof threeDSServerTransID === 'string' && { threeDSServerTransID }),
  }
}

function idsOf({ messageVersion, threeDSServerTransID }: Json, acsTransID: string, dsTransID: string) {
  return { messageVersion, threeDSServerTransID, acsTransID, dsTransID }
}

function provenBy(areq: Json, status: Status) {
  if (status !== 'Y' && status !== 'A' && status !== 'I') return {}
  const isMastercard = /^(?:5|2|6[37])/.test(String(areq['acctNumber']))
  const isLater = areq['deviceChannel'] === '03' && status === 'Y'
  const eci = isMastercard && isLater ? '07' : ECI[status][isMastercard ? 'mastercard' : 'others']
  return { eci, ...(status !== 'I' && { authenticationValue: VALUE }) }
}
