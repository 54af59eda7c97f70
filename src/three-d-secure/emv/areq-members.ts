// src/three-d-secure/emv/areq-members.ts — members of the AReq, and when each must be present. ADR 84.
import { currencyOf } from '../../domain/currency.ts'
import {
  BOOLEAN,
  checked,
  codes,
  codesTo,
  digits,
  every,
  isoCode,
  list,
  moment,
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

const PAYMENT: Where = { messageCategory: ['01'] }
const BROWSER: Where = { deviceChannel: ['02'] }
const REQUESTOR_INITIATED: Where = { deviceChannel: ['03'] }
/** Of the browser, and so never present when the payer is absent. */
const OF_BROWSER = { ignored: [REQUESTOR_INITIATED] }
/** Not known without the payer before 2.3.1. */
const OF_BROWSER_BEFORE_231 = { ignored: [{ ...REQUESTOR_INITIATED, version: [...BEFORE_231] }] }

/** Authentications that are about an amount. */
const WITH_AMOUNT: readonly Where[] = [
  PAYMENT,
  { threeDSRequestorAuthenticationInd: ['02', '03'] },
  { threeDSRequestorAuthenticationInd: ['07', '08', '09'], version: ['2.3.1'] },
  { threeRIInd: ['01', '02', '06', '07', '08', '09', '11'] },
  { threeRIInd: ['15'], version: ['2.3.1'] },
]
const RECURRING: readonly Where[] = [{ threeDSRequestorAuthenticationInd: ['02', '03'] }, { threeRIInd: ['01', '02'] }]
const RECURRING_BEFORE_231 = RECURRING.map(where => ({ ...where, version: [...BEFORE_231] }))
const RECURRING_FROM_231 = RECURRING.map(where => ({ ...where, version: ['2.3.1'] }))
const FIXED_AMOUNT = RECURRING_FROM_231.map(where => ({ ...where, 'recurringInd.amountInd': ['01'] }))
const FIXED_FREQUENCY = RECURRING_FROM_231.map(where => ({ ...where, 'recurringInd.frequencyInd': ['01'] }))

/** Fields of the browser: always in 2.1, later where its scripts run. */
const WITH_SCRIPTS: readonly Where[] = [
  { deviceChannel: ['02'], version: ['2.1.0'] },
  { deviceChannel: ['02'], browserJavascriptEnabled: ['true'] },
]

/** Currency of a purchase: no metal, test code or unit of account (955 to 964, 999), none of which the table has. */
const CURRENCY = isoCode(code => currencyOf(code) !== null)
const COUNTRY = digits(3, 3)
/** The merchant's own site, which nobody calls, may be without TLS. */
const WEB_SITE = text(2048, /^https?:\/\/[^\s\\]+$/i)
const AMOUNT = digits(48)
/** Colour depths of the specification. */
const COLOUR_DEPTHS = ['1', '4', '8', '15', '16', '24', '32', '48']

/** Why the requestor wants a challenge, or none. Lower versions get the nearest wish that they know. */
const CHALLENGE_WISH = codes({
  from: '01',
  to: { '2.1.0': '04', '2.2.0': '09', '2.3.1': '14' },
  reserved: true,
  lower: {
    '2.1.0': {
      ...{ '05': '02', '06': '02', '07': '02', '08': '02', '09': '01', '10': '02', '11': '02' },
      ...{ '12': '03', '13': '03', '14': '02' },
    },
    '2.2.0': { '10': '02', '11': '02', '12': '03', '13': '03', '14': '02' },
  },
})

/** What is authenticated. What a lower version does not know is a payment there. */
const AUTHENTICATION_KIND = codes({
  from: '01',
  to: { '2.1.0': '06', '2.2.0': '07', '2.3.1': '10' },
  reserved: true,
  lower: {
    '2.1.0': { '07': '01', '08': '01', '09': '01', '10': '01' },
    '2.2.0': { '08': '01', '09': '01', '10': '01' },
  },
})

const PHONE = object({ cc: required(digits(3)), subscriber: required(digits(15)) })

/** What the requestor knows of the payer's account. */
const ACCOUNT_INFO = object({
  chAccAgeInd: optional(codesTo('05')),
  chAccChange: optional(moment(8)),
  chAccChangeInd: optional(codesTo('04')),
  chAccDate: optional(moment(8)),
  chAccPwChange: optional(moment(8)),
  chAccPwChangeInd: optional(codesTo('05')),
  nbPurchaseAccount: optional(digits(4)),
  paymentAccAge: optional(moment(8)),
  paymentAccInd: optional(codesTo('05')),
  provisionAttemptsDay: optional(digits(3)),
  shipAddressUsage: optional(moment(8)),
  shipAddressUsageInd: optional(codesTo('04')),
  shipNameIndicator: optional(codesTo('02')),
  suspiciousAccActivity: optional(codesTo('02')),
  txnActivityDay: optional(digits(3)),
  txnActivityYear: optional(digits(3)),
})

const MERCHANT_RISK = object({
  deliveryEmailAddress: optional(text(254)),
  deliveryTimeframe: optional(codesTo('04')),
  giftCardAmount: optional(digits(15)),
  giftCardCount: optional(digits(2, 2)),
  giftCardCurr: optional(CURRENCY),
  preOrderDate: optional(moment(8)),
  preOrderPurchaseInd: optional(codesTo('02')),
  reorderItemsInd: optional(codesTo('02')),
  shipIndicator: optional(codes({ from: '01', to: { '2.1.0': '07', '2.2.0': '07', '2.3.1': '09' } })),
})

const AUTHENTICATION_INFO = object({
  threeDSReqAuthData: optional(text(20_000)),
  threeDSReqAuthMethod: optional(
    codes({ from: '01', to: { '2.1.0': '06', '2.2.0': '08', '2.3.1': '10' }, reserved: true }),
  ),
  threeDSReqAuthTimestamp: optional(moment(12)),
})

const PRIOR_AUTHENTICATION_INFO = object({
  threeDSReqPriorAuthData: optional(text(2048)),
  threeDSReqPriorAuthMethod: optional(codesTo('04', 'reserved')),
  threeDSReqPriorAuthTimestamp: optional(moment(12)),
  threeDSReqPriorRef: optional(text(36)),
})

/** Who asks, for whom, and where the result goes. */
const PARTIES = {
  threeDSServerTransID: required(UUID),
  messageCategory: required(codesTo('02', 'reserved')),
  deviceChannel: required(codesTo('03')),
  threeDSServerRefNumber: required(text(32)),
  threeDSServerOperatorID: optional(text(32)),
  threeDSServerURL: required(url(2048)),
  threeDSRequestorID: required(text(35)),
  threeDSRequestorName: required(text(40)),
  threeDSRequestorURL: required(WEB_SITE),
  acquirerBIN: requiredWhere(digits(11), [PAYMENT]),
  acquirerMerchantID: requiredWhere(text(35), [PAYMENT]),
  acquirerCountryCode: requiredWhere(COUNTRY, [PAYMENT, REQUESTOR_INITIATED], { versions: FROM_231 }),
  acquirerCountryCodeSource: requiredWhere(codesTo('02', 'reserved'), [{ acquirerCountryCode: ['*'] }], {
    versions: FROM_231,
  }),
  mcc: requiredWhere(digits(4, 4), [PAYMENT]),
  merchantCountryCode: requiredWhere(COUNTRY, [PAYMENT]),
  merchantName: requiredWhere(text(40), [PAYMENT]),
  notificationURL: requiredWhere(url(256), [BROWSER], OF_BROWSER),
  messageExtension: EXTENSIONS,
}

const BROWSER_DATA = {
  threeDSCompInd: requiredWhere(oneOf(every(['Y', 'N', 'U'] as const)), [BROWSER], OF_BROWSER),
  acceptLanguage: requiredWhere(list(text(100), 99), [BROWSER], { ...OF_BROWSER, versions: FROM_231 }),
  browserAcceptHeader: requiredWhere(text(2048), [BROWSER], OF_BROWSER),
  browserUserAgent: requiredWhere(text(2048), [BROWSER], OF_BROWSER),
  browserIP: optional(text(45, /^[\da-f.:]+$/i), OF_BROWSER),
  browserJavascriptEnabled: requiredWhere(BOOLEAN, [BROWSER], { ...OF_BROWSER, versions: FROM_220 }),
  browserJavaEnabled: requiredWhere(BOOLEAN, WITH_SCRIPTS, OF_BROWSER),
  browserLanguage: requiredWhere(
    text(8),
    [
      { ...BROWSER, version: [...BEFORE_231] },
      { ...BROWSER, browserJavascriptEnabled: ['true'] },
    ],
    OF_BROWSER,
  ),
  browserColorDepth: requiredWhere(
    checked(value => COLOUR_DEPTHS.some(depth => depth === value)),
    WITH_SCRIPTS,
    OF_BROWSER,
  ),
  browserScreenHeight: requiredWhere(digits(6), WITH_SCRIPTS, OF_BROWSER),
  browserScreenWidth: requiredWhere(digits(6), WITH_SCRIPTS, OF_BROWSER),
  browserTZ: requiredWhere(text(5, /^-?\d{1,4}$/), WITH_SCRIPTS, OF_BROWSER),
}

const CARD_AND_PAYER = {
  acctNumber: required(digits(19, 13)),
  cardExpiryDate: optional(text(4, /^\d\d(0[1-9]|1[0-2])$/)),
  acctType: optional(codesTo('03', 'reserved')),
  acctID: optional(text(64)),
  acctInfo: optional(ACCOUNT_INFO),
  payTokenInd: optional(checked<true>(value => value === true)),
  payTokenSource: requiredWhere(codesTo('02', 'reserved'), [{ payTokenInd: ['true'], version: [...FROM_220] }], {
    versions: FROM_220,
  }),
  cardholderName: optional(text(45, /^[\x20-\x7e]+$/, 2)),
  email: optional(text(254, /^[^\s@]+@[^\s@]+$/)),
  homePhone: optional(PHONE),
  mobilePhone: optional(PHONE),
  workPhone: optional(PHONE),
  ...address('bill'),
  ...address('ship'),
  addrMatch: optional(YES_OR_NO, OF_BROWSER),
}

const PURCHASE = {
  purchaseAmount: requiredWhere(AMOUNT, WITH_AMOUNT),
  purchaseCurrency: requiredWhere(CURRENCY, WITH_AMOUNT),
  purchaseExponent: requiredWhere(digits(1), WITH_AMOUNT),
  purchaseDate: requiredWhere(moment(14), WITH_AMOUNT),
  recurringExpiry: requiredWhere(moment(8), RECURRING_BEFORE_231),
  recurringFrequency: requiredWhere(digits(4), [...RECURRING_BEFORE_231, ...FIXED_FREQUENCY]),
  recurringInd: requiredWhere(
    object({ amountInd: required(codesTo('02')), frequencyInd: required(codesTo('02')) }),
    RECURRING_FROM_231,
    { versions: FROM_231 },
  ),
  recurringAmount: requiredWhere(AMOUNT, FIXED_AMOUNT, { versions: FROM_231 }),
  recurringCurrency: requiredWhere(CURRENCY, [{ recurringAmount: ['*'] }], { versions: FROM_231 }),
  recurringExponent: requiredWhere(digits(1), [{ recurringAmount: ['*'] }], { versions: FROM_231 }),
  recurringDate: requiredWhere(moment(8), FIXED_FREQUENCY, { versions: FROM_231 }),
  purchaseInstalData: requiredWhere(text(3, /^(?!0*1?$)\d+$/), [
    { threeDSRequestorAuthenticationInd: ['03'] },
    { threeRIInd: ['02'] },
  ]),
  transType: optional(checked(value => ['01', '03', '10', '11', '28'].some(type => type === value))),
}

const TRUST = oneOf(every(['Y', 'N', 'E', 'P', 'R', 'U'] as const))

const WISHES = {
  threeDSRequestorAuthenticationInd: requiredWhere(AUTHENTICATION_KIND, [BROWSER], { ignored: [REQUESTOR_INITIATED] }),
  threeRIInd: requiredWhere(
    codes({ from: '01', to: { '2.1.0': '05', '2.2.0': '12', '2.3.1': '19' }, reserved: true }),
    [REQUESTOR_INITIATED],
    { ignored: [BROWSER] },
  ),
  threeDSRequestorChallengeInd: optional(oneThenList(CHALLENGE_WISH, 2), OF_BROWSER_BEFORE_231),
  threeDSRequestorAuthenticationInfo: optional(oneThenList(AUTHENTICATION_INFO, 3), OF_BROWSER_BEFORE_231),
  threeDSRequestorPriorAuthenticationInfo: optional(oneThenList(PRIOR_AUTHENTICATION_INFO, 3)),
  threeDSRequestorDecReqInd: optional(oneOf({ '2.1.0': [], '2.2.0': ['Y', 'N'], '2.3.1': ['Y', 'N', 'F', 'B'] }), {
    versions: FROM_220,
  }),
  threeDSRequestorDecMaxTime: requiredWhere(
    checked(value => typeof value === 'string' && /^\d{5}$/.test(value) && value >= '00001' && value <= '10080'),
    [{ threeDSRequestorDecReqInd: ['Y', 'F', 'B'] }],
    { versions: FROM_220 },
  ),
  trustListStatus: optional(TRUST, { versions: FROM_220, earlier: 'whiteListStatus' }),
  trustListStatusSource: requiredWhere(
    codesTo('03', 'reserved'),
    [{ whiteListStatus: ['*'] }, { trustListStatus: ['*'] }],
    { versions: FROM_220, earlier: 'whiteListStatusSource' },
  ),
  merchantRiskIndicator: optional(MERCHANT_RISK),
}

/** The request for an authentication. Members of the app channel are not read. */
export const AREQ = { ...PARTIES, ...BROWSER_DATA, ...CARD_AND_PAYER, ...PURCHASE, ...WISHES }

/** Address for the bill or the delivery. A state is the part of its ISO 3166-2 code behind the country. */
function address<Kind extends 'bill' | 'ship'>(kind: Kind) {
  const line = optional(text(50))
  const country = requiredWhere(COUNTRY, [{ [`${kind}AddrState`]: ['*'] }])
  const rows = {
    City: line,
    Country: country,
    Line1: line,
    Line2: line,
    Line3: line,
    PostCode: optional(text(16)),
    State: optional(text(3)),
  }
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [`${kind}Addr${name}`, row])) as {
    readonly [Name in keyof typeof rows as `${Kind}Addr${Name}`]: (typeof rows)[Name]
  }
}
