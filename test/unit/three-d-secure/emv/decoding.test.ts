// test/unit/three-d-secure/emv/decoding.test.ts — what is refused in a message, and that refusals never have its values.
import { deepEqual, doesNotMatch, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { fromBase64url, toBase64url } from '../../../../src/three-d-secure/emv/base64url.ts'
import { decode, MESSAGE_TYPES } from '../../../../src/three-d-secure/emv/codec.ts'
import { parseStrictly } from '../../../../src/three-d-secure/emv/strict-json.ts'
import { SAMPLES, sample } from '../../../support/emv/samples.ts'

function refusalOf(message: unknown, options: Partial<Parameters<typeof decode>[1]> = {}) {
  const text = typeof message === 'string' ? message : JSON.stringify(message)
  const decoded = decode(text, { expected: MESSAGE_TYPES, ...options })
  return 'refused' in decoded ? `${decoded.refused.code} ${decoded.refused.detail}` : 'accepted'
}

describe('case 13: base64url', () => {
  const text = '{"a":"ÿ~~?"}'
  const encoded = toBase64url(text)

  test('is read with padding and line breaks', () => {
    ok(!encoded.includes('='))
    for (const written of [encoded, `${encoded}=`, `${encoded}==`, encoded.replace(/(.{5})/g, '$1\r\n')])
      equal(fromBase64url(written), text)
  })

  test('is read in the plain alphabet only where that is allowed', () => {
    const plain = Buffer.from(text).toString('base64')
    ok(/[+/]/.test(plain), plain)
    equal(fromBase64url(plain), null)
    equal(fromBase64url(plain, { lenient: true }), text)
  })

  test.each([
    ['an exclamation mark', `${encoded}!`],
    ['nothing', ''],
    ['six bits', 'AAAAA'],
    ['no UTF-8', '__79'],
  ])('with %s is refused', (_, wrong) => {
    equal(fromBase64url(wrong, { lenient: true }), null)
  })
})

describe('duplicates', () => {
  test('case 14: a repeated transStatus is 204', () => {
    const text = JSON.stringify(sample('S5')).replace(/\}$/, ',"transStatus":"N"}')
    equal(refusalOf(text), '204 transStatus')
  })

  test.each([
    ['{"a":1,"a":1}', ['a']],
    [String.raw`{"a":1,"\u0061":2}`, ['a']],
    ['{"a":{"b":1},"b":[{"b":1},{"b":2}]}', []],
    ['{"a":"{\\"b\\":1,\\"b\\":2}"}', []],
    ['{"a":[{"b":1,"c":{},"b":2}]}', ['b']],
    ['{"":1,"":2}', ['']],
    ['{"__proto__":1,"__proto__":2}', ['__proto__']],
  ])('%s repeats %j', (text, duplicates) => {
    deepEqual(parseStrictly(text), { value: JSON.parse(text), duplicates })
  })

  test('any JSON that JavaScript writes has none', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), text => {
        deepEqual(parseStrictly(text), { value: JSON.parse(text), duplicates: [] })
      }),
    )
  })

  test.each([
    ['nested a million times', '['.repeat(1_000_000), 'too_deep'],
    ['nested and closed', '[['.repeat(500_000) + ']]'.repeat(500_000), 'too_deep'],
    ['with quotes that never end', '"\\"'.repeat(300_000), 'not_json'],
    ['that ends in a backslash', `${'"\\'.repeat(300_001)}`, 'not_json'],
  ])('text %s is refused at once', (_, text, problem) => {
    deepEqual(parseStrictly(text), { problem })
  })

  test('brackets in texts are not nested', () => {
    const text = JSON.stringify({ a: '['.repeat(100) })
    deepEqual(parseStrictly(text), { value: JSON.parse(text), duplicates: [] })
  })
})

