// test/unit/peers/acquirer-host/codec.test.ts — the host's codec: every packing round and back, a second codec, and refusals.
import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { array, assert, constantFrom, nat, property, record, stringMatching, tuple } from 'fast-check'
import { describe, test } from 'vitest'
import host93 from '../../../../src/acquirers/iso8583/dialects/host-93.json' with { type: 'json' }
import plain87 from '../../../../src/acquirers/iso8583/dialects/plain-87-ascii.json' with { type: 'json' }
import pos87 from '../../../../src/acquirers/iso8583/dialects/pos-87-bcd.json' with { type: 'json' }
import { type Fields, pack, unpack, valueFault } from '../../../../src/peers/acquirer-host/codec.ts'
import { dialectIn } from '../../../../src/peers/acquirer-host/dialect.ts'
import { answerHeader, framed, frameReader, framingIn } from '../../../../src/peers/acquirer-host/framing.ts'
import { macOf } from '../../../../src/peers/acquirer-host/mac.ts'
import { packingIn } from '../../../../src/peers/acquirer-host/packing.ts'
import { lineOf } from '../../../../src/peers/acquirer-host/printable.ts'
import { Unreadable } from '../../../../src/peers/acquirer-host/unreadable.ts'
import { otherCodec, otherFormats } from '../../../support/iso-8583-codec.ts'

const EBCDIC = {
  ...{ standard: '1987', mti: 'ebcdic', bitmap: 'hex-ebcdic' },
  defaults: {
    ...{ n: { as: 'ebcdic' }, text: { as: 'ebcdic' }, z: { as: 'ebcdic', separator: 'D' }, b: { as: 'raw' } },
    ll: { as: 'ebcdic', bytes: 2, counts: 'digits' },
    lll: { as: 'ebcdic', bytes: 3, counts: 'digits' },
  },
}
const BCD_RIGHT = {
  ...{ standard: '1987', mti: 'bcd', bitmap: 'raw' },
  defaults: {
    ...{ n: { as: 'bcd', odd: 'right0', oddVariable: 'rightF' }, text: { as: 'ebcdic' }, z: { as: 'bcd' } },
    ...{ b: { as: 'raw' }, ll: { as: 'binary', bytes: 1, counts: 'bytes' } },
    lll: { as: 'bcd', bytes: 2, counts: 'bytes' },
  },
}

const FIELDS = record({
  2: stringMatching(/^[1-9]\d{12,18}$/),
  3: stringMatching(/^\d{6}$/),
  19: stringMatching(/^\d{3}$/),
  28: stringMatching(/^[CD]\d{8}$/),
  35: stringMatching(/^[1-9]\d{12,18}=\d{7,17}$/),
  43: stringMatching(/^[ -~]{40}$/),
  48: stringMatching(/^[ -~]{0,120}$/),
  52: stringMatching(/^[0-9A-F]{16}$/),
  55: stringMatching(/^([0-9A-F]{2}){0,120}$/),
  97: stringMatching(/^[CD]\d{16}$/),
})

test.each([
  ['plain-87-ascii', plain87],
  ['pos-87-bcd', pos87],
  ['EBCDIC', EBCDIC],
  ['BCD filled up on the right, lengths in binary', BCD_RIGHT],
])('any fields come back as they were packed: %s', (_, document) => {
  const packing = packingIn(document)
  assert(
    property(FIELDS, constantFrom('0200', '0421'), (values, mti) => {
      const fields: Fields = { ...values }
      deepEqual(unpack(pack({ mti, fields }, packing), packing), { mti, fields })
    }),
    { seed: 87, numRuns: 200 },
  )
})

test('all printable characters come back from EBCDIC', () => {
  const packing = packingIn(EBCDIC)
  const all = Array.from({ length: 95 }, (_, index) => String.fromCharCode(index + 32)).join('')
  const packed = pack({ mti: '0100', fields: { 48: all } }, packing)
  equal(unpack(packed, packing).fields[48], all)
  equal(packed.subarray(0, 4).toString('hex'), 'f0f1f0f0')
})

describe('the examples of the dialects', () => {
  for (const document of [plain87, pos87, host93])
    test.each(document.examples.map(({ of, hex, fields }) => [of, hex, fields] as const))(
      `of ${document.name}: %s`,
      (_, hex, fields) => {
        const packing = packingIn(document)
        const read = unpack(Buffer.from(hex, 'hex'), packing)
        deepEqual(read.fields, fields)
        equal(pack(read, packing).toString('hex'), hex)
      },
    )
})

