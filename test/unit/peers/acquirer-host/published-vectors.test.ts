// test/unit/peers/acquirer-host/published-vectors.test.ts — the host's codec against published messages, byte by byte.
import { deepEqual, equal, throws } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'vitest'
import { type Fields, pack, unpack } from '../../../../src/peers/acquirer-host/codec.ts'
import { type Packing, packingIn } from '../../../../src/peers/acquirer-host/packing.ts'

const ASCII = {
  ...{ standard: '1987', mti: 'ascii', bitmap: 'hex' },
  defaults: {
    ...{ n: { as: 'ascii' }, text: { as: 'ascii' }, z: { as: 'ascii', separator: '=' }, b: { as: 'hex' } },
    ll: { as: 'ascii', bytes: 2, counts: 'digits' },
    lll: { as: 'ascii', bytes: 3, counts: 'digits' },
  },
}
const BCD = {
  ...{ standard: '1987', mti: 'bcd', bitmap: 'raw' },
  defaults: {
    ...{ n: { as: 'bcd', odd: 'left0', oddVariable: 'right0' }, text: { as: 'ascii' }, b: { as: 'raw' } },
    z: { as: 'bcd', odd: 'right0' },
    ll: { as: 'bcd', bytes: 1, counts: 'digits' },
    lll: { as: 'bcd', bytes: 2, counts: 'bytes' },
  },
}
const TEXT_55 = { type: 'ans', max: 999 }

function packing(base: object, fields: object = {}, others: object = {}): Packing {
  return packingIn({ ...base, ...others, fields })
}

/** Synthetic values of the packagers' tests of jPOS, in every field up to 64. */
const S87: Fields = {
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
  ...{ 61: 'YZ01', 62: 'A002', 63: 'ABCDDCBA', 64: 'CAFEBABECAFEBABE' },
}
const WITH_90: Fields = { ...S87, 90: '0'.repeat(42) }
const JPOS_ASCII = packing(ASCII, { 36: { type: 'ans', max: 104 }, 55: TEXT_55 })
const JPOS_BCD = packing(BCD, {
  ...{ 36: { type: 'ans', max: 104 }, 49: { as: 'ascii' }, 50: { as: 'ascii' }, 51: { as: 'ascii' } },
  ...{ 55: TEXT_55 },
})

describe('all fields of the packagers of jPOS', () => {
  test.each([
    ['in ASCII', JPOS_ASCII, WITH_90, 772, '0565a57a355b38a050a68b63d097f6daa29ba63b6d57762f40c8ef84ced25490'],
    ['in ASCII, up to 64', JPOS_ASCII, S87, 714, '184624a6d845a93a1dc8dffc1b102f150c733fbc8bdaec75c0366dcd49b5ab1e'],
    ['in BCD', JPOS_BCD, WITH_90, 575, '72f53722d5561858b270717c4d527be3a5801b0c493a7d5648327078d005ab10'],
    ['in BCD, up to 64', JPOS_BCD, S87, 546, '51af66b6318f579c9875b5808e327fa4a63cfdf575c3306fc3f24dae727fa159'],
  ])('%s', (_, how, fields, bytes, hash) => {
    const packed = pack({ mti: '0800', fields }, how)
    equal(packed.length, bytes)
    equal(createHash('sha256').update(packed).digest('hex'), hash)
    deepEqual(unpack(packed, how), { mti: '0800', fields })
  })
})

const ascii = (text: string) => Buffer.from(text).toString('hex')
const RAW_BITMAP = packing(ASCII, { 52: { as: 'raw' } }, { bitmap: 'raw' })
const MOOV_MIXED = packing(
  ASCII,
  {
    ...{ 19: { as: 'bcd' }, 49: { as: 'bcd', odd: 'right0' }, 52: { as: 'raw' } },
    55: { as: 'raw', prefix: { as: 'ascii', bytes: 3, counts: 'bytes' } },
  },
  { bitmap: 'raw' },
)
const REVERSAL =
  '0400F23A40010841820200000040000000001911111111100000000001800000000000300000109080646100331001120090908099601006000200000' +
  '0000003430003948 03808110012000004096565733200000003000001360030003317000394809080646510000000003132020000331609080645190' +
  '000000020000000000000'

interface Vector {
  readonly from: string
  readonly how: Packing
  readonly hex: string
  readonly mti: string
  readonly values: Fields
}

