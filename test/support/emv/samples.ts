// test/support/emv/samples.ts — published sample messages of EMV 3-D Secure by number, in the facts that tests need. All
// numbers and ids are test data of their publishers.

export interface Sample {
  readonly id: string
  /** Who published it. */
  readonly from: string
  readonly message: Readonly<Record<string, unknown>>
}

const EMVCO = 'EMVCo sample set'
const CLEARHAUS = 'docs.3dsecure.io'
const RBK = 'rbkmoney/three-ds-server'

const v = (messageType: string, messageVersion = '2.1.0') => ({ messageType, messageVersion })

const PARTIES = {
  threeDSRequestorID: '9000000001',
  threeDSRequestorName: 'Dummy Merchant',
  threeDSRequestorURL: 'https://merchant.example',
  threeDSServerRefNumber: '3DS_LOA_SER_XXXX_020100_00000',
  threeDSServerURL: 'https://gw.example/ds/results',
  acquirerBIN: '438309',
  acquirerMerchantID: '00002000000',
  mcc: '5411',
  merchantCountryCode: '840',
  merchantName: 'Dummy Merchant',
}
const BROWSER = {
  browserAcceptHeader: 'text/html',
  browserColorDepth: '48',
  browserIP: '192.168.1.11',
  browserJavaEnabled: true,
  browserLanguage: 'en',
  browserScreenHeight: '400',
  browserScreenWidth: '600',
  browserTZ: '0',
  browserUserAgent: 'Mozilla/5.0',
}
const PURCHASE = {
  purchaseAmount: '101',
  purchaseCurrency: '840',
  purchaseExponent: '2',
  purchaseDate: '20170316141312',
}
const REFERENCES = { acsReferenceNumber: '3dsecureio-standin-acs', dsReferenceNumber: '3dsecureio-standin-ds' }

const RBK_IDS = {
  threeDSServerTransID: '167a4912-510f-4cee-b1c6-dad5284ca329',
  acsTransID: '1c5343d1-f557-4f8a-907d-e2f5546de7b4',
  dsTransID: '108c0bcf-cfb5-542a-8000-000000233643',
}
const SCORING = {
  name: 'rbaScoring',
  id: 'A00000065801',
  criticalityIndicator: false,
  data: { totalScore: 0, ruleSets: [{ ruleSetId: 2001, score: 0, description: 'Test Score' }] },
}