describe('iso_8583', () => {
  const packing = packingIn({ ...plain87, bitmap: 'raw', alwaysSecondary: true })
  const fields: Fields = {
    ...{ 2: '4761739001010119', 3: '000000', 4: '000000005000', 7: '0911131411', 11: '000123', 22: '051', 32: '10031' },
    ...{
      35: '4761739001010119=30122011234567890',
      37: '123456789012',
      41: '12345678',
      42: '811234567890101',
      49: '404',
    },
    90: '020000012309111314110000001003100000000000',
  }

  test('reads what the host packs', () => {
    const body = pack({ mti: '0420', fields }, packing)
    const read = otherCodec({}, otherFormats).getIsoJSON(body, { lenHeader: false })
    for (const [number, value] of Object.entries(fields)) equal(read[number], value, number)
    equal(read['0'], '0420')
  })

  test('packs what the host reads', () => {
    const packed = otherCodec({ 0: '0420', ...fields }, otherFormats).getBufferMessage()
    ok(Buffer.isBuffer(packed), JSON.stringify(packed))
    deepEqual(unpack(packed.subarray(2), packing), { mti: '0420', fields })
  })
})

describe('a message is refused', () => {
  const packing = packingIn(pos87)
  const ECHO = '0800202001000080000099000000000100033239313130303031'
  test.each([
    ['cut off in a field', ECHO.slice(0, -2), /^field 41 ends after 7 of 8 bytes/],
    ['cut off in the bitmap', ECHO.slice(0, 10), /^ends after 3 of 8 bytes/],
    ['with a byte too many', `${ECHO}00`, /1 bytes after the last field/],
    ['with a third bitmap', `0800a020000000000000${'8000000000000000'}990000000001`, /^field 65 has no format/],
    ['with a filler that is not zero', ECHO.replace('0003', '1003'), /^field 24 is filled up with another/],
    ['with a length above the most', '020040000000000000002000', /^field 2 announces 20 of at most 19/],
    ['with a type of letters', ECHO.replace('0800', '08AF'), /message type/],
  ])('%s', (_, hex, says) => {
    throws(() => unpack(Buffer.from(hex, 'hex'), packing), { name: 'Unreadable', message: says })
  })

  test('when what is packed does not fit', () => {
    throws(() => pack({ mti: '0800', fields: { 3: '1234567' } }, packing), /field 3 has 7 of at most 6/)
    throws(() => pack({ mti: '0800', fields: { 52: 'AB' } }, packing), /field 52 has 1 of 8/)
    throws(() => pack({ mti: '0800', fields: { 129: '1' } }, packing), /field 129/)
  })

  test('by its values, which bytes alone do not show', () => {
    const fault = (number: number, value: string) => valueFault(value, packing.fields.get(number)!)
    equal(fault(4, '00000000A000'), 'is not of digits')
    equal(fault(97, 'E0000000000000001'), 'does not begin with C or D')
    equal(fault(35, '4761739001010119==3012'), 'is no track')
    equal(fault(43, 'A\u0007B'), 'has a control character')
    equal(fault(97, 'D0000000000000001'), null)
  })
})

test('damaged messages are refused or read, and nothing else is thrown', () => {
  const packing = packingIn(host93)
  const [, example] = host93.examples
  const whole = Buffer.from(example!.hex, 'hex')
  assert(
    property(array(tuple(nat(whole.length - 1), nat(255)), { minLength: 1, maxLength: 6 }), nat(8), (changes, cut) => {
      const damaged = Buffer.from(whole.subarray(0, whole.length - cut))
      for (const [at, byte] of changes) if (at < damaged.length) damaged[at] = byte
      try {
        equal(pack(unpack(damaged, packing), packing).length, damaged.length)
      } catch (error) {
        ok(error instanceof Unreadable, String(error))
      }
    }),
    { seed: 87, numRuns: 20_000 },
  )
})

test('the lengths before a field by their names, and described', () => {
  const fields = {
    ...{ 46: { type: 'ans', max: 50, prefix: 'lll' }, 47: { type: 'ans', max: 9999, prefix: 'llll' } },
    48: { type: 'ans', max: 50, prefix: { as: 'binary', bytes: 1, counts: 'bytes' } },
    127: { type: 'ans', max: 9999, prefix: 'llllll' },
  }
  const packing = packingIn({ ...plain87, fields })
  const packed = pack({ mti: '0800', fields: { 46: 'A', 47: 'BC', 48: 'D', 127: 'EF' } }, packing)
  equal(packed.toString('latin1').slice(36), '001A0002BC\u0001D000002EF')
  deepEqual(unpack(packed, packing).fields, { 46: 'A', 47: 'BC', 48: 'D', 127: 'EF' })
})

