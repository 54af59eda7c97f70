// src/three-d-secure/emv/answer-members.ts — members of ARes, challenge and result messages. ADR 84.
import {
  base64,
  checked,
  codes,
  codesTo,
  every,
  type Format,
  list,
  oneOf,
  oneThenList,
  text,
  UUID,
  url,
  YES_OR_NO,
} from './formats.ts'
import { EXTENSIONS, object, optional, required, requiredWhere, type Where } from './members.ts'
import { since, upTo } from './versions.ts'

const FROM_220 = since('2.2.0')
const FROM_231 = since('2.3.1')
const BEFORE_231 = upTo('2.2.0')

const IDS = { threeDSServerTransID: required(UUID), acsTransID: required(UUID), dsTransID: required(UUID) }

/** An ARes does not say whether it is about a payment; the request does. Unknown counts as one. */
const PAYMENT: Where = { messageCategory: ['', '01'] }
/** Where there is no authentication there is no value. Some issuers send one nevertheless. */
const NO_VALUE: Where = { transStatus: ['N', 'U', 'R', 'C', 'D'] }
/** In an app the address is in a signed part, which is not read. */
const CHALLENGED: Where = { transStatus: ['C'], acsSignedContent: [''] }

/** Authentication value: 20 bytes; from 2.3.1 on up to 4000 characters. */
const VALUE = base64(20, 4000)
/** Electronic commerce indicator. Some are letters and digits, such as N0. */
const ECI = checked(value => typeof value === 'string' && /^[\dA-Z]{2}$/.test(value))

const REASON = codes({ from: '01', to: { '2.1.0': '21', '2.2.0': '26', '2.3.1': '30' }, reserved: true })
const METHOD = codesTo('16', 'reserved')
const TYPE = codesTo('04', 'reserved')

const TRUST = {
  trustListStatus: optional(oneOf(every(['Y', 'N', 'E', 'P', 'R', 'U'] as const)), {
    versions: FROM_220,
    earlier: 'whiteListStatus',
  }),
  trustListStatusSource: requiredWhere(
    codesTo('03', 'reserved'),
    [{ whiteListStatus: ['*'] }, { trustListStatus: ['*'] }],
    { versions: FROM_220, earlier: 'whiteListStatusSource' },
  ),
}

/** Status in an ARes. S, a challenge by secure payment confirmation, is an answer to requests that we never make. */
const STATUS = oneOf({
  '2.1.0': ['Y', 'A', 'N', 'U', 'R', 'C'],
  '2.2.0': ['Y', 'A', 'N', 'U', 'R', 'C', 'D', 'I'],
  '2.3.1': ['Y', 'A', 'N', 'U', 'R', 'C', 'D', 'I'],
})

const NOTE = object({
  text: optional(text(128)),
  issuerImage: optional(
    object({ medium: optional(url(2048)), high: optional(url(2048)), extraHigh: optional(url(2048)) }),
  ),
  paymentSystemImage: optional(
    object({ medium: optional(url(2048)), high: optional(url(2048)), extraHigh: optional(url(2048)) }),
  ),
})

/** What the issuer tells the payer: a text, and an object around it in 2.3.1. */
const CARDHOLDER_INFO: typeof NOTE = {
  read: (value, place) =>
    place.version === '2.3.1' ? NOTE.read(value, place) : inObject(text(128).read(value, place)),
  write: (value, version) => (version === '2.3.1' ? NOTE.write(value, version) : value.text),
}

function inObject(note: string | undefined) {
  return note === undefined ? undefined : { text: note }
}

