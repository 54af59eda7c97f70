// test/unit/three-d-secure/emv/encoding.test.ts — messages are written in each version, and read back as they were.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { decode, encode, MESSAGE_TYPES, type Message } from '../../../../src/three-d-secure/emv/codec.ts'
import { VERSIONS, type Version } from '../../../../src/three-d-secure/emv/versions.ts'
import { ANY_MESSAGE, BROWSER_AREQ, REQUESTOR_INITIATED_AREQ, withoutLacking } from '../../../support/emv/messages.ts'
import { sample } from '../../../support/emv/samples.ts'
import { AREQ_SCHEMAS } from '../../../support/emv/schemas.ts'

function written(message: Message, version: Version): Readonly<Record<string, unknown>> {
  const encoded = encode(message, version)
  ok('text' in encoded, `${version} ${JSON.stringify(encoded)}`)
  return JSON.parse(encoded.text) as Record<string, unknown>
}

/** What later versions want. */
const LATER = {
  browserJavascriptEnabled: true,
  acceptLanguage: ['en'],
  acquirerCountryCode: '840',
  acquirerCountryCodeSource: '01',
}

/** A sample AReq in the model, with members that later versions want. */
function areq(changes: object = {}): Message<'AReq'> {
  const decoded = decode(JSON.stringify(sample('S4')), { expected: ['AReq'] })
  ok(!('refused' in decoded))
  return { ...decoded.message, ...LATER, ...changes }
}

describe.each(VERSIONS)('in %s', version => {
  test('case 2: any message comes back, without the members that the version lacks', () => {
    fc.assert(
      fc.property(ANY_MESSAGE, message => {
        const decoded = decode(JSON.stringify(written(message, version)), {
          expected: MESSAGE_TYPES,
          extensions: extensionsOf(message),
        })
        ok(!('refused' in decoded), JSON.stringify(decoded))
        equal(decoded.version, version)
        deepEqual(decoded.message, withoutLacking(message, version))
      }),
      { numRuns: 300 },
    )
  })

  test('case 3: every AReq passes the schema that was written apart from the codec', () => {
    const validate = AREQ_SCHEMAS[version]
    fc.assert(
      fc.property(fc.oneof(BROWSER_AREQ, REQUESTOR_INITIATED_AREQ), message => {
        ok(validate(written(message, version)), JSON.stringify(validate.errors))
      }),
    )
  })

  test('case 3: the schema refuses an AReq that lacks a member or has a wrong one', () => {
    const validate = AREQ_SCHEMAS[version]
    const whole = written(areq(), version)
    ok(validate(whole), JSON.stringify(validate.errors))
    for (const name of ['acctNumber', 'purchaseDate', 'mcc', 'threeDSCompInd', 'browserTZ']) {
      const { [name]: _, ...rest } = whole
      ok(!validate(rest), `without ${name}`)
    }
    ok(!validate({ ...whole, threeRIInd: '01' }))
    ok(!validate({ ...whole, browserColorDepth: '30' }))
  })

  test('case 4: nothing is null or empty', () => {
    const message = areq({ billAddrCity: '', homePhone: undefined, acctInfo: {}, messageExtension: [] })
    const wire = written(message, version)
    deepEqual(emptyIn(wire), [])
    ok(!('billAddrCity' in wire) && !('acctInfo' in wire))
    fc.assert(fc.property(ANY_MESSAGE, any => void deepEqual(emptyIn(written(any, version)), [])))
  })

  test('case 9: without the payer there is nothing of a browser', () => {
    const wire = written(areq({ deviceChannel: '03', threeRIInd: '03' }), version)
    const ofBrowser = /^browser|^notificationURL$|^threeDSCompInd$|^acceptLanguage$|AuthenticationInd$/
    deepEqual(
      Object.keys(wire).filter(name => ofBrowser.test(name)),
      [],
    )
    equal(wire['threeRIInd'], '03')
  })
})

