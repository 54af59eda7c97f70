// test/unit/acquirers/iso8583/codec.test.ts — packings at their edges, and messages that are refused.
import { deepEqual, equal, throws } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { CODE_PAGES, decodeText, encodeText } from '../../../../src/acquirers/iso8583/code-pages.ts'
import type { DialectDocument } from '../../../../src/acquirers/iso8583/dialect-schema.ts'
import { unpackMessage } from '../../../../src/acquirers/iso8583/message-codec.ts'
import { answerTypeOf, messageTypeText, repeatTypeOf } from '../../../../src/acquirers/iso8583/message-type.ts'
import { composeParts, readParts } from '../../../../src/acquirers/iso8583/parts.ts'
import {
  ASCII_DEFAULTS,
  ASCII_HEX,
  BCD_DEFAULTS,
  BCD_RAW,
  bytesOf,
  EBCDIC_DEFAULTS,
  formatFrom,
  packedHex,
} from './formats.ts'

/** A BCD message with one field, 2 to 64: type, bitmap, and the bytes of the field. */
function withField(number: number, hex: string): Uint8Array {
  const bitmap = (1n << BigInt(64 - number)).toString(16).padStart(16, '0')
  return bytesOf(`0200${bitmap}${hex}`)
}

function bcdWith(fields: DialectDocument['fields'], defaults: Partial<DialectDocument['defaults']> = {}) {
  return formatFrom({ mti: 'bcd', bitmap: 'raw', defaults: { ...BCD_DEFAULTS, ...defaults }, fields })
}

describe('case 5: an odd number of BCD digits is filled on the side that the dialect says', () => {
  test.each([
    ['left0', '1', '0101'],
    ['right0', '1', '0110'],
    ['rightF', '1', '011f'],
    ['left0', '123', '030123'],
    ['right0', '123', '031230'],
    ['rightF', '123', '03123f'],
    ['left0', '1234567890123456789', '1901234567890123456789'],
    ['right0', '1234567890123456789', '1912345678901234567890'],
    ['rightF', '1234567890123456789', '191234567890123456789f'],
  ] as const)('%s: %s', (odd, value, content) => {
    const format = bcdWith({ '2': { odd } })
    const bytes = withField(2, content)
    equal(packedHex(format, { mti: '0200', fields: { 2: value } }), Buffer.from(bytes).toString('hex'))
    equal(unpackMessage(format, bytes).fields[2], value)
  })

  test.each(['left0', 'rightF'] as const)('a filler that is none is refused: %s', odd => {
    throws(() => unpackMessage(bcdWith({ '2': { odd } }), withField(2, '011234')), { field: '2' })
    throws(() => unpackMessage(bcdWith({ '2': { odd } }), withField(2, '0155')), { field: '2', offset: 11 })
  })

  test('a length that counts bytes keeps a zero that may be a digit, and drops an F', () => {
    const ll = { as: 'bcd', bytes: 2, counts: 'bytes' } as const
    equal(unpackMessage(bcdWith({}, { ll }), withField(2, '0002 0123')).fields[2], '0123')
    const bare = bcdWith({ '2': { odd: 'rightF' } }, { ll })
    equal(unpackMessage(bare, withField(2, '0002 123f')).fields[2], '123')
    equal(packedHex(bare, { mti: '0200', fields: { 2: '123' } }), '020040000000000000000002123f')
    const longest = '1234567890123456789'
    equal(unpackMessage(bcdWith({}, { ll }), withField(2, `0010 0${longest}`)).fields[2], longest)
    throws(() => unpackMessage(bcdWith({}, { ll }), withField(2, `0010 1${longest}`)), /one digit too many/)
  })
})

