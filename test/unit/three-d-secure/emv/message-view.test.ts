// test/unit/three-d-secure/emv/message-view.test.ts — messages of logs are explained without card data.
import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { toBase64url } from '../../../../src/three-d-secure/emv/base64url.ts'
import { meaningOfCode } from '../../../../src/three-d-secure/emv/code-meanings.ts'
import { viewOf } from '../../../../src/three-d-secure/emv/message-view.ts'
import { ENCODED, SAMPLES, sample } from '../../../support/emv/samples.ts'

const view = (message: unknown, category?: string) => viewOf(JSON.stringify(message), category)

function memberOf(message: unknown, name: string) {
  return view(message).members.find(each => each.name === name)
}

test('case 58: the view has neither the card number nor a value', () => {
  for (const { message } of SAMPLES) {
    const text = JSON.stringify(view(message))
    doesNotMatch(text, /9000100511111111|9000110511111111|2201382000000047/)
    const value = message['authenticationValue']
    if (typeof value === 'string') ok(!text.includes(value))
  }
  deepEqual(memberOf(sample('S4'), 'acctNumber')?.value, '900010******1111')
  deepEqual(memberOf(sample('S5'), 'authenticationValue')?.value, '[hidden]')
})

test.each([
  ['a number that is malformed', sample('S4', { acctNumber: '9000 1005 1111 1111' })],
  ['a number as a number', sample('S4', { acctNumber: 9_000_100_511_111_111 })],
  ['a number in a list', sample('S4', { acctNumber: ['9000100511111111'] })],
  ['a number in an object', sample('S4', { acctNumber: { a: '9000100511111111' } })],
  ['a card number elsewhere', sample('S4', { merchantName: '4111 1111 1111 1111' })],
  ['a card number as a name', sample('S4', { '4111111111111111': 'x' })],
  [
    'credentials',
    sample('S4', { threeDSRequestorAuthenticationInfo: { threeDSReqAuthData: 'secret-9000100511111111' } }),
  ],
])('case 58: %s is not shown', (_, message) => {
  doesNotMatch(JSON.stringify(view(message).members).replaceAll(' ', ''), /9000100511111111|4111111111111111|secret/)
})

describe('texts of logs', () => {
  test.each([
    ['base64url', ENCODED.S23, 'CReq'],
    ['a field of a form', `cres=${ENCODED.S24}&threeDSSessionData=abc`, 'CRes'],
    ['an encoded field', `creq=${ENCODED.S23}%3D`, 'CReq'],
    ['plain base64', Buffer.from(JSON.stringify(sample('S5'))).toString('base64'), 'ARes'],
    ['3DS method data', ENCODED.S21, 'threeDSMethodData'],
    ['a field with method data', `threeDSMethodData=${ENCODED.S22}`, 'threeDSMethodData'],
  ])('%s is read', (_, text, type) => {
    const { messageType, objection, members } = viewOf(`\n ${text}\n`)
    deepEqual([messageType, objection], [type, null])
    ok(members.length > 0)
  })

  test.each(['', 'not a message', '{', ENCODED.S20])('%s is objected to', text => {
    const { messageType, objection, members } = viewOf(text)
    deepEqual([messageType, members, objection?.code], [null, [], '101'])
  })
})

test('members have the meanings of their codes, at any depth', () => {
  equal(memberOf(sample('S4'), 'deviceChannel')?.meaning, 'browser')
  equal(memberOf(sample('S5'), 'transStatus')?.meaning, 'authenticated')
  equal(memberOf(sample('S14'), 'cardRangeData[0].acsProtocolVersions[0].acsInfoInd[1]')?.meaning, 'attempts')
  equal(memberOf(sample('S2'), 'cardRangeData[0].startRange')?.value, '1000000000000000')
  equal(meaningOfCode('transStatus', 'toString'), null)
  equal(meaningOfCode('constructor', 'name'), null)
})

test('the result is what the gateway would take from the message', () => {
  match(view(sample('S5')).result ?? '', /authenticated/)
  match(view(sample('S6')).result ?? '', /challenge/)
  match(view(sample('S10')).result ?? '', /outside of the browser/)
  match(
    view(sample('S3', { transStatus: 'N', transStatusReason: '01', challengeCancel: '01' })).result ?? '',
    /cancelled/,
  )
  match(viewOf(ENCODED.S8).result ?? '', /decides nothing/)
  equal(view(sample('S4')).result, null)
})

test('the category of the request decides whether an ARes needs a value', () => {
  const without = sample('S5', { authenticationValue: undefined })
  equal(view(without, '02').objection, null)
  deepEqual(view(without, '01').objection, { code: '201', detail: 'authenticationValue' })
})

test('a long message is cut', () => {
  const { members, omitted } = view(sample('S5', { long: Array.from({ length: 1000 }, () => 'a') }))
  equal(members.length, 500)
  equal(omitted, 1000 + Object.keys(sample('S5')).length - 500)
})

test('what was encoded twice is no message', () => {
  equal(viewOf(toBase64url(ENCODED.S23)).objection?.code, '101')
})
