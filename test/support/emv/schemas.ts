// test/support/emv/schemas.ts — JSON Schemas of the messages that the gateway sends, written apart from its codec.
import { Ajv, type ValidateFunction } from 'ajv'
import type { Version } from '../../../src/three-d-secure/emv/versions.ts'

const UUID = { type: 'string', pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' }
const HTTPS = { type: 'string', pattern: '^https://' }
const string = (maxLength: number, minLength = 1) => ({ type: 'string', minLength, maxLength })
const digits = (least: number, most = least) => ({ type: 'string', pattern: `^[0-9]{${least},${most}}$` })
const oneOf = (...values: readonly string[]) => ({ enum: values })
const codes = (last: number) => ({
  enum: [...Array.from({ length: last }, (_, index) => String(index + 1).padStart(2, '0')), ...dsCodes()],
})
const BROWSER_MEMBERS = [
  ...['threeDSCompInd', 'browserAcceptHeader', 'browserUserAgent', 'browserIP', 'browserJavascriptEnabled'],
  ...['browserJavaEnabled', 'browserLanguage', 'browserColorDepth', 'browserScreenHeight', 'browserScreenWidth'],
  ...['browserTZ', 'acceptLanguage', 'notificationURL', 'threeDSRequestorAuthenticationInd'],
]
const SCRIPT_MEMBERS = [
  'browserJavaEnabled',
  'browserColorDepth',
  'browserScreenHeight',
  'browserScreenWidth',
  'browserTZ',
]

/** Members that came with 2.2 and with 2.3.1; those that 2.3.1 renamed. */
const SINCE_220 = ['browserJavascriptEnabled', 'threeDSRequestorDecReqInd', 'whiteListStatus', 'whiteListStatusSource']
const SINCE_231 = [
  'acceptLanguage',
  'acquirerCountryCode',
  'acquirerCountryCodeSource',
  'recurringInd',
  'trustListStatus',
]
const ACQUIRER_COUNTRY = ['acquirerCountryCode', 'acquirerCountryCodeSource']
const GONE_IN_231 = ['whiteListStatus', 'whiteListStatusSource']

function dsCodes(): readonly string[] {
  return Array.from({ length: 20 }, (_, index) => String(80 + index))
}

function absent(names: readonly string[]) {
  return { not: { anyOf: names.map(name => ({ required: [name] })) } }
}

function when(members: Readonly<Record<string, readonly unknown[]>>, then: object) {
  const properties = Object.fromEntries(Object.entries(members).map(([name, values]) => [name, { enum: values }]))
  return { if: { properties, required: Object.keys(members) }, then }
}

function wishes(version: Version) {
  const last = { '2.1.0': 4, '2.2.0': 9, '2.3.1': 14 }[version]
  return version === '2.3.1' ? { type: 'array', items: codes(last), minItems: 1, maxItems: 2 } : codes(last)
}

function priorInfo(version: Version) {
  const info = { type: 'object', minProperties: 1 }
  return version === '2.3.1' ? { type: 'array', items: info, minItems: 1, maxItems: 3 } : info
}

function areq(version: Version) {
  const early = version === '2.1.0'
  return {
    type: 'object',
    required: [
      ...['messageType', 'messageVersion', 'messageCategory', 'deviceChannel', 'threeDSServerTransID', 'acctNumber'],
      ...[
        'threeDSServerRefNumber',
        'threeDSServerURL',
        'threeDSRequestorID',
        'threeDSRequestorName',
        'threeDSRequestorURL',
      ],
    ],
    properties: {
      messageType: { const: 'AReq' },
      messageVersion: { const: version },
      messageCategory: { enum: ['01', '02', ...dsCodes()] },
      deviceChannel: oneOf('01', '02', '03'),
      threeDSServerTransID: UUID,
      threeDSServerRefNumber: string(32),
      threeDSServerOperatorID: string(32),
      threeDSServerURL: HTTPS,
      threeDSRequestorID: string(35),
      threeDSRequestorName: string(40),
      acquirerBIN: digits(1, 11),
      acquirerMerchantID: string(35),
      mcc: digits(4),
      merchantCountryCode: digits(3),
      merchantName: string(40),
      notificationURL: { ...HTTPS, maxLength: 256 },
      threeDSCompInd: oneOf('Y', 'N', 'U'),
      browserJavascriptEnabled: { type: 'boolean' },
      browserJavaEnabled: { type: 'boolean' },
      browserLanguage: string(8),
      browserColorDepth: oneOf('1', '4', '8', '15', '16', '24', '32', '48'),
      browserScreenHeight: digits(1, 6),
      browserScreenWidth: digits(1, 6),
      browserTZ: { type: 'string', pattern: '^-?[0-9]{1,4}$' },
      browserAcceptHeader: string(2048),
      browserUserAgent: string(2048),
      acctNumber: digits(13, 19),
      cardExpiryDate: { type: 'string', pattern: '^[0-9]{2}(0[1-9]|1[0-2])$' },
      cardholderName: string(45, 2),
      email: string(254),
      purchaseAmount: digits(1, 48),
      purchaseCurrency: {
        ...digits(3),
        not: { enum: ['955', '956', '957', '958', '959', '960', '961', '962', '963', '964', '999'] },
      },
      purchaseExponent: digits(1),
      purchaseDate: digits(14),
      threeDSRequestorChallengeInd: wishes(version),
      threeDSRequestorPriorAuthenticationInfo: priorInfo(version),
      threeDSRequestorAuthenticationInd: codes({ '2.1.0': 6, '2.2.0': 7, '2.3.1': 10 }[version]),
      threeRIInd: codes({ '2.1.0': 5, '2.2.0': 12, '2.3.1': 19 }[version]),
      messageExtension: { type: 'array', minItems: 1, maxItems: version === '2.3.1' ? 15 : 10 },
    },
    allOf: [
      when(
        { messageCategory: ['01'] },
        {
          required: [
            'acquirerBIN',
            'acquirerMerchantID',
            'mcc',
            'merchantCountryCode',
            'merchantName',
            'purchaseAmount',
            'purchaseCurrency',
            'purchaseExponent',
            'purchaseDate',
          ],
        },
      ),
      when(
        { deviceChannel: ['02'] },
        {
          required: [
            'threeDSCompInd',
            'browserAcceptHeader',
            'browserUserAgent',
            'notificationURL',
            'threeDSRequestorAuthenticationInd',
          ],
          ...absent(['threeRIInd']),
        },
      ),
      when(
        { deviceChannel: ['02'] },
        {
          required: early
            ? [...SCRIPT_MEMBERS, 'browserLanguage']
            : ['browserJavascriptEnabled', version === '2.3.1' ? 'acceptLanguage' : 'browserLanguage'],
        },
      ),
      when({ browserJavascriptEnabled: [true] }, { required: [...SCRIPT_MEMBERS, 'browserLanguage'] }),
      when({ deviceChannel: ['03'] }, { required: ['threeRIInd'], ...absent(BROWSER_MEMBERS) }),
      ...(version === '2.3.1' ? [when({ messageCategory: ['01'] }, { required: ACQUIRER_COUNTRY })] : []),
      ...(early ? [absent(SINCE_220)] : []),
      ...(version === '2.3.1' ? [absent(GONE_IN_231)] : [absent(SINCE_231)]),
    ],
  }
}

const ajv = new Ajv({ allowUnionTypes: true, strictRequired: false, strictTypes: false })

/** Validates an AReq of a version. */
export const AREQ_SCHEMAS: Readonly<Record<Version, ValidateFunction>> = {
  '2.1.0': ajv.compile(areq('2.1.0')),
  '2.2.0': ajv.compile(areq('2.2.0')),
  '2.3.1': ajv.compile(areq('2.3.1')),
}