/** Messages in JSON. What a publisher leaves open is filled with values of its own. */
export const SAMPLES: readonly Sample[] = [
  {
    id: 'S1',
    from: EMVCO,
    message: {
      ...v('PReq'),
      threeDSServerRefNumber: '3DS_LOA_SER_PPFU_020100_00008',
      threeDSServerOperatorID: '1jpeeLAWgGFgS1Ri9tX9',
      threeDSServerTransID: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
      serialNum: '66lM7xWInwjdqG1SSFk5',
    },
  },
  {
    id: 'S2',
    from: EMVCO,
    message: {
      ...v('PRes'),
      threeDSServerTransID: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
      dsTransID: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
      serialNum: '3q9oaApFqmznys47ujRg',
      dsStartProtocolVersion: '2.1.0',
      dsEndProtocolVersion: '2.1.0',
      cardRangeData: [
        {
          startRange: '1000000000000000',
          endRange: '9999999999999999',
          actionInd: 'A',
          acsStartProtocolVersion: '2.1.0',
          acsEndProtocolVersion: '2.1.0',
          threeDSMethodURL: 'https://www.acs.com/script',
        },
      ],
    },
  },
  {
    id: 'S3',
    from: EMVCO,
    message: {
      ...v('RReq'),
      threeDSServerTransID: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
      acsTransID: 'd7c1ee99-9478-44a6-b1f2-391e29c6b340',
      dsTransID: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
      authenticationMethod: '02',
      authenticationType: '02',
      authenticationValue: 'MTIzNDU2Nzg5MDA5ODc2NTQzMjE=',
      eci: '05',
      interactionCounter: '02',
      messageCategory: '01',
      transStatus: 'Y',
    },
  },
  {
    id: 'S4',
    from: CLEARHAUS,
    message: {
      ...v('AReq'),
      ...PARTIES,
      ...BROWSER,
      ...PURCHASE,
      threeDSServerTransID: 'd461f105-1792-407f-95ff-9a496fd918a9',
      messageCategory: '01',
      deviceChannel: '02',
      threeDSCompInd: 'Y',
      threeDSRequestorAuthenticationInd: '01',
      acctNumber: '9000100511111111',
      cardExpiryDate: '1910',
      notificationURL: 'https://gw.example/three-d-secure/return',
    },
  },
  {
    id: 'S5',
    from: CLEARHAUS,
    message: {
      ...v('ARes'),
      ...REFERENCES,
      threeDSServerTransID: '3f1ed47a-2edc-4b0e-a4cf-bdb0f65d48c6',
      acsTransID: '43163cd0-c849-4924-82c1-7bec32b94881',
      dsTransID: '1cf815e5-cc85-436f-8e13-9f5e5aea731f',
      authenticationValue: 'mK225wGt2bLnnLB0UlRky0oHLnU=',
      eci: '05',
      transStatus: 'Y',
    },
  },
  {
    id: 'S6',
    from: CLEARHAUS,
    message: {
      ...v('ARes'),
      ...REFERENCES,
      threeDSServerTransID: '218565e2-0cae-4236-868e-09168275c8c6',
      acsTransID: 'b85d3eb5-d2d2-45af-bc1b-6188021ae602',
      dsTransID: '496af67a-56ed-4fd3-bbcf-690b0df93c3d',
      acsChallengeMandated: 'N',
      acsURL: 'https://acs.sandbox.3dsecure.io/browser/challenge/manual',
      authenticationType: '01',
      transStatus: 'C',
    },
  },
  {
    id: 'S7',
    from: CLEARHAUS,
    message: {
      ...v('CReq'),
      threeDSServerTransID: 'ce2809be-b5ee-425b-9382-76a72a4f495b',
      acsTransID: '7b26d24f-4275-4044-97ee-4564c1b88fde',
      challengeWindowSize: '01',
    },
  },
  {
    id: 'S10',
    from: CLEARHAUS,
    message: {
      ...v('ARes', '2.2.0'),
      ...REFERENCES,
      threeDSServerTransID: '5a8007b9-6d26-49cf-a371-3f722bba4ffc',
      acsTransID: 'fb95703f-92e7-4278-a20c-62b9a9200e84',
      dsTransID: '87cbe14f-5960-4a01-a0bb-ae2c9871804a',
      acsDecConInd: 'Y',
      acsOperatorID: '3dsecureio-standin-acs',
      authenticationType: '04',
      cardholderInfo: '01',
      transStatus: 'D',
    },
  },
  {
    id: 'S11',
    from: CLEARHAUS,
    message: {
      ...v('RReq', '2.2.0'),
      threeDSServerTransID: '5a8007b9-6d26-49cf-a371-3f722bba4ffc',
      acsTransID: 'fb95703f-92e7-4278-a20c-62b9a9200e84',
      dsTransID: '87cbe14f-5960-4a01-a0bb-ae2c9871804a',
      authenticationType: '04',
      authenticationValue: 's3xYIbbZVSakGpUEaAtOfIt2Ohs=',
      eci: '05',
      interactionCounter: '00',
      messageCategory: '01',
      transStatus: 'Y',
    },
  },
  {
    id: 'S12',
    from: CLEARHAUS,
    message: {
      ...v('Erro'),
      threeDSServerTransID: '2401433d-68be-4820-b1e7-5aa3b44dfa5a',
      errorCode: '405',
      errorComponent: 'S',
      errorDescription: 'System connection failure',
      errorDetail: 'The directory server did not answer',
      errorMessageType: 'AReq',
    },
  },
  {
    id: 'S13',
    from: CLEARHAUS,
    message: {
      ...v('AReq'),
      ...PARTIES,
      ...PURCHASE,
      threeDSServerTransID: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
      messageCategory: '02',
      deviceChannel: '03',
      threeRIInd: '01',
      acctNumber: '9000110511111111',
      recurringExpiry: '20271231',
      recurringFrequency: '28',
    },
  },
  {
    id: 'S14',
    from: CLEARHAUS,
    message: {
      ...v('PRes', '2.3.1'),
      threeDSServerTransID: '6b91f61e-9e62-4f5c-ab8c-f1ffb84122cb',
      dsProtocolVersions: ['2.2.0', '2.3.1'],
      cardRangeData: [
        {
          ranges: [{ startRange: '9000100100000000', endRange: '9000100199999999' }],
          acsProtocolVersions: [
            {
              version: '2.2.0',
              acsInfoInd: ['01', '02', '84', '85'],
              threeDSMethodURL: 'https://acs.example/tds2/method',
            },
          ],
        },
      ],
    },
  },
  {
    id: 'S15 request',
    from: RBK,
    message: {
      ...v('AReq'),
      ...PARTIES,
      ...BROWSER,
      ...PURCHASE,
      threeDSServerTransID: RBK_IDS.threeDSServerTransID,
      messageCategory: '01',
      deviceChannel: '02',
      threeDSCompInd: 'Y',
      threeDSRequestorAuthenticationInd: '01',
      acctNumber: '2201382000000047',
      notificationURL: 'https://www.nspk.ru/notify',
      purchaseAmount: '160000',
      purchaseCurrency: '643',
    },
  },
  {
    id: 'S15 challenge',
    from: RBK,
    message: {
      ...v('CReq'),
      threeDSServerTransID: RBK_IDS.threeDSServerTransID,
      acsTransID: RBK_IDS.acsTransID,
      challengeWindowSize: '05',
    },
  },
  {
    id: 'S15',
    from: RBK,
    message: {
      ...v('ARes'),
      ...RBK_IDS,
      acsReferenceNumber: '3DS_LOA_ACS_MOMD_020100_00061',
      dsReferenceNumber: '3DS_LOA_DIS_MOMD_020100_00066',
      acsChallengeMandated: 'N',
      acsURL: 'https://acs.vendorcert.mirconnect.ru/mdpayacs/creq',
      authenticationType: '01',
      messageExtension: [SCORING],
      transStatus: 'C',
    },
  },
  {
    id: 'S15 result',
    from: RBK,
    message: {
      ...v('RReq'),
      ...RBK_IDS,
      authenticationType: '01',
      authenticationValue: 'AAABBCRnIQAAAAABQ2chAa/wh/Q=',
      eci: '02',
      interactionCounter: '01',
      messageCategory: '01',
      transStatus: 'Y',
    },
  },
  {
    id: 'S15 answer',
    from: RBK,
    message: { ...v('RRes'), ...RBK_IDS, resultsStatus: '01' },
  },
  {
    id: 'S19',
    from: RBK,
    message: {
      ...v('Erro'),
      errorCode: '404',
      errorComponent: 'D',
      errorDescription: 'Permanent system failure',
      errorDetail: 'Database not available',
    },
  },
]