describe('a message that is not as the dialect says is refused at its place', () => {
  test.each([
    [
      'case 6: a length beyond the end',
      withField(2, '165555'),
      { field: '2', message: /^Field 2 at byte 11: is cut off/ },
    ],
    [
      'case 7: a length above the most of the field',
      withField(2, '2055'),
      { field: '2', message: /says a length above 19, which is the most/ },
    ],
    ['case 8: bytes after the last field', withField(3, '00000001'), { field: 'frame', offset: 13 }],
    ['case 10: bit 65', bytesOf('0200 8000000000000000 8000000000000000'), { field: '65', offset: 18 }],
    ['case 12: a half byte A in digits', withField(3, '00a000'), { field: '3', offset: 11 }],
    ['case 12: a half byte F in a length', withField(2, 'f1'), { field: '2', offset: 10 }],
    ['a type that is no number', bytesOf('02a0 0000000000000000'), { field: 'mti', offset: 1 }],
    ['half a bitmap', bytesOf('0200 00000000'), { field: 'bitmap', offset: 2 }],
    ['nothing', new Uint8Array(0), { field: 'mti', offset: 0 }],
  ])('%s', (_, bytes, refusal) => throws(() => unpackMessage(BCD_RAW, bytes), { name: 'Refused', ...refusal }))

  test('case 9: a bit for a field without a format names the field', () => {
    const format = bcdWith({ '40': null })
    throws(() => unpackMessage(format, withField(40, '414243')), {
      field: '40',
      message: /Field 40 at byte 10: has no format/,
    })
    throws(() => packedHex(format, { mti: '0200', fields: { 40: 'ABC' } }), { field: '40', offset: null })
  })

  test('case 11: an announced second bitmap without fields is accepted', () => {
    deepEqual(unpackMessage(BCD_RAW, bytesOf('0800 8000000000000000 0000000000000000')).fields, {})
  })

  test('case 12: letters in digits are refused in ASCII, and when they are packed', () => {
    const bytes = Buffer.from('02002000000000000000000A00', 'latin1')
    throws(() => unpackMessage(ASCII_HEX, bytes), { field: '3', message: /must be digits/ })
    throws(() => packedHex(BCD_RAW, { mti: '0200', fields: { 3: '00A000' } }), { field: '3' })
    throws(() => packedHex(BCD_RAW, { mti: '02x0', fields: {} }), { field: 'mti' })
  })

  test('a value that does not fit is not packed', () => {
    throws(() => packedHex(BCD_RAW, { mti: '0200', fields: { 41: '123456789' } }), /longer than 8, with 9/)
    throws(() => packedHex(BCD_RAW, { mti: '0200', fields: { 52: '00' } }), /must have 8 bytes, not 1/)
    throws(() => packedHex(BCD_RAW, { mti: '0200', fields: { 41: '€' } }), { field: '41' })
    throws(() => packedHex(BCD_RAW, { mti: '0200', fields: { 41: [] } }), /has no sub-fields/)
    throws(() => packedHex(BCD_RAW, { mti: '0200', fields: { 55: '9F26' } }), /list of its sub-fields/)
  })

  test('a refusal repeats nothing of the card', () => {
    const refusals: string[] = []
    const digits = '4761739001010119'
    for (const fields of [{ 2: `${digits}A` }, { 35: `${digits}=X` }, { 2: `${digits}0000` }, { 41: `${digits}` }])
      throws(
        () => packedHex(BCD_RAW, { mti: '0200', fields }),
        error => refusals.push(String(error)) > 0,
      )
    equal(refusals.length, 4)
    for (const refusal of refusals) equal(/\d{4}/.test(refusal), false, refusal)
  })
})

