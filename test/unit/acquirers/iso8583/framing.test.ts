// test/unit/acquirers/iso8583/framing.test.ts — messages are found in a stream of bytes however it is cut.
import { deepEqual, equal, throws } from 'node:assert/strict'
import { describe, test } from 'vitest'
import {
  answerHeader,
  createFrameReader,
  type Framing,
  frameMessage,
  LENGTH_HEADERS,
} from '../../../../src/acquirers/iso8583/framing.ts'
import { bytesOf } from './formats.ts'

const NOTHING = new Uint8Array(0)
const MESSAGES = ['0800', '0810 more', '0200 the last one'].map(text => Buffer.from(text, 'latin1'))

function framing(length: Framing['length'], others: Partial<Framing> = {}): Framing {
  return { length, maxBytes: 64, header: NOTHING, answer: 'own', trailer: NOTHING, ...others }
}

function textsOf(frames: readonly { readonly message: Uint8Array }[]): readonly string[] {
  return frames.map(({ message }) => Buffer.from(message).toString('latin1'))
}

describe('case 23: messages are found byte by byte, many at once and in pieces', () => {
  const kinds: readonly (readonly [string, Framing])[] = [
    ...LENGTH_HEADERS.map(length => [length, framing(length)] as const),
    ['binary2 with a TPDU', framing('binary2', { header: bytesOf('6000030000') })],
    ['ascii4 with a header', framing('ascii4', { header: Buffer.from('ISO026000075') })],
    ['binary2 with a trailer', framing('binary2', { trailer: bytesOf('03') })],
  ]
  test.each(kinds)('%s', (_, kind) => {
    const stream = Buffer.concat(MESSAGES.map(message => frameMessage(kind, message)))
    const texts = textsOf(MESSAGES.map(message => ({ message })))
    deepEqual(textsOf(createFrameReader(kind).push(stream)), texts)
    for (const size of [1, 2, 3, 5, 7, stream.length - 1]) {
      const reader = createFrameReader(kind)
      const found: string[] = []
      for (let at = 0; at < stream.length; at += size)
        found.push(...textsOf(reader.push(stream.subarray(at, at + size))))
      deepEqual([found, reader.pending], [texts, 0], `pieces of ${size}`)
    }
  })

  test.each([
    ['binary2', '0004'],
    ['binary2-inclusive', '0006'],
    ['binary2-zero2', '00040000'],
    ['binary4', '00000004'],
    ['bcd2', '0004'],
    ['ascii4', '30303034'],
    ['hex4', '30303034'],
  ] as const)('the length of %s', (length, hex) => {
    equal(Buffer.from(frameMessage(framing(length), bytesOf('08000000'))).toString('hex'), `${hex}08000000`)
  })

  test('a trailer counts, and is demanded', () => {
    const kind = framing('binary2', { trailer: bytesOf('03') })
    equal(Buffer.from(frameMessage(kind, bytesOf('0800'))).toString('hex'), '0003080003')
    throws(() => createFrameReader(kind).push(bytesOf('0003080004')), { name: 'Refused', message: /trailer/ })
  })
})

describe('case 24: a length of zero', () => {
  test('keeps the connection alive where the kind has one', () => {
    const reader = createFrameReader(framing('binary2-zero2'))
    deepEqual(textsOf(reader.push(bytesOf('00000000 00000000 00040000 30383030 00000000'))), ['0800'])
    equal(reader.pending, 0)
  })

  test('is refused elsewhere', () => {
    throws(() => createFrameReader(framing('binary2')).push(bytesOf('0000')), { name: 'Refused', field: 'frame' })
    throws(() => createFrameReader(framing('binary2-inclusive')).push(bytesOf('0001')), { name: 'Refused' })
    const withHeader = framing('binary2', { header: bytesOf('6000030000') })
    throws(() => createFrameReader(withHeader).push(bytesOf('0005')), /5 bytes, and 6 is the fewest/)
  })
})

describe('case 25: a length over the limit is refused before its bytes arrive', () => {
  test.each([
    ['binary2', '0041'],
    ['binary2-inclusive', '0043'],
    ['binary2-zero2', '00410000'],
    ['binary4', 'ffffffff'],
    ['bcd2', '0065'],
    ['ascii4', '30303635'],
    ['hex4', '30303431'],
    ['etx', '30'.repeat(65)],
  ] as const)('%s', (length, hex) => {
    throws(() => createFrameReader(framing(length)).push(bytesOf(hex)), { name: 'Refused', message: /64 is the most/ })
  })

  test.each([
    ['bcd2', '00a0'],
    ['ascii4', '3030 3061'],
    ['hex4', '3030 3067'],
    ['binary2-zero2', '00040001'],
  ] as const)('so is a length of %s that is none', (length, hex) => {
    throws(() => createFrameReader(framing(length)).push(bytesOf(hex)), { name: 'Refused', field: 'frame' })
  })

  test('and a message that is too long to be sent', () => {
    throws(() => frameMessage(framing('binary2'), new Uint8Array(65)), { name: 'Refused' })
  })
})

test('case 26: an answer to the host has the addresses of its TPDU swapped, or the header that its dialect says', () => {
  const received = bytesOf('6000031234')
  const hexOf = (answer: Framing['answer']) =>
    Buffer.from(answerHeader(framing('binary2', { header: bytesOf('6000990000'), answer }), received)).toString('hex')
  deepEqual([hexOf('swap'), hexOf('echo'), hexOf('own')], ['6012340003', '6000031234', '6000990000'])
  const kind = framing('binary2', { header: bytesOf('6000990000'), answer: 'swap' })
  const [frame] = createFrameReader(kind).push(frameMessage(kind, bytesOf('0810'), answerHeader(kind, received)))
  equal(Buffer.from(frame!.header).toString('hex'), '6012340003')
})
