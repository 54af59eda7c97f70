// src/peers/directory-server/schemas.ts — the messages that a directory server gets, by its own reading of the protocol. JSON Schema.

/** A message, as it is sent. */
export type Json = Readonly<Record<string, unknown>>

const UUID = { type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' }
/** Versions of the protocol that the peer speaks. */
export const VERSIONS = ['2.1.0', '2.2.0', '2.3.1']
/** Asks for card ranges. */
export const PREQ = {
  type: 'object',
  required: ['messageType', 'messageVersion', 'threeDSServerRefNumber', 'threeDSServerTransID'],
  properties: {
    messageType: { const: 'PReq' },
    messageVersion: { enum: VERSIONS },
    threeDSServerRefNumber: { type: 'string', minLength: 1, maxLength: 32 },
    threeDSServerOperatorID: { type: 'string', minLength: 1, maxLength: 32 },
    threeDSServerTransID: UUID,
    serialNum: { type: 'string', minLength: 1, maxLength: 20 },
  },
  additionalProperties: false,
}
/** Says what was wrong with an answer. */
export const ERRO = {
  type: 'object',
  required: ['messageType', 'messageVersion', 'errorCode', 'errorComponent', 'errorDescription', 'errorDetail'],
  properties: {
    messageType: { const: 'Erro' },
    messageVersion: { enum: VERSIONS },
    errorCode: { type: 'string', pattern: '^[0-9]{3}$' },
    errorComponent: { const: 'S' },
    errorDescription: { type: 'string', minLength: 1, maxLength: 2048 },
    errorDetail: { type: 'string', minLength: 1, maxLength: 2048 },
    errorMessageType: { enum: ['PRes', 'ARes'] },
    threeDSServerTransID: UUID,
  },
  additionalProperties: false,
}

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength })
const digits = (least: number, most = least) => ({ type: 'string', pattern: `^[0-9]{${least},${most}}$` })
const HTTPS = { type: 'string', pattern: '^https://' }
/** Asks to authenticate a payment in a browser with scripts. */
export const AREQ = {
  type: 'object',
  required: [
    ...['messageType', 'messageVersion', 'messageCategory', 'deviceChannel', 'threeDSServerTransID', 'acctNumber'],
    ...['threeDSServerRefNumber', 'threeDSServerURL', 'threeDSRequestorID', 'threeDSRequestorName', 'mcc'],
    ...['threeDSRequestorURL', 'acquirerBIN', 'acquirerMerchantID', 'merchantCountryCode', 'merchantName'],
    ...['threeDSRequestorAuthenticationInd', 'notificationURL', 'threeDSCompInd', 'browserAcceptHeader'],
    ...['browserUserAgent', 'browserJavaEnabled', 'browserLanguage', 'browserColorDepth', 'browserScreenHeight'],
    ...['browserScreenWidth', 'browserTZ', 'purchaseAmount', 'purchaseCurrency', 'purchaseExponent', 'purchaseDate'],
  ],
  properties: {
    messageType: { const: 'AReq' },
    messageVersion: { enum: VERSIONS },
    messageCategory: { const: '01' },
    deviceChannel: { const: '02' },
    threeDSServerTransID: UUID,
    acctNumber: digits(13, 19),
    cardExpiryDate: digits(4),
    cardholderName: { type: 'string', pattern: '^[ -~]{2,45}$' },
    threeDSServerRefNumber: text(32),
    threeDSServerOperatorID: text(32),
    threeDSServerURL: HTTPS,
    notificationURL: { ...HTTPS, maxLength: 256 },
    threeDSRequestorID: text(35),
    threeDSRequestorName: text(40),
    threeDSRequestorURL: { type: 'string', pattern: '^https?://' },
    threeDSRequestorAuthenticationInd: { const: '01' },
    threeDSRequestorChallengeInd: {},
    acquirerBIN: digits(1, 11),
    acquirerMerchantID: text(35),
    acquirerCountryCode: digits(3),
    acquirerCountryCodeSource: { enum: ['01', '02'] },
    mcc: digits(4),
    merchantCountryCode: digits(3),
    merchantName: text(40),
    threeDSCompInd: { enum: ['Y', 'N', 'U'] },
    browserAcceptHeader: text(2048),
    browserUserAgent: text(2048),
    browserIP: text(45),
    browserJavascriptEnabled: { const: true },
    browserJavaEnabled: { type: 'boolean' },
    browserLanguage: text(8),
    acceptLanguage: { type: 'array', minItems: 1, items: text(100) },
    browserColorDepth: { enum: ['1', '4', '8', '15', '16', '24', '32', '48'] },
    browserScreenHeight: digits(1, 6),
    browserScreenWidth: digits(1, 6),
    browserTZ: { type: 'string', pattern: '^-?[0-9]{1,4}$' },
    email: { type: 'string', pattern: '^[^@]+@[^@]+$' },
    billAddrLine1: text(50),
    billAddrCity: text(50),
    billAddrPostCode: text(16),
    billAddrCountry: digits(3),
    purchaseAmount: digits(1, 48),
    purchaseCurrency: digits(3),
    purchaseExponent: digits(1),
    purchaseDate: digits(14),
  },
  allOf: [
    {
      if: { properties: { messageVersion: { const: '2.3.1' } } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: {
        required: ['acceptLanguage', 'acquirerCountryCode', 'browserJavascriptEnabled'],
        properties: { threeDSRequestorChallengeInd: { type: 'array', maxItems: 2 } },
      },
      else: {
        not: { anyOf: [{ required: ['acceptLanguage'] }, { required: ['acquirerCountryCode'] }] },
        properties: { threeDSRequestorChallengeInd: { type: 'string' } },
      },
    },
    {
      if: { properties: { messageVersion: { const: '2.1.0' } } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: {
        not: { required: ['browserJavascriptEnabled'] },
        properties: { threeDSRequestorChallengeInd: { enum: ['01', '02', '03', '04'] } },
      },
      else: { required: ['browserJavascriptEnabled'] },
    },
  ],
  additionalProperties: false,
}

/** Names of members that only a request with a browser has. */
const OF_BROWSER = [
  ...['threeDSRequestorAuthenticationInd', 'threeDSRequestorChallengeInd', 'notificationURL', 'threeDSCompInd'],
  ...['acceptLanguage', 'browserAcceptHeader', 'browserUserAgent', 'browserIP', 'browserJavascriptEnabled'],
  ...['browserJavaEnabled', 'browserLanguage', 'browserColorDepth', 'browserScreenHeight', 'browserScreenWidth'],
  'browserTZ',
]
const PRIOR = {
  type: 'object',
  required: ['threeDSReqPriorAuthMethod', 'threeDSReqPriorAuthTimestamp', 'threeDSReqPriorRef'],
  properties: {
    threeDSReqPriorAuthMethod: { enum: ['01', '02', '03', '04'] },
    threeDSReqPriorAuthTimestamp: digits(12),
    threeDSReqPriorRef: text(36),
  },
  additionalProperties: false,
}
/** Asks to authenticate a payment without the payer, after an earlier authentication (3RI). */
export const AREQ_LATER = {
  type: 'object',
  required: [
    ...AREQ.required.filter(name => !OF_BROWSER.includes(name)),
    ...['threeRIInd', 'threeDSRequestorPriorAuthenticationInfo'],
  ],
  properties: {
    ...Object.fromEntries(Object.entries(AREQ.properties).filter(([name]) => !OF_BROWSER.includes(name))),
    deviceChannel: { const: '03' },
    threeRIInd: { enum: ['01', '06', '11'] },
    threeDSRequestorPriorAuthenticationInfo: {},
    recurringExpiry: digits(8),
    recurringFrequency: digits(1, 4),
    recurringInd: {
      type: 'object',
      required: ['amountInd', 'frequencyInd'],
      properties: { amountInd: { enum: ['01', '02'] }, frequencyInd: { enum: ['01', '02'] } },
      additionalProperties: false,
    },
  },
  allOf: [
    {
      if: { properties: { messageVersion: { const: '2.3.1' } } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: {
        required: ['acquirerCountryCode'],
        properties: {
          threeDSRequestorPriorAuthenticationInfo: { type: 'array', minItems: 1, maxItems: 3, items: PRIOR },
        },
      },
      else: {
        not: { anyOf: [{ required: ['acquirerCountryCode'] }, { required: ['recurringInd'] }] },
        properties: { threeDSRequestorPriorAuthenticationInfo: PRIOR },
      },
    },
    {
      if: { properties: { threeRIInd: { const: '01' } } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: {
        if: { properties: { messageVersion: { const: '2.3.1' } } },
        // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
        then: { required: ['recurringInd'] },
        else: { required: ['recurringExpiry', 'recurringFrequency'] },
      },
      else: { properties: { messageVersion: { enum: ['2.2.0', '2.3.1'] } } },
    },
  ],
  additionalProperties: false,
}

/** Takes the payer to the issuer's page. */
export const CREQ = {
  type: 'object',
  required: ['messageType', 'messageVersion', 'threeDSServerTransID', 'acsTransID'],
  properties: {
    messageType: { const: 'CReq' },
    messageVersion: { enum: VERSIONS },
    threeDSServerTransID: UUID,
    acsTransID: UUID,
    challengeWindowSize: { enum: ['01', '02', '03', '04', '05'] },
  },
  additionalProperties: false,
}

/** Starts the collection of device data. */
export const METHOD_DATA = {
  type: 'object',
  required: ['threeDSServerTransID', 'threeDSMethodNotificationURL'],
  properties: { threeDSServerTransID: UUID, threeDSMethodNotificationURL: { ...HTTPS, maxLength: 256 } },
  additionalProperties: false,
}

/** Confirms a result. */
export const RRES = {
  type: 'object',
  required: ['messageType', 'messageVersion', 'threeDSServerTransID', 'acsTransID', 'dsTransID', 'resultsStatus'],
  properties: {
    messageType: { const: 'RRes' },
    messageVersion: { enum: VERSIONS },
    threeDSServerTransID: UUID,
    acsTransID: UUID,
    dsTransID: UUID,
    resultsStatus: { enum: ['01', '02', '03'] },
  },
  additionalProperties: false,
}
