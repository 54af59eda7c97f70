// test/unit/three-d-secure/emv/samples.test.ts — published samples are read and written again.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { fromBase64url, toBase64url, valueBytes } from '../../../../src/three-d-secure/emv/base64url.ts'
import { lookUp, NO_RANGES, nextTable } from '../../../../src/three-d-secure/emv/card-range-table.ts'
import { decode, encode, MESSAGE_TYPES, type MessageType } from '../../../../src/three-d-secure/emv/codec.ts'
import { decodeMethodData, encodeMethodData } from '../../../../src/three-d-secure/emv/method-data.ts'
import { outcomeOfAnswer, outcomeOfResult } from '../../../../src/three-d-secure/emv/outcome.ts'
import { ENCODED, SAMPLES, STATUS_SAMPLES, sample } from '../../../support/emv/samples.ts'

const ASKED = {
  deviceChannel: '02',
  messageCategory: '01',
  mustChallenge: false,
  decoupled: false,
  scheme: 'VISA',
  md: 'm1',
} as const

function read<Type extends MessageType>(message: unknown, ...expected: readonly Type[]) {
  const decoded = decode(JSON.stringify(message), { expected })
  ok(!('refused' in decoded), JSON.stringify(decoded))
  return decoded
}

test.each(SAMPLES)('case 1: $id of $from is read, and written with the same members', ({ message }) => {
  const decoded = read(message, ...MESSAGE_TYPES)
  const written = encode(decoded.message, decoded.version)
  ok('text' in written, JSON.stringify(written))
  deepEqual(JSON.parse(written.text), message)
})

test('case 1: S2 has one range, with cards of sixteen digits', () => {
  const table = nextTable(NO_RANGES, read(sample('S2'), 'PRes').message)
  ok('byLength' in table)
  equal(lookUp(table, '4111111111111111')?.acsVersions[0]?.threeDSMethodURL, 'https://www.acs.com/script')
  equal(lookUp(table, '371449635398431'), null)
  equal(table.serialNumber, '3q9oaApFqmznys47ujRg')
})

test.each([
  ['S3', '3132333435363738393030393837363534333231'],
  ['S5', '98adb6e701add9b2e79cb074525464cb4a072e75'],
  ['S11', 'b37c5821b6d95526a41a9504680b4e7c8b763a1b'],
  ['S15 result', '00000104246721000000000143672101aff087f4'],
])('case 1: the value of %s has its 20 bytes', (id, hex) => {
  const { message } = read(sample(id), 'ARes', 'RReq')
  equal(Buffer.from(valueBytes(message.authenticationValue ?? '')).toString('hex'), hex)
})

test('case 1: S4 is complete in 2.1, and lacks a member in 2.2', () => {
  const later = decode(JSON.stringify(sample('S4', { messageVersion: '2.2.0' })), { expected: ['AReq'] })
  deepEqual(later, { refused: { code: '201', detail: 'browserJavascriptEnabled' } })
})

test('case 1: S6 leads to a challenge at its address, with a CReq for its transactions', () => {
  const { message, version } = read(sample('S6'), 'ARes')
  const { report } = outcomeOfAnswer(message, version, ASKED)
  ok(report.type === 'challenge_requested')
  equal(report.challenge.acsUrl, 'https://acs.sandbox.3dsecure.io/browser/challenge/manual')
  deepEqual(JSON.parse(fromBase64url(report.challenge.payload) ?? ''), {
    messageType: 'CReq',
    messageVersion: '2.1.0',
    threeDSServerTransID: '218565e2-0cae-4236-868e-09168275c8c6',
    acsTransID: 'b85d3eb5-d2d2-45af-bc1b-6188021ae602',
    challengeWindowSize: '02',
  })
})