test('case 10: a recurring payment has an expiry before 2.3.1, and an indicator since', () => {
  const recurring = areq({
    threeDSRequestorAuthenticationInd: '02',
    recurringExpiry: '20271231',
    recurringFrequency: '28',
    recurringInd: { amountInd: '02', frequencyInd: '02' },
  })
  const { recurringInd, ...before } = written(recurring, '2.2.0')
  deepEqual([before['recurringExpiry'], before['recurringFrequency'], recurringInd], ['20271231', '28', undefined])
  deepEqual(written(recurring, '2.3.1')['recurringInd'], { amountInd: '02', frequencyInd: '02' })
  const fixed = areq({
    threeDSRequestorAuthenticationInd: '02',
    recurringInd: { amountInd: '01', frequencyInd: '01' },
  })
  deepEqual(encode(fixed, '2.3.1'), {
    refused: { code: '201', detail: 'recurringFrequency,recurringAmount,recurringDate' },
  })
  const bare = areq({ threeDSRequestorAuthenticationInd: '02' })
  deepEqual(
    VERSIONS.map(version => encode(bare, version)),
    [
      { refused: { code: '201', detail: 'recurringExpiry,recurringFrequency' } },
      { refused: { code: '201', detail: 'recurringExpiry,recurringFrequency' } },
      { refused: { code: '201', detail: 'recurringInd' } },
    ],
  )
})

test.each([
  ['05', '02', '05', ['05']],
  ['09', '01', '09', ['09']],
  ['10', '02', '02', ['10']],
  ['12', '03', '03', ['12']],
  ['82', '82', '82', ['82']],
])('case 11: the wish %s is %s in 2.1, %s in 2.2 and %j in 2.3.1', (wish, ...expected) => {
  const message = areq({ threeDSRequestorChallengeInd: [wish] })
  deepEqual(
    VERSIONS.map(version => written(message, version)['threeDSRequestorChallengeInd']),
    expected,
  )
})

test('a kind of 3RI that a version lacks cannot be sent in it', () => {
  const message = areq({ deviceChannel: '03', threeRIInd: '06', threeDSRequestorChallengeInd: ['01'] })
  deepEqual(encode(message, '2.1.0'), { refused: { code: '203', detail: 'threeRIInd' } })
  const { threeRIInd, threeDSRequestorChallengeInd: wish } = written(message, '2.2.0')
  deepEqual([threeRIInd, wish], ['06', undefined], 'and a wish for a challenge is for payers who are there')
  deepEqual(written(message, '2.3.1')['threeDSRequestorChallengeInd'], ['01'])
})

test('names and shapes that 2.3.1 changed are the old ones before', () => {
  const message = areq({
    trustListStatus: 'Y',
    trustListStatusSource: '01',
    threeDSRequestorAuthenticationInfo: [{ threeDSReqAuthMethod: '02' }],
  })
  const [early, middle, late] = VERSIONS.map(version => written(message, version))
  equal(early?.['whiteListStatus'], undefined)
  deepEqual([middle?.['whiteListStatus'], middle?.['trustListStatus']], ['Y', undefined])
  deepEqual([late?.['whiteListStatus'], late?.['trustListStatus']], [undefined, 'Y'])
  deepEqual(middle?.['threeDSRequestorAuthenticationInfo'], { threeDSReqAuthMethod: '02' })
  deepEqual(late?.['threeDSRequestorAuthenticationInfo'], [{ threeDSReqAuthMethod: '02' }])
})

function extensionsOf(message: Message): readonly string[] {
  const { messageExtension } = message as { messageExtension?: readonly { id: string }[] }
  return messageExtension?.map(({ id }) => id) ?? []
}

function emptyIn(value: unknown, path = ''): readonly string[] {
  if (value === null || value === '') return [path]
  if (typeof value !== 'object') return []
  const entries = Object.entries(value)
  return entries.length === 0 ? [path] : entries.flatMap(([name, each]) => emptyIn(each, `${path}/${name}`))
}
