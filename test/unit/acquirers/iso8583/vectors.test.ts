// test/unit/acquirers/iso8583/vectors.test.ts — published messages of other codecs and hosts are read, and packed to the same bytes.
import { deepEqual, equal, throws } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'vitest'
import type { DialectDocument } from '../../../../src/acquirers/iso8583/dialect-schema.ts'
import type { SubField } from '../../../../src/acquirers/iso8583/field-format.ts'
import { createFrameReader, type Framing, frameMessage } from '../../../../src/acquirers/iso8583/framing.ts'
import {
  type Message,
  type MessageFormat,
  packMessage,
  unpackMessage,
} from '../../../../src/acquirers/iso8583/message-codec.ts'
import {
  ASCII_DEFAULTS,
  ASCII_HEX,
  ASCII_RAW,
  BCD_DEFAULTS,
  BCD_RAW,
  bytesOf,
  EBCDIC_DEFAULTS,
  formatFrom,
} from './formats.ts'

/** Values of the vectors P1 to P4, which are synthetic. */
const S87: Message['fields'] = {
  ...{ 2: '1234567890123456789', 3: '000000', 4: '000000000100', 5: '000000000200', 6: '000000000300' },
  ...{ 7: '0611191024', 8: '12345678', 9: '12345678', 10: '12345678', 11: '000001', 12: '010203', 13: '0611' },
  ...{ 14: '1001', 15: '0112', 16: '0112', 17: '0611', 18: '1234', 19: '858', 20: '032', 21: '400', 22: '000' },
  ...{ 23: '001', 24: '003', 25: '00', 26: '01', 27: '1', 28: '000000100', 29: '000000200', 30: '000000300' },
  ...{ 31: '000000400', 32: '123456', 33: '654321', 34: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ01' },
  ...{ 35: '1234567890123456=12345678901234567890', 36: 'THE QUICK BROWN FOX JUMPED OVER THE LAZY DOG' },
  ...{ 37: '123456789ABC', 38: '123456', 39: '00', 40: 'ABC', 41: '0001ABCD', 42: '123456789012345' },
  ...{ 43: 'JPOS CARD ACCEPTOR / WWW.JPOS.ORG'.padEnd(40), 44: 'jPOS'.repeat(6), 45: 'JPOS'.repeat(6) },
  ...{ 46: 'ADDITIONAL DATA - ISO', 47: 'ADDITIONAL DATA - NATIONAL', 48: 'ADDITIONAL DATA - PRIVATE' },
  ...{ 49: '032', 50: '032', 51: '032', 52: '0001020304050607', 53: '1234567890123456' },
  ...{ 54: '000000001000000000002000', 55: 'ABCD', 56: 'EFGH', 57: 'IJKL', 58: 'MNOP', 59: 'QRST', 60: 'UVWX' },
  ...{ 61: 'YZ01', 62: 'A002', 63: 'ABCDDCBA' },
}
const MAC = { 64: 'CAFEBABECAFEBABE' }
const ORIGINAL = { 90: '0'.repeat(42) }
const TEXT: NonNullable<DialectDocument['fields']> = {
  '34': { type: 'ans' },
  '36': { type: 'ans' },
  '55': { type: 'ans', max: 999 },
}

const JPOS_ASCII = formatFrom({
  mti: 'ascii',
  bitmap: 'hex',
  defaults: { ...ASCII_DEFAULTS, b: { as: 'hex' } },
  fields: { ...TEXT, ...eachOf([28, 29, 30, 31], { type: 'n', length: 9 }) },
})
const JPOS_BCD = formatFrom({
  mti: 'bcd',
  bitmap: 'raw',
  defaults: {
    ...BCD_DEFAULTS,
    n: { as: 'bcd', odd: 'left0', oddVariable: 'right0' },
    z: { as: 'bcd', odd: 'right0' },
  },
  fields: {
    ...TEXT,
    ...eachOf([28, 29, 30, 31], { type: 'b', length: 5 }),
    ...eachOf([49, 50, 51], { type: 'an', length: 3 }),
  },
})

/** A reversal request in which fields 48 and 55 are text. */
const P9 =
  '0400F23A400108418202000000400000000019111111111000000000018000000000003000001090806461003310011200909080996010' +
  '060002000000000003430003948 0380811001200000409656573320000000300000136003000331700039480908064651000000000313' +
  '2020000331609080645190000000020000000000000'
const ASCII_55 = formatFrom({
  ...{ mti: 'ascii', bitmap: 'hex', defaults: ASCII_DEFAULTS },
  fields: { '55': { type: 'ans', max: 999 } },
})
const PLAIN_FRAMING: Framing = {
  ...{ length: 'binary2', maxBytes: 4096, answer: 'own' },
  ...{ header: new Uint8Array(0), trailer: new Uint8Array(0) },
}

describe('case 1: the values of P1 to P4 are packed to the published hash', () => {
  /** Without a sign: one character 0 before four BCD bytes. */
  const fees = Object.fromEntries([1, 2, 3, 4].map(n => [27 + n, `3000000${n}00`]))
  test.each([
    ['P1', 772, '0565a57a355b38a050a68b63d097f6daa29ba63b6d57762f40c8ef84ced25490', JPOS_ASCII, ORIGINAL],
    ['P2', 714, '184624a6d845a93a1dc8dffc1b102f150c733fbc8bdaec75c0366dcd49b5ab1e', JPOS_ASCII, {}],
    ['P3', 575, '72f53722d5561858b270717c4d527be3a5801b0c493a7d5648327078d005ab10', JPOS_BCD, { ...fees, ...ORIGINAL }],
    ['P4', 546, '51af66b6318f579c9875b5808e327fa4a63cfdf575c3306fc3f24dae727fa159', JPOS_BCD, fees],
  ])('%s', (_, length, hash, format, others) => {
    const fields = { ...S87, ...MAC, ...others }
    const packed = packMessage(format, { mti: '0800', fields })
    deepEqual([packed.length, createHash('sha256').update(packed).digest('hex')], [length, hash])
    deepEqual(unpackMessage(format, packed).fields, fields)
  })
})

interface Vector {
  readonly format: MessageFormat
  readonly hex: string
  readonly message: Message
}

/** P5 to P20, and the messages O3 and P18 without their frames. */
const VECTORS: Readonly<Record<string, Vector>> = {
  'P5, a field with a bitmap of its own and a length of six digits': {
    format: formatFrom({
      ...{ mti: 'ascii', bitmap: 'raw', defaults: ASCII_DEFAULTS },
      fields: {
        '127': {
          ...{ type: 'b', max: 9999, prefix: 'llllll' },
          nested: {
            bitmap: 'raw',
            fields: { '2': { type: 'ans', max: 32 }, '25': { type: 'ans', max: 9999, prefix: 'llll' } },
          },
        },
      },
    }),
    hex:
      text('0620') +
      'a238000000800000 0000000000000002' +
      text('000000' + '1117003616' + '375204' + '003616' + '1117' + 'ATM00002' + '000032') +
      '4000008000000000' +
      text('10SWITCH_KEY' + '0008ICC_DATA'),
    message: {
      mti: '0620',
      fields: {
        ...{ 3: '000000', 7: '1117003616', 11: '375204', 12: '003616', 13: '1117', 41: 'ATM00002' },
        127: [
          { id: '2', value: 'SWITCH_KEY' },
          { id: '25', value: 'ICC_DATA' },
        ],
      },
    },
  },
  'P6, ASCII with a hexadecimal bitmap': {
    format: ASCII_HEX,
    hex: text('01007000000000000000164242424242424242123456000000000100'),
    message: { mti: '0100', fields: { 2: '4242424242424242', 3: '123456', 4: '000000000100' } },
  },
  'P7, text beside BCD fields with fillers on both sides, and tags with text': {
    format: formatFrom({
      ...{ mti: 'ascii', bitmap: 'raw', defaults: ASCII_DEFAULTS },
      fields: { '19': { as: 'bcd', odd: 'left0' }, '49': { as: 'bcd', odd: 'right0' } },
    }),
    hex:
      '30313030f23c248128e09a0000000000000001003136343237363535353535353535353535353030303030303030303030303037373730' +
      '30303730313131313834343030303132333133313834343037303131393032064339303130323036313233343536333734323736353535' +
      '3535353535353535353d313233343536373839303132333435363738393039383736353433323130303130303030303332313132303030' +
      '30303030303030303334' +
      '20'.repeat(31) +
      '54657374207465787464300102030405060708313233343030303030303030303030303032339a063231303732309f020c303030303030' +
      '303030353031303137416e6f7468657220746573742074657874',
    message: {
      mti: '0100',
      fields: {
        ...{ 2: '4276555555555555', 3: '000000', 4: '000000077700', 7: '0701111844', 11: '000123', 12: '131844' },
        ...{ 13: '0701', 14: '1902', 19: '643', 22: '901', 25: '02', 32: '123456' },
        ...{ 35: '4276555555555555=12345678901234567890', 37: '987654321001', 41: '00000321', 42: '120000000000034' },
        ...{ 43: 'Test text'.padStart(40), 49: '643', 52: '0102030405060708', 53: '1234000000000000' },
        55: [
          { id: '9A', value: text('210720').toUpperCase() },
          { id: '9F02', value: text('000000000501').toUpperCase() },
        ],
        120: 'Another test text',
      },
    },
  },
  P8: {
    format: ASCII_HEX,
    hex: text(
      '0200323A40010841801038000000000000000004200508050113921208050420042251320720000010000001156040800411        01' +
        '251146333156336000299',
    ),
    message: {
      mti: '0200',
      fields: {
        ...{ 3: '380000', 4: '000000000000', 7: '0420050805', 11: '011392', 12: '120805', 13: '0420', 15: '0422' },
        ...{
          18: '5132',
          32: '2000001',
          37: '000000115604',
          42: '0800411        ',
          48: '511463331563',
          49: '360',
          60: '99',
        },
      },
    },
  },
  'P9, with an empty field 32': {
    format: ASCII_55,
    hex: text(P9),
    message: {
      mti: '0400',
      fields: {
        ...{ 2: '1111111110000000000', 3: '180000', 4: '000000030000', 7: '0109080646', 11: '100331', 12: '001120' },
        ...{ 13: '0909', 15: '0809', 18: '9601', 32: '', 37: '600020000000', 42: '00003430003948 ' },
        ...{ 48: '08110012000004096565733200000003000001', 49: '360', 55: '003317000394809080646510000000', 63: '132' },
        90: '020000331609080645190000000020000000000000',
      },
    },
  },
  'P10, a sign-on': {
    format: ASCII_HEX,
    hex: text('0800823A0000000000000400000000000000042009061390000109061304200420001'),
    message: {
      mti: '0800',
      fields: { 7: '0420090613', 11: '900001', 12: '090613', 13: '0420', 15: '0420', 70: '001' },
    },
  },
  'P11, its answer': {
    format: ASCII_HEX,
    hex: text('0810823A000002000000048000000000000004200906139000010906130420042000001031128'),
    message: {
      mti: '0810',
      fields: {
        ...{ 7: '0420090613', 11: '900001', 12: '090613', 13: '0420', 15: '0420', 39: '00', 70: '001', 73: '031128' },
      },
    },
  },
  'P12, with an empty field 2': {
    format: ASCII_HEX,
    hex: text('04207230008100000000001800000000000300000109080646100331001120331100011122233'),
    message: {
      mti: '0420',
      fields: {
        ...{ 2: '', 3: '180000', 4: '000000030000', 7: '0109080646', 11: '100331', 12: '001120', 25: '33' },
        32: '00011122233',
      },
    },
  },
  'P15, BCD with an EBCDIC response code': {
    format: formatFrom({ mti: 'bcd', bitmap: 'raw', defaults: BCD_DEFAULTS, fields: { '39': { as: 'ebcdic' } } }),
    hex: '0810822000000200000004000000000000000501130427000005f0f00001',
    message: { mti: '0810', fields: { 7: '0501130427', 11: '000005', 39: '00', 70: '001' } },
  },
  'P16, BCD with a terminal in ASCII': {
    format: BCD_RAW,
    hex: '080020200000008000000000000000013239313130303031',
    message: { mti: '0800', fields: { 3: '000000', 11: '000001', 41: '29110001' } },
  },
  'P20, an EBCDIC field under a binary length': {
    format: formatFrom({
      ...{ mti: 'bcd', bitmap: 'raw', defaults: BCD_DEFAULTS },
      fields: { '59': { as: 'ebcdic', max: 255, prefix: { as: 'binary', bytes: 1, counts: 'digits' } } },
    }),
    hex: '08000000000000000020 0b f0f1f0f0f2f1f2f3f4f5f6',
    message: { mti: '0800', fields: { 59: '01002123456' } },
  },
}

describe('case 2: is read to the published values and packed to the same bytes', () => {
  test.each(Object.entries(VECTORS))('%s', (_, { format, hex, message }) => {
    const { mti, fields } = unpackMessage(format, bytesOf(hex))
    deepEqual({ mti, fields }, message)
    equal(Buffer.from(packMessage(format, message)).toString('hex'), hex.replaceAll(' ', ''))
  })

  test('P5 has its 98 bytes', () => {
    const { format, message } = VECTORS['P5, a field with a bitmap of its own and a length of six digits']!
    equal(packMessage(format, message).length, 98)
  })

  test('P14 under a length that counts itself; two bytes more are refused', () => {
    const framing = { ...PLAIN_FRAMING, length: 'binary2-inclusive' as const }
    const message: Message = {
      mti: '0110',
      fields: {
        ...{ 2: '4651234560308888', 3: '000000', 4: '000000000100', 7: '0310183306', 11: '000335', 12: '080310' },
        ...{ 13: '1104', 25: '00', 32: '414243', 39: '00', 41: '80000001', 42: '811234567890101' },
        ...{ 43: 'London'.padEnd(40), 49: '826', 56: '1510' },
      },
    }
    const packed = packMessage(ASCII_RAW, message)
    equal(Buffer.from(packed.subarray(0, 12)).toString('hex'), '303131307238008102e08100')
    equal(Buffer.from(frameMessage(framing, packed)).subarray(0, 2).toString('hex'), '00a1')
    throws(() => unpackMessage(ASCII_RAW, Buffer.concat([packed, new Uint8Array(2)])), { field: 'frame', offset: 159 })
  })

  test('P17, of 1993, under four digits of length', () => {
    const hex =
      '303035303138323002300101000000003039313031353238343133383239313030393039313031353238343138333130353130303331'
    const format = formatFrom({ standard: '1993', mti: 'ascii', bitmap: 'raw', defaults: ASCII_DEFAULTS })
    const framing = { ...PLAIN_FRAMING, length: 'ascii4' as const }
    const [frame] = createFrameReader(framing).push(bytesOf(hex))
    const { mti, fields } = unpackMessage(format, frame!.message)
    deepEqual(
      { mti, fields },
      {
        mti: '1820',
        fields: { 7: '0910152841', 11: '382910', 12: '090910152841', 24: '831', 32: '10031' },
      },
    )
    equal(Buffer.from(frameMessage(framing, packMessage(format, { mti, fields }))).toString('hex'), hex)
  })

  test('P18, with an announced second bitmap that is empty', () => {
    const hex =
      '005b30313030f220000000809000000000000000000031363437363137333930303130313031313930303030303030303030' +
      '30303030353030303039313131333134313130303031323331323334353637383430347434f67813bae545'
    const format = formatFrom({ mti: 'ascii', bitmap: 'raw', alwaysSecondary: true, defaults: ASCII_DEFAULTS })
    const [frame] = createFrameReader(PLAIN_FRAMING).push(bytesOf(hex))
    const { mti, fields } = unpackMessage(format, frame!.message)
    deepEqual(
      { mti, fields },
      {
        mti: '0100',
        fields: {
          ...{ 2: '4761739001010119', 3: '000000', 4: '000000005000', 7: '0911131411', 11: '000123', 41: '12345678' },
          ...{ 49: '404', 52: '7434F67813BAE545' },
        },
      },
    )
    equal(Buffer.from(frameMessage(PLAIN_FRAMING, packMessage(format, { mti, fields }))).toString('hex'), hex)
  })

  test('O3, with a TPDU', () => {
    const hex = '001f60000300000800202001000080000092000000000100033239313130303031'
    const framing = { ...PLAIN_FRAMING, header: bytesOf('6000030000') }
    const [frame] = createFrameReader(framing).push(bytesOf(hex))
    equal(Buffer.from(frame!.header).toString('hex'), '6000030000')
    const { mti, fields } = unpackMessage(BCD_RAW, frame!.message)
    deepEqual({ mti, fields }, { mti: '0800', fields: { 3: '920000', 11: '000001', 24: '003', 41: '29110001' } })
    equal(Buffer.from(frameMessage(framing, packMessage(BCD_RAW, { mti, fields }))).toString('hex'), hex)
  })

  test.each([
    ['P19', '4f07a00000000410105f2a0208405f2d047275656e82021980950500000000009a032410029c01009f0206000000000100'],
    [
      'O4',
      '9f260811223344556677889f2701809f100706010a03a000009f3704deadbeef9f36020001950500000000009a032611289c01009f0206000000' +
        '0025995f2a020826820219809f1a0208269f0306000000000000',
    ],
  ])('%s, chip data', (_, hex) => {
    const message = bytesOf(`0200 0000000000000200 ${String(hex.length / 2).padStart(4, '0')} ${hex}`)
    const { mti, fields } = unpackMessage(BCD_RAW, message)
    const tags = fields[55] as readonly SubField[]
    const of = (tag: string) => tags.find(({ id }) => id === tag)?.value
    if (_ === 'P19')
      deepEqual(
        tags.map(({ id, value }) => `${id} ${value}`),
        [
          ...['4F A0000000041010', '5F2A 0840', '5F2D 7275656E', '82 1980', '95 0000000000', '9A 241002', '9C 00'],
          '9F02 000000000100',
        ],
      )
    else
      deepEqual(
        [tags.length, of('9F26'), of('9F02'), of('9F03')],
        [13, '1122334455667788', '000000002599', '000000000000'],
      )
    deepEqual(Buffer.from(packMessage(BCD_RAW, { mti, fields })), Buffer.from(message))
  })

  test.each([
    [[2, 3, 4, 7, 11, 12, 13, 14, 18, 22, 25, 32, 37, 41, 42, 43, 49], '723c448108e08000'],
    [[2, 3, 4, 7, 11, 12, 13, 14, 22, 25, 32, 37, 41, 42, 49, 90], 'f23c048108c080000000004000000000'],
    [[7, 11, 15, 32, 50, 66, 74, 75, 76, 77, 86, 87, 88, 89, 97], '82220001000040004078078080000000'],
  ])('O5, the bitmap of %o', (numbers, bitmap) => {
    const fields = Object.fromEntries(numbers.map(number => [number, number === 97 ? 'C0' : '0']))
    const packed = packMessage(BCD_RAW, { mti: '0200', fields })
    equal(
      Buffer.from(packed)
        .subarray(2, 2 + bitmap.length / 2)
        .toString('hex'),
      bitmap,
    )
    deepEqual(Object.keys(unpackMessage(BCD_RAW, packed).fields).map(Number), numbers)
  })

  test('all of a message in EBCDIC, after a header with a route', () => {
    const format = formatFrom({ standard: '1993', mti: 'ebcdic', bitmap: 'raw', defaults: EBCDIC_DEFAULTS })
    const header = bytesOf('f1d9d6e4e3c5d5c5e3')
    const fields = { 3: '004000', 11: '287107', 37: '4894        ', 41: '12874218' }
    const framed = frameMessage({ ...PLAIN_FRAMING, header }, packMessage(format, { mti: '1100', fields }))
    const body = 'f1f1f0f0 2020000008800000 f0f0f4f0f0f0 f2f8f7f1f0f7 f4f8f9f4 4040404040404040 f1f2f8f7f4f2f1f8'
    equal(Buffer.from(framed).subarray(11).toString('hex'), body.replaceAll(' ', ''))
    const [frame] = createFrameReader({ ...PLAIN_FRAMING, header }).push(framed)
    deepEqual(unpackMessage(format, frame!.message).fields, fields)
  })
})

test('case 3: P13, which is P9 cut off, is refused at the field that is missing', () => {
  const bytes = Buffer.from(P9.slice(0, P9.indexOf('394809080646') + 12), 'latin1')
  throws(() => unpackMessage(ASCII_55, bytes), {
    name: 'Refused',
    field: '55',
    message: /^Field 55 at byte \d+: is cut off/,
  })
})

function text(ascii: string): string {
  return Buffer.from(ascii, 'latin1').toString('hex')
}

function eachOf(numbers: readonly number[], field: DialectDocument['fields']['2']): DialectDocument['fields'] {
  return Object.fromEntries(numbers.map(number => [number, field]))
}