describe('case 13: signed amounts', () => {
  const format = bcdWith({})
  test.each(['C', 'D'])('%s', sign => {
    const hex = packedHex(format, { mti: '0200', fields: { 28: `${sign}00000100` } })
    equal(hex.slice(20), `${sign === 'C' ? '43' : '44'}00000100`)
    equal(unpackMessage(format, bytesOf(hex)).fields[28], `${sign}00000100`)
  })

  test('another letter is refused, and the sign is in EBCDIC where text is', () => {
    throws(() => unpackMessage(format, withField(28, '4500000100')), { field: '28', message: /C or D/ })
    throws(() => packedHex(format, { mti: '0200', fields: { 28: '00000100' } }), { field: '28' })
    const ebcdic = formatFrom({ mti: 'bcd', bitmap: 'raw', defaults: { ...EBCDIC_DEFAULTS, n: { as: 'bcd' } } })
    equal(packedHex(ebcdic, { mti: '0200', fields: { 28: 'D100' } }).slice(20), 'c400000100')
  })
})

test('case 14: a hexadecimal bitmap is accepted in small letters and sent in capitals', () => {
  const text = '0800822000000000000004000000000000000420090613900001001'
  const read = unpackMessage(ASCII_HEX, Buffer.from(text.toLowerCase(), 'latin1'))
  equal(Buffer.from(packedHex(ASCII_HEX, read), 'hex').toString('latin1'), text)
  const letters = Buffer.from('0100F0ABC00000000000'.toLowerCase(), 'latin1')
  throws(() => unpackMessage(ASCII_HEX, letters), { field: 'bitmap', offset: 20 })
  throws(() => unpackMessage(ASCII_HEX, Buffer.from('01007g00000000000000', 'latin1')), { field: 'bitmap', offset: 5 })
})

describe('case 15: EBCDIC', () => {
  const printed = Array.from({ length: 256 }, (_, code) => code).filter(
    code => (code >= 32 && code < 127) || code >= 160,
  )
  const all = String.fromCharCode(...printed)

  test.each(CODE_PAGES)('every character of code page %s comes back', codePage => {
    const bytes = encodeText(codePage, all)
    equal(bytes instanceof Uint8Array && new Set(bytes).size, 191)
    equal(decodeText(codePage, bytes as Uint8Array), all)
    const format = formatFrom({ mti: 'ebcdic', bitmap: 'hex-ebcdic', defaults: EBCDIC_DEFAULTS, codePage })
    const fields = { 3: '000000', 48: all, 43: '[Café] ^ | !'.padEnd(40) }
    deepEqual(unpackMessage(format, bytesOf(packedHex(format, { mti: '0200', fields }))).fields, fields)
  })

  test.each([
    ['037', '4f5abbba5f', '|!][¬'],
    ['500', '4f5abbba5f', '!]|¬^'],
    ['1047', '4f5abbad5f', '|!¨[^'],
  ] as const)('code page %s has its own brackets', (codePage, hex, text) => {
    equal(decodeText(codePage, bytesOf(hex)), text)
  })

  test('a control character is refused', () => {
    deepEqual(decodeText('037', bytesOf('c115')), { wrongAt: 1 })
    deepEqual(decodeText('ascii', bytesOf('41 1b')), { wrongAt: 1 })
  })
})

describe('case 16: track 2', () => {
  const value = '4761739001010119=301220112345678'
  test.each(['=', 'D'] as const)('with %s in text', separator => {
    const format = formatFrom({
      mti: 'ascii',
      bitmap: 'hex',
      defaults: { ...ASCII_DEFAULTS, z: { as: 'ascii', separator } },
    })
    const text = Buffer.from(packedHex(format, { mti: '0200', fields: { 35: value } }), 'hex').toString('latin1')
    equal(text, `0200000000002000000032${value.replace('=', separator)}`)
    for (const other of ['=', 'D'])
      equal(unpackMessage(format, Buffer.from(text.replace(separator, other), 'latin1')).fields[35], value)
  })

  test('with the half byte D in BCD, its length in digits', () => {
    const hex = packedHex(BCD_RAW, { mti: '0200', fields: { 35: `${value}9` } })
    equal(hex.slice(20), '334761739001010119d3012201123456789f')
    equal(unpackMessage(BCD_RAW, bytesOf(hex)).fields[35], `${value}9`)
    throws(() => packedHex(BCD_RAW, { mti: '0200', fields: { 35: 'B4761' } }), { field: '35' })
  })
})