test('case 1: S8 and S24 are the browser coming back, and an unknown member is ignored', () => {
  for (const [text, server, transStatus] of [
    [ENCODED.S8, 'd41f6200-0435-49ee-aa11-f366f0661c6f', 'Y'],
    [ENCODED.S24, '3f1ed47a-2edc-4b0e-a4cf-bdb0f65d48c6', 'N'],
  ] as const) {
    const { message } = read(JSON.parse(fromBase64url(text) ?? ''), 'CRes')
    deepEqual([message.threeDSServerTransID, message.transStatus], [server, transStatus])
    ok(!('challengeCompletionInd' in message))
  }
})

test('case 1: S9, S21 and S22 are data of the 3DS method, also the malformed one', () => {
  deepEqual(decodeMethodData(ENCODED.S9), { threeDSServerTransID: 'd461f105-1792-407f-95ff-9a496fd918a9' })
  deepEqual(decodeMethodData(ENCODED.S22), { threeDSServerTransID: '3f1ed47a-2edc-4b0e-a4cf-bdb0f65d48c6' })
  const data = {
    threeDSServerTransID: 'd461f105-1792-407f-95ff-9a496fd918a9',
    threeDSMethodNotificationURL: 'https://gw.example/3ds/method',
  }
  deepEqual(decodeMethodData(ENCODED.S21), data)
  equal(encodeMethodData(data), ENCODED.S21)
  for (const wrong of ['', '!', toBase64url('{}'), toBase64url('{"threeDSServerTransID":"1"}'), toBase64url('[1]')])
    equal(decodeMethodData(wrong), null, wrong)
})

test('case 1: S20 with its stray letter is refused, S23 is a CReq', () => {
  const stray = fromBase64url(ENCODED.S20) ?? ENCODED.S20
  deepEqual(decode(stray, { expected: MESSAGE_TYPES }), { refused: { code: '101', detail: 'not JSON' } })
  const text = fromBase64url(ENCODED.S23) ?? ''
  const { message, version } = read(JSON.parse(text), 'CReq')
  equal(message.challengeWindowSize, '02')
  const written = encode(message, version)
  ok('text' in written)
  equal(toBase64url(written.text), ENCODED.S23)
})

describe('case 1: S16 to S18', () => {
  const VALUE = 'AAABBCRnIQAAAAABQ2chAa/wh/Q='
  const EXPECTED: Readonly<Record<string, string>> = {
    'S16 1-1': 'N not_authenticated',
    'S16 1-2': 'A 01',
    'S16 1-3': 'Y 02',
    'S16 1-4': 'N not_authenticated',
    'S16 1-5': 'R rejected',
    'S16 5-2': 'U unavailable',
    'S16 1-7': 'N not_authenticated',
    'S16 1-10': 'N cancelled',
    'S17 101': 'Y 05',
    'S17 102': 'N not_authenticated',
    'S17 103': 'A 06',
    'S17 104': 'U unavailable',
    'S17 105': 'R rejected',
    'S17 401': 'N not_authenticated',
    S18: 'U cancelled',
  }

  test.each(STATUS_SAMPLES)('$id is reported by its status', ({ id, type, ...codes }) => {
    const { value, ...members } = { value: false, ...codes }
    const base = type === 'ARes' ? 'S5' : 'S3'
    const { authenticationValue: _, eci: __, ...rest } = sample(base)
    const { message, version } = read(
      { ...rest, ...members, ...(value && { authenticationValue: VALUE }) },
      'ARes',
      'RReq',
    )
    const { report } =
      message.messageType === 'ARes'
        ? outcomeOfAnswer(message, version, ASKED)
        : outcomeOfResult(message, version, ASKED)
    const said = {
      authenticated: () => (report.type === 'authenticated' ? `${report.proof.status} ${report.proof.eci}` : ''),
      authentication_failed: () => (report.type === 'authentication_failed' ? `${report.status} ${report.reason}` : ''),
    }[report.type as 'authenticated']()
    equal(said, EXPECTED[id])
  })
})

test('case 1: S19 is an error, whichever server reports it', () => {
  for (const errorComponent of ['D', 'S']) {
    const { message } = read(sample('S19', { errorComponent }), 'Erro')
    deepEqual([message.errorCode, message.errorDetail], ['404', 'Database not available'])
  }
})