/** A sample's message, with changes. */
export function sample(id: string, changes: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  const found = SAMPLES.find(each => each.id === id)
  if (found === undefined) throw new Error(`there is no sample ${id}`)
  return { ...found.message, ...changes }
}

/** S16 and S17: answers and results of two test suites by status, reason, indicator and cancel code, in short. */
export const STATUS_SAMPLES = [
  { id: 'S16 1-1', type: 'ARes', transStatus: 'N', transStatusReason: '06' },
  { id: 'S16 1-2', type: 'ARes', transStatus: 'A', eci: '01', value: true },
  { id: 'S16 1-3', type: 'ARes', transStatus: 'Y', eci: '02', value: true },
  { id: 'S16 1-4', type: 'ARes', transStatus: 'N', transStatusReason: '01' },
  { id: 'S16 1-5', type: 'ARes', transStatus: 'R', transStatusReason: '10' },
  { id: 'S16 5-2', type: 'ARes', transStatus: 'U', transStatusReason: '13' },
  { id: 'S16 1-7', type: 'RReq', transStatus: 'N', transStatusReason: '01', interactionCounter: '03' },
  { id: 'S16 1-10', type: 'RReq', transStatus: 'N', transStatusReason: '01', challengeCancel: '01' },
  { id: 'S17 101', type: 'ARes', transStatus: 'Y', eci: '05', value: true },
  { id: 'S17 102', type: 'ARes', transStatus: 'N', transStatusReason: '01' },
  { id: 'S17 103', type: 'ARes', transStatus: 'A', eci: '06', value: true },
  { id: 'S17 104', type: 'ARes', transStatus: 'U', transStatusReason: '01' },
  { id: 'S17 105', type: 'ARes', transStatus: 'R', transStatusReason: '01' },
  { id: 'S17 401', type: 'ARes', transStatus: 'N', transStatusReason: '89', eci: '07', value: true },
  { id: 'S18', type: 'RReq', transStatus: 'U', transStatusReason: '01', challengeCancel: '01', value: true },
] as const