describe('case 17: chip data', () => {
  const chip = (hex: string) => withField(55, String(hex.length / 2).padStart(4, '0') + hex)
  const read = (hex: string) => unpackMessage(BCD_RAW, chip(hex)).fields[55]

  test('long lengths, tags of one to three bytes, constructed and unknown tags are kept', () => {
    const long = 'ab'.repeat(200)
    deepEqual(read(`9c0100 9f020101 df812901aa 700312 0100 9f7c81c8${long}`.replaceAll(' ', '')), [
      ...[
        { id: '9C', value: '00' },
        { id: '9F02', value: '01' },
        { id: 'DF8129', value: 'AA' },
      ],
      ...[
        { id: '70', value: '120100' },
        { id: '9F7C', value: long.toUpperCase() },
      ],
    ])
    const fields = {
      55: [
        { id: '9F7C', value: long.toUpperCase() },
        { id: '84', value: '' },
      ],
    }
    equal(packedHex(BCD_RAW, { mti: '0200', fields }).slice(20), `02069f7c81c8${long}8400`)
  })

  test.each([
    ['a tag cut off', '9f', /Field 55 at byte 13: is missing/],
    ['a value cut off', '9f260811', /Field 55.9F26 at byte 15: is cut off/],
    ['a length cut off', '9f2682', /Field 55.9F26 at byte 15: is missing/],
    ['a length without end', '9f268000', /not definite/],
    ['a duplicate', '9c01009c0100', /Field 55.9C.*there twice/],
    ['a tag of zeros', '000000', /none of BER-TLV/],
    ['a tag without end', '9f8181818101', /none of BER-TLV/],
  ])('%s is refused', (_, hex, message) => throws(() => read(hex), { name: 'Refused', message }))

  test.each([
    [[{ id: '9F', value: '00' }], /not a tag/],
    [[{ id: '9C', value: '0' }], /must be bytes/],
    [
      [
        { id: '9C', value: '00' },
        { id: '9C', value: '00' },
      ],
      /there twice/,
    ],
  ])('%o is not packed', (tags, message) =>
    throws(() => packedHex(BCD_RAW, { mti: '0200', fields: { 55: tags } }), { name: 'Refused', message }),
  )
})

test('a refusal names no tag that is long enough to be a part of a card number', () => {
  const bytes = withField(55, `0005 5f${'a0'.repeat(2)}01 05`)
  throws(() => unpackMessage(BCD_RAW, bytes), { name: 'Refused', field: '55' })
  const tlv = { tag: { as: 'bcd', bytes: 6 }, length: { as: 'bcd', bytes: 1 }, values: 'hex' } as const
  const format = bcdWith({ '63': { type: 'b', max: 99, tlv } })
  const digits = '476173900101'
  throws(
    () => unpackMessage(format, withField(63, `08${digits}0901`)),
    error => String(error) === 'Refused: Field 63 at byte 18: is cut off.',
  )
})

describe('private tags', () => {
  const format = bcdWith({
    '63': {
      ...{ type: 'b', max: 999, show: 'plain' },
      tlv: { tag: { as: 'bcd', bytes: 1 }, length: { as: 'bcd', bytes: 2 }, values: 'ascii' },
    },
  })
  test('are read and packed in their order', () => {
    const fields = {
      63: [
        { id: '16', value: 'ABC' },
        { id: '04', value: '' },
      ],
    }
    equal(packedHex(format, { mti: '0200', fields }).slice(20), '0009 16 0003 414243 04 0000'.replaceAll(' ', ''))
    deepEqual(unpackMessage(format, withField(63, '0009160003414243040000')).fields, fields)
  })

  test('are refused when they are none', () => {
    throws(
      () => packedHex(format, { mti: '0200', fields: { 63: [{ id: '4', value: '' }] } }),
      /not a tag of this field/,
    )
    throws(() => unpackMessage(format, withField(63, '00030a0000')), { field: '63' })
    throws(() => unpackMessage(format, withField(63, '0004 16 0003 41')), { field: '63.16' })
  })
})