/** The answer to an AReq. */
export const ARES = {
  ...IDS,
  acsReferenceNumber: required(text(32)),
  dsReferenceNumber: required(text(32)),
  acsOperatorID: optional(text(32)),
  transStatus: requiredWhere(STATUS, [PAYMENT]),
  transStatusReason: requiredWhere(REASON, [{ ...PAYMENT, transStatus: ['N', 'U', 'R'] }]),
  transStatusReasonInfo: optional(text(256), { versions: FROM_231 }),
  authenticationValue: requiredWhere(VALUE, [{ messageCategory: ['01'], transStatus: ['Y', 'A'] }], {
    ignored: [NO_VALUE],
  }),
  eci: optional(ECI),
  acsChallengeMandated: requiredWhere(YES_OR_NO, [{ ...PAYMENT, transStatus: ['C'] }]),
  acsURL: requiredWhere(url(2048), [CHALLENGED]),
  authenticationType: requiredWhere(TYPE, [{ ...PAYMENT, transStatus: ['C', 'D'] }], { versions: BEFORE_231 }),
  authenticationMethod: optional(list(METHOD, 99), { versions: FROM_231 }),
  acsDecConInd: requiredWhere(YES_OR_NO, [{ transStatus: ['D'] }], { versions: FROM_220 }),
  cardholderInfo: optional(CARDHOLDER_INFO),
  ...TRUST,
  transChallengeExemption: optional(
    checked(value => ['05', '08', '10', '11', '79'].some(code => code === value)),
    {
      versions: FROM_231,
    },
  ),
  messageExtension: EXTENSIONS,
}

/** What the browser takes to the issuer's page. */
export const CREQ = {
  threeDSServerTransID: required(UUID),
  acsTransID: required(UUID),
  challengeWindowSize: optional(codesTo('05')),
  messageExtension: EXTENSIONS,
}

/** What the browser brings back. It decides nothing: the RReq does. */
export const CRES = {
  threeDSServerTransID: required(UUID),
  acsTransID: required(UUID),
  transStatus: required(YES_OR_NO),
  messageExtension: EXTENSIONS,
}

/** The result of a challenge, from the directory server. */
export const RREQ = {
  ...IDS,
  messageCategory: required(codesTo('02', 'reserved')),
  transStatus: requiredWhere(oneOf({ '2.1.0': ['Y', 'N', 'U', 'A', 'R'], ...later(['Y', 'N', 'U', 'A', 'R', 'I']) }), [
    { version: [...FROM_220] },
    { messageCategory: ['01'] },
  ]),
  transStatusReason: requiredWhere(REASON, [{ messageCategory: ['01'], transStatus: ['N', 'U', 'R'] }]),
  transStatusReasonInfo: optional(text(256), { versions: FROM_231 }),
  cardholderInfo: optional(CARDHOLDER_INFO, { versions: FROM_231 }),
  authenticationType: optional(TYPE, { versions: BEFORE_231 }),
  authenticationMethod: optional(oneThenList(METHOD, 99)),
  authenticationValue: requiredWhere(VALUE, [{ messageCategory: ['01'], transStatus: ['Y', 'A'] }], {
    ignored: [NO_VALUE],
  }),
  eci: optional(ECI),
  interactionCounter: optional(checked(value => typeof value === 'string' && /^\d\d$/.test(value))),
  challengeCancel: optional(codes({ from: '01', to: { '2.1.0': '08', '2.2.0': '08', '2.3.1': '10' }, reserved: true })),
  ...TRUST,
  messageExtension: EXTENSIONS,
}

/** That a result has arrived. */
export const RRES = {
  ...IDS,
  resultsStatus: required(codesTo('03', 'reserved')),
  messageExtension: EXTENSIONS,
}

function later<T>(letters: readonly T[]) {
  return { '2.2.0': letters, '2.3.1': letters }
}

const THREE_DIGITS: Format<string> = checked(value => typeof value === 'string' && /^\d{3}$/.test(value))

/** An error message. Empty descriptions are accepted: an Erro is never answered with an Erro. */
export const ERRO = {
  threeDSServerTransID: optional(UUID, { mayBeEmpty: true }),
  acsTransID: optional(UUID, { mayBeEmpty: true }),
  dsTransID: optional(UUID, { mayBeEmpty: true }),
  errorCode: required(THREE_DIGITS),
  errorComponent: required(oneOf(every(['C', 'S', 'D', 'A'] as const))),
  errorDescription: optional(text(2048), { mayBeEmpty: true }),
  errorDetail: optional(text(2048), { mayBeEmpty: true }),
  errorMessageType: optional(text(4), { mayBeEmpty: true }),
}
