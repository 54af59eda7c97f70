// test/support/emv/messages.ts — makes any message of the model for properties, and says which members a version lacks.
import fc from 'fast-check'
import type { Message, MessageType } from '../../../src/three-d-secure/emv/codec.ts'
import type { Version } from '../../../src/three-d-secure/emv/versions.ts'

const text = (longest: number) => fc.stringMatching(new RegExp(`^[A-Za-z0-9 .ÄÖé-]{1,${Math.min(longest, 20)}}$`))
const number = (shortest: number, longest: number) => fc.stringMatching(new RegExp(`^\\d{${shortest},${longest}}$`))
const code = (...codes: readonly string[]) => fc.constantFrom(...codes)
const uuid = fc.uuid()
const url = fc.stringMatching(/^[a-z]{1,8}$/).map(word => `https://${word}.example/${word}`)
const day = fc
  .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
  .map(date => date.toISOString().replace(/\D/g, ''))
const value = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(bytes => Buffer.from(bytes).toString('base64'))

const ids = { threeDSServerTransID: uuid, acsTransID: uuid, dsTransID: uuid }

const extension = fc.record({
  name: text(64),
  id: text(64),
  criticalityIndicator: fc.boolean(),
  data: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.integer(), { minKeys: 1, maxKeys: 3 }),
})
const extensions = fc.array(extension, { minLength: 1, maxLength: 10 })