describe('refusals by code', () => {
  const critical = { name: 'x', id: 'A000000004-acquirerData', criticalityIndicator: true, data: { a: 1 } }

  test.each([
    ['text that is no JSON', 'nonsense', '101 not JSON'],
    ['a list', [], '101 not an object'],
    ['a type that is unknown', sample('S5', { messageType: 'XRes' }), '101 messageType'],
    ['no version', sample('S5', { messageVersion: undefined }), '201 messageVersion'],
    ['a version that is a number', sample('S5', { messageVersion: 2.1 }), '203 messageVersion'],
    ['an unknown version', sample('S5', { messageVersion: '2.4.0' }), '102 messageVersion'],
    ['two members missing', sample('S5', { acsTransID: undefined, dsTransID: undefined }), '201 acsTransID,dsTransID'],
    ['null', sample('S5', { eci: null }), '203 eci'],
    ['an empty text', sample('S5', { acsOperatorID: '' }), '203 acsOperatorID'],
    ['an empty list', sample('S5', { messageExtension: [] }), '203 messageExtension'],
    ['a status that is none', sample('S5', { transStatus: 'S' }), '203 transStatus'],
    ['a status of a later version', sample('S5', { transStatus: 'I' }), '203 transStatus'],
    ['a challenge without its address', sample('S6', { acsURL: undefined }), '201 acsURL'],
    ['no reason for a refusal', sample('S5', { transStatus: 'N' }), '201 transStatusReason'],
    ['a currency that is none', sample('S4', { purchaseCurrency: '999' }), '304 purchaseCurrency'],
    ['a date that is none', sample('S4', { purchaseDate: '20170231141312' }), '203 purchaseDate'],
    ['an inner member', sample('S4', { acctInfo: { chAccAgeInd: '09' } }), '203 acctInfo.chAccAgeInd'],
    ['a missing inner member', sample('S4', { homePhone: { cc: '49' } }), '201 homePhone.subscriber'],
    ['ranges in the wrong order', reversed(), '203 cardRangeData.endRange'],
    ['a critical extension', sample('S5', { messageExtension: [critical] }), '202 messageExtension'],
    ['missing before malformed', sample('S5', { eci: '5', acsTransID: undefined }), '201 acsTransID'],
  ])('%s', (_, message, refusal) => {
    equal(refusalOf(message), refusal)
  })

  test.each([
    'javascript:alert(1)',
    'http://acs.example/',
    'https://user@acs.example/',
    'https://',
    'acs.example',
    'https://acs.example/\u001b[2J',
  ])('case 56: an issuer at %s is 203', acsURL => {
    equal(refusalOf(sample('S6', { acsURL })), '203 acsURL')
  })

  test('case 15: an unknown member and a recognised critical extension are accepted', () => {
    equal(refusalOf(sample('S5', { unheardOf: { a: null } })), 'accepted')
    equal(refusalOf(sample('S5', { messageExtension: [critical] }), { extensions: [critical.id] }), 'accepted')
    equal(refusalOf(sample('S5', { messageExtension: [{ ...critical, criticalityIndicator: false }] })), 'accepted')
  })

  test.each([19, 21])('case 16: a value of %i bytes is 203', bytes => {
    const authenticationValue = Buffer.alloc(bytes, 7).toString('base64')
    equal(refusalOf(sample('S5', { authenticationValue })), '203 authenticationValue')
    equal(refusalOf(sample('S3', { authenticationValue })), '203 authenticationValue')
  })

  test('case 16: 2.3.1 has longer values', () => {
    const { authenticationType: _, ...ares } = sample('S5', { messageVersion: '2.3.1' })
    equal(refusalOf({ ...ares, authenticationValue: Buffer.alloc(64, 7).toString('base64') }), 'accepted')
  })

  test('a result of 2.3.1 has words for the payer and the merchant, which older ones ignore', () => {
    const words = { cardholderInfo: { text: 'Call us' }, transStatusReasonInfo: 'Limit of the day' }
    const { authenticationType: _, authenticationMethod: __, ...rreq } = sample('S3', words)
    const [early, late] = ['2.1.0', '2.3.1'].map(messageVersion => {
      const decoded = decode(JSON.stringify({ ...rreq, messageVersion }), { expected: ['RReq'] })
      ok(!('refused' in decoded), JSON.stringify(decoded))
      const { cardholderInfo, transStatusReasonInfo } = decoded.message
      return { cardholderInfo, transStatusReasonInfo }
    })
    deepEqual(late, words)
    deepEqual(early, { cardholderInfo: undefined, transStatusReasonInfo: undefined })
  })

  test.each(['19', '21'])('2.1 has the reason %s, and none above', transStatusReason => {
    const denied = sample('S5', { transStatus: 'N', authenticationValue: undefined, transStatusReason })
    equal(refusalOf(denied), 'accepted')
    equal(refusalOf({ ...denied, transStatusReason: '22' }), '203 transStatusReason')
  })

  test('a value is required of a payment, and ignored where nobody was authenticated', () => {
    const without = sample('S5', { authenticationValue: undefined })
    equal(refusalOf(without, { messageCategory: '01' }), '201 authenticationValue')
    equal(refusalOf(without, { messageCategory: '02' }), 'accepted')
    const refusedWithValue = sample('S5', { transStatus: 'N', transStatusReason: '01', authenticationValue: 'x' })
    equal(refusalOf(refusedWithValue), 'accepted')
  })

  test('a message that is longer than the limit is not read', () => {
    equal(refusalOf(JSON.stringify(sample('S5')).padEnd(200_000), { longest: 100_000 }), '101 message too long')
  })
})

test('case 20: a refusal has no digits of the number, wherever the number is', () => {
  const number = fc.stringMatching(/^[3-9]\d{12,18}$/)
  const place = fc.constantFrom(...SAMPLES.map(({ message }) => message))
  fc.assert(
    fc.property(number, place, fc.nat(), fc.boolean(), (digits, message, pick, twice) => {
      const names = Object.keys(message)
      const name = names[pick % names.length] ?? ''
      const changed = { ...message, [name]: digits, [digits]: digits, acctNumber: `${digits} ` }
      const text = JSON.stringify(changed)
      const decoded = decode(twice ? text.replace(/\}$/, `,"${digits}":1}`) : text, { expected: MESSAGE_TYPES })
      if ('refused' in decoded) doesNotMatch(decoded.refused.detail, /\d{4}/)
    }),
  )
})

function reversed() {
  const [range] = sample('S2')['cardRangeData'] as readonly Record<string, unknown>[]
  return sample('S2', { cardRangeData: [{ ...range, startRange: '5000000000000000', endRange: '4999999999999999' }] })
}