describe('case 18: field 54', () => {
  const structure = {
    repeated: true,
    parts: [
      ...[
        { name: 'account', length: 2, prefixed: false },
        { name: 'kind', length: 2, prefixed: false },
      ],
      ...[
        { name: 'currency', length: 3, prefixed: false },
        { name: 'sign', length: 1, prefixed: false },
      ],
      { name: 'amount', length: 12, prefixed: false },
    ],
  }
  test('of one to six blocks is read and composed, kinds without a meaning for us included', () => {
    const cash = { account: '00', kind: '40', currency: '826', sign: 'D', amount: '000000001000' }
    equal(composeParts(structure.parts, cash, '54'), '0040826D000000001000')
    for (let count = 1; count <= 6; count += 1) {
      const text = `0040826D000000001000${'0099826C000000000001'.repeat(count - 1)}`
      const blocks = readParts(structure, text, '54')
      deepEqual([blocks.length, blocks[0]], [count, cash])
      const fields = { 54: text }
      deepEqual(unpackMessage(BCD_RAW, bytesOf(packedHex(BCD_RAW, { mti: '0200', fields }))).fields, fields)
    }
    throws(() => readParts(structure, '0040826D0000000010000', '54'), { field: '54.account', message: /cut off/ })
  })
})

describe('case 19: original data', () => {
  const part = (name: string, length: number, prefixed = false) => ({ name, length, prefixed })
  const of90 = [part('mti', 4), part('stan', 6), part('transmission', 10), part('acquirer', 11), part('forwarder', 11)]
  const of56 = [part('mti', 4), part('stan', 6), part('localTime', 12), part('acquirer', 11, true)]

  test('of 1987, with zeros where a number is not known', () => {
    const original = { mti: '0200', stan: '003316', transmission: '0908064519', acquirer: '200' }
    const text = composeParts(of90, original, '90')
    equal(text, '020000331609080645190000000020000000000000')
    deepEqual(readParts({ parts: of90, repeated: false }, text, '90'), [
      { ...original, acquirer: '00000000200', forwarder: '00000000000' },
    ])
  })

  test('of 1993, with the length of the acquirer', () => {
    const original = { mti: '1200', stan: '000002', localTime: '261128093005', acquirer: '10031' }
    const text = composeParts(of56, original, '56')
    equal(text, '12000000022611280930050510031')
    deepEqual(readParts({ parts: of56, repeated: false }, text, '56'), [original])
    throws(() => readParts({ parts: of56, repeated: false }, text.slice(0, -1), '56'), /cut off/)
    throws(() => readParts({ parts: of56, repeated: false }, `${text}0`, '56'), /1 characters after/)
    throws(() => composeParts(of56, { bank: '1' }, '56'), { field: '56.bank' })
    throws(() => composeParts(of56, { stan: '1234567' }, '56'), { field: '56.stan' })
  })
})

describe('message types', () => {
  test.each([
    ['0200', '0210', '0201'],
    ['0201', '0210', '0201'],
    ['0420', '0430', '0421'],
    ['0421', '0430', '0421'],
    ['1804', '1814', '1805'],
    ['0802', '0812', '0803'],
    ['0210', null, '0211'],
    ['0240', null, '0241'],
  ])('%s is answered by %s and repeated as %s', (mti, answer, repeat) =>
    deepEqual([answerTypeOf(mti), repeatTypeOf(mti)], [answer, repeat]),
  )

  test('are written in words', () => {
    equal(messageTypeText('0421'), 'reversal advice (acquirer, repeat), 1987')
    equal(messageTypeText('9999'), 'unknown unknown (unknown), private')
  })
})