/** Members of all AReqs. Codes are those that every version has; others have tests of their own. */
const parties = {
  threeDSServerTransID: uuid,
  threeDSServerRefNumber: text(32),
  threeDSServerURL: url,
  threeDSRequestorID: text(35),
  threeDSRequestorName: text(40),
  threeDSRequestorURL: url,
  acquirerBIN: number(1, 11),
  acquirerMerchantID: text(35),
  mcc: number(4, 4),
  merchantCountryCode: number(3, 3),
  merchantName: text(40),
  acctNumber: number(13, 19),
  purchaseAmount: number(1, 48),
  purchaseCurrency: code('978', '392', '048', '826'),
  purchaseExponent: number(1, 1),
  acquirerCountryCode: number(3, 3),
  acquirerCountryCodeSource: code('01', '02'),
  purchaseDate: day.map(digits => digits.slice(0, 14)),
}
const wishes = {
  threeDSServerOperatorID: text(32),
  cardExpiryDate: code('2612', '3001'),
  acctType: code('01', '02', '03'),
  acctInfo: fc.record({ chAccAgeInd: code('01', '05'), chAccDate: day.map(digits => digits.slice(0, 8)) }),
  cardholderName: fc.stringMatching(/^[A-Za-z .'-]{2,45}$/),
  email: fc.stringMatching(/^[a-z]{1,9}$/).map(name => `${name}@shop.example`),
  mobilePhone: fc.record({ cc: number(1, 3), subscriber: number(1, 15) }),
  billAddrCity: text(50),
  billAddrCountry: number(3, 3),
  billAddrPostCode: text(16),
  shipAddrLine1: text(50),
  transType: code('01', '28'),
  threeDSRequestorPriorAuthenticationInfo: fc
    .record({ threeDSReqPriorAuthMethod: code('01', '02') })
    .map(each => [each]),
  merchantRiskIndicator: fc.record({ shipIndicator: code('01', '07'), giftCardCount: number(2, 2) }),
  trustListStatus: code('Y', 'N'),
  trustListStatusSource: code('01', '02'),
  messageExtension: extensions,
}
const browser = {
  addrMatch: code('Y', 'N'),
  threeDSRequestorChallengeInd: code('01', '02', '03', '04').map(each => [each]),
  threeDSCompInd: code('Y', 'N', 'U'),
  acceptLanguage: fc.array(code('en', 'de-CH'), { minLength: 1, maxLength: 3 }),
  browserAcceptHeader: text(2048),
  browserUserAgent: text(2048),
  browserJavascriptEnabled: fc.boolean(),
  browserJavaEnabled: fc.boolean(),
  browserLanguage: code('en', 'zh-Hant'),
  browserColorDepth: code('1', '24', '48'),
  browserScreenHeight: number(1, 6),
  browserScreenWidth: number(1, 6),
  browserTZ: code('-60', '0', '300'),
  notificationURL: url,
  threeDSRequestorAuthenticationInd: code('01', '04'),
}

const all = <T>(model: { readonly [Name in keyof T]: fc.Arbitrary<T[Name]> }) => fc.record(model)
const some = <T>(model: { readonly [Name in keyof T]: fc.Arbitrary<T[Name]> }) => fc.record(model, { requiredKeys: [] })

/** A message of parts, as plain objects: some of the generated ones have no prototype. */
function joined(messageType: MessageType, ...parts: readonly fc.Arbitrary<object>[]): fc.Arbitrary<Message> {
  return fc
    .tuple(...parts)
    .map(objects => JSON.parse(JSON.stringify(Object.assign({ messageType }, ...objects))) as Message)
}

const trust = some({ trustListStatus: code('Y', 'E'), messageExtension: extensions }).map(each =>
  each.trustListStatus === undefined ? each : { ...each, trustListStatusSource: '03' },
)

/** A range in each of the shapes: one span, versions without a gap, the same method and abilities in all of them. */
const range = fc
  .record({
    start: number(16, 16),
    method: fc.option(url, { nil: undefined }),
    action: fc.option(code('A', 'M', 'D'), { nil: undefined }),
    versions: fc.constantFrom(['2.1.0'], ['2.1.0', '2.2.0'], ['2.2.0', '2.3.1']),
  })
  .map(({ start, method, action, versions }) => ({
    ranges: [{ startRange: start, endRange: start }],
    ...(action && { actionInd: action }),
    acsProtocolVersions: versions.map(version => ({ version, ...(method && { threeDSMethodURL: method }) })),
  }))

/** Any AReq that the gateway builds, from a browser. */
export const BROWSER_AREQ = joined(
  'AReq',
  fc.constant({ deviceChannel: '02', messageCategory: '01' }),
  all(parties),
  all(browser),
  some(wishes).map(complete),
)

/** Any AReq without the payer. */
export const REQUESTOR_INITIATED_AREQ = joined(
  'AReq',
  fc.constant({ deviceChannel: '03', messageCategory: '01' }),
  all({ ...parties, threeRIInd: code('03', '05') }),
  some(wishes).map(complete),
)

/** A source belongs to its status. */
function complete<T extends object>(wish: T): object {
  const { trustListStatusSource, ...rest } = wish as Record<string, unknown>
  return { ...rest, ...('trustListStatus' in rest && { trustListStatusSource: trustListStatusSource ?? '01' }) }
}

export const ANY_MESSAGE: fc.Arbitrary<Message> = fc.oneof(
  BROWSER_AREQ,
  REQUESTOR_INITIATED_AREQ,
  joined('PReq', all({ threeDSServerTransID: uuid, threeDSServerRefNumber: text(32) }), some({ serialNum: text(20) })),
  joined(
    'ARes',
    all({ ...ids, acsReferenceNumber: text(32), dsReferenceNumber: text(32), authenticationValue: value }),
    trust,
    some({ eci: code('05', 'N0') }),
    fc.constant({ transStatus: 'Y' }),
  ),
  joined(
    'ARes',
    all({ ...ids, acsReferenceNumber: text(32), dsReferenceNumber: text(32) }),
    trust,
    fc.constant({ transStatus: 'N', transStatusReason: '01' }),
    some({ cardholderInfo: text(128).map(note => ({ text: note })) }),
  ),
  joined('CReq', all({ threeDSServerTransID: uuid, acsTransID: uuid, challengeWindowSize: code('01', '05') })),
  joined('CRes', all({ threeDSServerTransID: uuid, acsTransID: uuid, transStatus: code('Y', 'N') })),
  joined(
    'RReq',
    all({ ...ids, authenticationValue: value }),
    trust,
    fc.constant({ messageCategory: '01', transStatus: 'A' }),
    some({ authenticationMethod: code('02', '13').map(each => [each]), interactionCounter: number(2, 2) }),
  ),
  joined(
    'RReq',
    all(ids),
    fc.constant({ messageCategory: '01', transStatus: 'N', transStatusReason: '01' }),
    some({ challengeCancel: code('01', '08') }),
  ),
  joined('RRes', all({ ...ids, resultsStatus: code('01', '02', '03') })),
  joined(
    'Erro',
    all({ errorCode: number(3, 3), errorComponent: code('C', 'S', 'D', 'A') }),
    some({ ...ids, errorDetail: text(2048), errorDescription: text(2048), errorMessageType: code('AReq') }),
  ),
  joined(
    'PRes',
    all({ threeDSServerTransID: uuid, cardRangeData: fc.array(range, { minLength: 1, maxLength: 5 }) }),
    some({ serialNum: text(20) }),
    fc.constant({
      dsStartProtocolVersion: '2.1.0',
      dsEndProtocolVersion: '2.2.0',
      dsProtocolVersions: ['2.1.0', '2.2.0'],
    }),
  ),
)

/** Members that a version does not have, whatever the message. Written from the specification's tables, not from the codec's. */
const LACKING: Readonly<Record<Version, readonly string[]>> = {
  '2.1.0': [
    ...['browserJavascriptEnabled', 'acceptLanguage', 'trustListStatus', 'trustListStatusSource'],
    ...['acquirerCountryCode', 'acquirerCountryCodeSource', 'dsProtocolVersions'],
  ],
  '2.2.0': ['acceptLanguage', 'acquirerCountryCode', 'acquirerCountryCodeSource', 'dsProtocolVersions'],
  '2.3.1': ['dsStartProtocolVersion', 'dsEndProtocolVersion'],
}

/** What is left of a message in a version. */
export function withoutLacking(message: Message, version: Version): object {
  return Object.fromEntries(Object.entries(message).filter(([name]) => !LACKING[version].includes(name)))
}