const VECTORS: readonly Vector[] = [
  {
    from: 'moov, a card and an amount',
    how: packing(ASCII),
    hex: ascii('01007000000000000000164242424242424242123456000000000100'),
    mti: '0100',
    values: { 2: '4242424242424242', 3: '123456', 4: '000000000100' },
  },
  {
    from: 'moov, ASCII with BCD padded on both sides and tags',
    how: MOOV_MIXED,
    hex:
      '30313030f23c248128e09a0000000000000001003136343237363535353535353535353535353030303030303030303030303037373730' +
      '30303730313131313834343030303132333133313834343037303131393032064339303130323036313233343536333734323736353535' +
      '3535353535353535353d313233343536373839303132333435363738393039383736353433323130303130303030303332313132303030' +
      '30303030303030303334' +
      '20'.repeat(31) +
      '54657374207465787464300102030405060708313233343030303030303030303030303032339a063231303732309f020c303030303030' +
      '303030353031303137416e6f7468657220746573742074657874',
    mti: '0100',
    values: {
      ...{ 2: '4276555555555555', 3: '000000', 4: '000000077700', 7: '0701111844', 11: '000123', 12: '131844' },
      ...{ 13: '0701', 14: '1902', 19: '643', 22: '901', 25: '02', 32: '123456' },
      ...{ 35: '4276555555555555=12345678901234567890', 37: '987654321001', 41: '00000321', 42: '120000000000034' },
      ...{ 43: `${' '.repeat(31)}Test text`, 49: '643', 52: '0102030405060708', 53: '1234000000000000' },
      ...{ 55: '9A063231303732309F020C303030303030303030353031', 120: 'Another test text' },
    },
  },
  {
    from: 'moov, a transfer',
    how: packing(ASCII),
    hex: ascii(
      '0200323A40010841801038000000000000000004200508050113921208050420042251320720000010000001156040800411        ' +
        '01251146333156336000299',
    ),
    mti: '0200',
    values: {
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
  {
    from: 'moov, a sign-on',
    how: packing(ASCII),
    hex: ascii('0800823A0000000000000400000000000000042009061390000109061304200420001'),
    mti: '0800',
    values: { 7: '0420090613', 11: '900001', 12: '090613', 13: '0420', 15: '0420', 70: '001' },
  },
  {
    from: 'moov, its answer',
    how: packing(ASCII),
    hex: ascii('0810823A000002000000048000000000000004200906139000010906130420042000001031128'),
    mti: '0810',
    values: { 7: '0420090613', 11: '900001', 12: '090613', 13: '0420', 15: '0420', 39: '00', 70: '001', 73: '031128' },
  },
  {
    from: 'moov, a reversal advice with an empty card number',
    how: packing(ASCII),
    hex: ascii('04207230008100000000001800000000000300000109080646100331001120331100011122233'),
    mti: '0420',
    values: {
      ...{ 2: '', 3: '180000', 4: '000000030000', 7: '0109080646', 11: '100331', 12: '001120', 25: '33' },
      ...{ 32: '00011122233' },
    },
  },
  {
    from: 'Stack Overflow 11421574, BCD with an EBCDIC response code',
    how: packing(BCD, { 39: { as: 'ebcdic' } }),
    hex: '0810822000000200000004000000000000000501130427000005f0f00001',
    mti: '0810',
    values: { 7: '0501130427', 11: '000005', 39: '00', 70: '001' },
  },
  {
    from: 'Stack Overflow 21282257, BCD',
    how: packing(BCD),
    hex: '080020200000008000000000000000013239313130303031',
    mti: '0800',
    values: { 3: '000000', 11: '000001', 41: '29110001' },
  },
  {
    from: 'PayEx, an echo of 1993',
    how: packing(ASCII, {}, { standard: '1993', bitmap: 'raw' }),
    hex: '31383230023001010000000030393130313532383431333832393130303930393130313532383431383331303531303033' + '31',
    mti: '1820',
    values: { 7: '0910152841', 11: '382910', 12: '090910152841', 24: '831', 32: '10031' },
  },
  {
    from: 'iso_8583, packed by 2.6.7',
    how: packing(ASCII, { 52: { as: 'raw' } }, { bitmap: 'raw', alwaysSecondary: true }),
    hex:
      '30313030f22000000080900000000000000000003136343736313733393030313031303131393030303030303030303030303030353030303039' +
      '3131313331343131303030313233' +
      '31323334353637383430347434f67813bae545',
    mti: '0100',
    values: {
      ...{ 2: '4761739001010119', 3: '000000', 4: '000000005000', 7: '0911131411', 11: '000123', 41: '12345678' },
      ...{ 49: '404', 52: '7434F67813BAE545' },
    },
  },
  {
    from: 'a TPDU world, BCD',
    how: packing(BCD),
    hex: '0800202001000080000092000000000100033239313130303031',
    mti: '0800',
    values: { 3: '920000', 11: '000001', 24: '003', 41: '29110001' },
  },
]

test.each(VECTORS)('$from: unpacks to its values, and packs to its bytes', ({ how, hex, mti, values }) => {
  const fields = values
  deepEqual(unpack(Buffer.from(hex, 'hex'), how), { mti, fields })
  equal(pack({ mti, fields }, how).toString('hex'), hex)
})

test('an answer of the EFTLab exercise has an issuer code and a private field', () => {
  const fields: Fields = {
    ...{ 2: '4651234560308888', 3: '000000', 4: '000000000100', 7: '0310183306', 11: '000335', 12: '080310' },
    ...{ 13: '1104', 25: '00', 32: '414243', 39: '00', 41: '80000001', 42: '811234567890101' },
    ...{ 43: 'London'.padEnd(40), 49: '826', 56: '1510' },
  }
  const packed = pack({ mti: '0110', fields }, RAW_BITMAP)
  equal(packed.subarray(0, 12).toString('hex'), '303131307238008102e08100')
  deepEqual(unpack(packed, RAW_BITMAP), { mti: '0110', fields })
})

test('digits in EBCDIC behind a length of one binary byte', () => {
  const how = packing(BCD, { 59: { as: 'ebcdic', prefix: { as: 'binary', bytes: 1, counts: 'bytes' } } })
  const packed = pack({ mti: '0800', fields: { 59: '01002123456' } }, how)
  equal(packed.toString('hex'), '080000000000000000200bf0f1f0f0f2f1f2f3f4f5f6')
  deepEqual(unpack(packed, how).fields, { 59: '01002123456' })
})

test('a reversal of moov that is cut off is refused at the field that is short', () => {
  const how = packing(ASCII, { 55: TEXT_55 })
  const whole = Buffer.from(REVERSAL)
  const { mti, fields } = unpack(whole, how)
  equal(mti, '0400')
  deepEqual([fields[32], fields[63], fields[90]], ['', '132', '020000331609080645190000000020000000000000'])
  equal(pack({ mti, fields }, how).toString(), REVERSAL)
  throws(() => unpack(whole.subarray(0, whole.indexOf('0000000003132')), how), /field (55|63) ends after/)
})