/** Base64url as it is published. */
export const ENCODED = {
  S8: 'eyJhY3NUcmFuc0lEIjoiODc3OTFjZWUtMjUxNC00MzZjLWJlZDgtYTYzYTg3YmJkZjAxIiwiY2hhbGxlbmdlQ29tcGxldGlvbkluZCI6IlkiLCJtZXNzYWdlVHlwZSI6IkNSZXMiLCJtZXNzYWdlVmVyc2lvbiI6IjIuMS4wIiwidGhyZWVEU1NlcnZlclRyYW5zSUQiOiJkNDFmNjIwMC0wNDM1LTQ5ZWUtYWExMS1mMzY2ZjA2NjFjNmYiLCJ0cmFuc1N0YXR1cyI6IlkifQ',
  S9: 'eyJ0aHJlZURTTWV0aG9kRGF0YSI6ICJkNDYxZjEwNS0xNzkyLTQwN2YtOTVmZi05YTQ5NmZkOTE4YTkifQ',
  /** As S20 is published: a stray letter before the base64 of a CReq. */
  S20: `n${Buffer.from(
    JSON.stringify({
      ...v('CReq', '2.2.0'),
      threeDSServerTransID: '12341234-1234-1234-1234-123412341234',
      acsTransID: '43214321-4321-4321-4321-432143214321',
      challengeWindowSize: '05',
    }),
  ).toString('base64url')}`,
  S21: 'eyJ0aHJlZURTU2VydmVyVHJhbnNJRCI6ImQ0NjFmMTA1LTE3OTItNDA3Zi05NWZmLTlhNDk2ZmQ5MThhOSIsInRocmVlRFNNZXRob2ROb3RpZmljYXRpb25VUkwiOiJodHRwczovL2d3LmV4YW1wbGUvM2RzL21ldGhvZCJ9',
  S22: 'eyJ0aHJlZURTU2VydmVyVHJhbnNJRCI6IjNmMWVkNDdhLTJlZGMtNGIwZS1hNGNmLWJkYjBmNjVkNDhjNiJ9',
  S23: 'eyJtZXNzYWdlVHlwZSI6IkNSZXEiLCJtZXNzYWdlVmVyc2lvbiI6IjIuMi4wIiwidGhyZWVEU1NlcnZlclRyYW5zSUQiOiIzZjFlZDQ3YS0yZWRjLTRiMGUtYTRjZi1iZGIwZjY1ZDQ4YzYiLCJhY3NUcmFuc0lEIjoiYjg1ZDNlYjUtZDJkMi00NWFmLWJjMWItNjE4ODAyMWFlNjAyIiwiY2hhbGxlbmdlV2luZG93U2l6ZSI6IjAyIn0',
  S24: 'eyJtZXNzYWdlVHlwZSI6IkNSZXMiLCJtZXNzYWdlVmVyc2lvbiI6IjIuMi4wIiwidGhyZWVEU1NlcnZlclRyYW5zSUQiOiIzZjFlZDQ3YS0yZWRjLTRiMGUtYTRjZi1iZGIwZjY1ZDQ4YzYiLCJhY3NUcmFuc0lEIjoiYjg1ZDNlYjUtZDJkMi00NWFmLWJjMWItNjE4ODAyMWFlNjAyIiwidHJhbnNTdGF0dXMiOiJOIn0',
} as const