test('the header of an answer is swapped, repeated, or that of the dialect', () => {
  const header = Buffer.from('6000030001', 'hex')
  const answered = (answer: string) => {
    const framing = framingIn({ framing: { length: 'binary2', header: { bytes: '6000039999', answer } } })
    return answerHeader(header, framing).toString('hex')
  }
  deepEqual(['swap', 'echo', 'own'].map(answered), ['6000010003', '6000030001', '6000039999'])
})

describe('a dialect is refused', () => {
  test.each([
    ['without a standard', { standard: '2003' }, /^standard must be one of 1987, 1993/],
    ['with a packing that is none', { mti: 'utf8' }, /^mti must be one of ascii, bcd, ebcdic/],
    ['with an unknown word in a field', { fields: { 48: { encoding: 'bcd' } } }, /^fields\.48\.encoding is unknown/],
    ['with a field that cannot be', { fields: { 65: { type: 'n', length: 1 } } }, /^fields\.65 is no field/],
    ['with a length that is none', { framing: { length: 'etx' } }, /^framing\.length must be one of binary2/],
    [
      'with a TPDU that cannot be swapped',
      { framing: { length: 'binary2', header: { bytes: '60', answer: 'swap' } } },
      /5 bytes/,
    ],
    [
      'with a field list that is none',
      { messages: { echo: { mti: '0800', fields: '7 x' } } },
      /^messages\.echo\.fields has "x"/,
    ],
  ])('%s', (_, change, says) => {
    throws(() => dialectIn({ ...plain87, ...change }), { message: says })
  })
})

describe('framing', () => {
  const kinds = ['binary2', 'binary2-inclusive', 'binary2-zero2', 'binary4', 'bcd2', 'ascii4', 'hex4']
  test.each([
    ['binary2', '0003616263'],
    ['binary2-inclusive', '0005616263'],
    ['binary2-zero2', '00030000616263'],
    ['binary4', '00000003616263'],
    ['bcd2', '0003616263'],
    ['ascii4', '30303033616263'],
    ['hex4', '30303033616263'],
  ])('%s', (length, hex) => {
    const framing = framingIn({ framing: { length } })
    const none = Buffer.alloc(0)
    equal(framed({ header: none, body: Buffer.from('abc') }, framing).toString('hex'), hex)
  })

  test.each(kinds)('%s: byte by byte, and many at once', length => {
    const framing = framingIn({ framing: { length } })
    const bodies = ['a', 'bc'.repeat(50), 'def'].map(text => Buffer.from(text))
    const stream = Buffer.concat(bodies.map(body => framed({ header: Buffer.alloc(0), body }, framing)))
    const byByte = frameReader(framing)
    deepEqual(
      [...stream].flatMap(byte => byByte(Buffer.from([byte]))).map(({ body }) => body),
      bodies,
    )
    deepEqual(
      frameReader(framing)(stream).map(({ body }) => body),
      bodies,
    )
  })

  test('a length of 0 is a heartbeat; one above the limit, or of letters, ends the connection', () => {
    const vap = framingIn({ framing: { length: 'binary2-zero2', maxBytes: 16 } })
    deepEqual(frameReader(vap)(Buffer.from('00000000', 'hex')), [])
    throws(() => frameReader(vap)(Buffer.from('00110000', 'hex')), /length/)
    throws(() => frameReader(framingIn({ framing: { length: 'ascii4' } }))(Buffer.from('00a1')), /length/)
  })
})

test.each([
  ['ISO/IEC 9797-1, algorithm 3', 'Now is the time for all ', 'a1c72e74ea3fa9b6'],
  ['a message of network management', '0800822000000000000004000000000000000101000000000001301', '114230dae22f31c4'],
])('the retail code of a published text: %s', (_, text, code) => {
  const key = Buffer.from('0123456789ABCDEFFEDCBA9876543210', 'hex')
  const mac = macOf(Buffer.from(text), key, { algorithm: 'retail', bytes: 8, padding: 'zeros' })
  equal(mac.toString('hex'), code)
})

test('a line shows no digit of what must not be seen', () => {
  const fields: Fields = {
    ...{ 2: '4761739001010119', 3: '000000', 4: '000000002599', 11: '000123', 14: '3012', 34: '4761739001010119' },
    ...{ 35: '4761739001010119=30122011234567890', 45: 'B4761739001010119^A/B^3012', 48: '4761739001010119' },
    ...{ 52: '7434F67813BAE545', 55: '5A084761739001010119', 63: '020', 102: '4761739001010119' },
  }
  equal(
    lineOf({ mti: '0200', fields }, dialectIn(plain87)),
    '0200 charge card=476173******0119 processing=000000 amount=000000002599 stan=000123',
  )
  const { 2: _number, ...byTrack } = fields
  ok(lineOf({ mti: '0200', fields: byTrack }, dialectIn(plain87)).includes('card=476173******0119'))
})
