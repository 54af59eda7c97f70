// test/unit/domain/card-numbers.test.ts — in which texts a card number is found, and in which none is.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  holdsCardNumber,
  idHoldsCardNumber,
  maskCardNumbers,
  urlHoldsCardNumber,
} from '../../../src/domain/card-numbers.ts'
import { chanceFrom, ORDER_IDS } from '../../support/order-ids.ts'

const VISA = '4456530000001096'
const AMEX = '371449111020228'
const DINERS = '30569309025904'
const MAESTRO_19 = '6759000000000000005'
const UNIONPAY_19 = '6212345678900000003'
const JCB = '3530111333300000'

const grouped = (digits: string, lengths: readonly number[], between: string): string =>
  lengths
    .map((length, index) => {
      const from = lengths.slice(0, index).reduce((sum, each) => sum + each, 0)
      return digits.slice(from, from + length)
    })
    .join(between)

const SEPARATORS = [
  ' ',
  '  ',
  '-',
  '.',
  ',',
  '/',
  '_',
  '\t',
  '\n',
  '\u00a0',
  '\u202f',
  '\u2009',
  '\u3000',
  '\u2010',
  '\u2011',
]
const MORE_SEPARATORS = [
  '\u2012',
  '\u2013',
  '\u2014',
  '\u2212',
  '\ufe63',
  '\uff0d',
  '\u00b7',
  '\uff0e',
  '\uff0c',
  '\uff0f',
  '\uff3f',
]
const ZEROS = [0x660, 0x6f0, 0x966, 0xe50, 0x1040, 0xff10, 0x1d7ce, 0x1d7d8, 0x116da, 0x1e5f1, 0x1e950]
const INVISIBLE = [
  '\u200b',
  '\u200d',
  '\u00ad',
  '\u2060',
  '\ufeff',
  '\u202d',
  '\ufe0f\u20e3',
  '\u0007',
  '\u{e0100}',
  '\u3164',
]

/** Written so that a person reads a card number, and each way of these alone. */
const WRITTEN: readonly string[] = [
  ...[VISA, AMEX, DINERS, MAESTRO_19, UNIONPAY_19, JCB, '5500000000000004', '6011000000001002', '2223000048400011'],
  ...[...SEPARATORS, ...MORE_SEPARATORS].flatMap(between => [
    grouped(VISA, [4, 4, 4, 4], between),
    grouped(AMEX, [4, 6, 5], between),
    grouped(DINERS, [4, 6, 4], between),
    grouped(MAESTRO_19, [4, 4, 4, 4, 3], between),
    // With a point it is a decimal number.
    ...(/[.\uff0e]/.test(between) ? [] : [grouped(UNIONPAY_19, [6, 13], between)]),
  ]),
  ...ZEROS.map(zero => VISA.replace(/\d/g, digit => String.fromCodePoint(zero + Number(digit)))),
  ...INVISIBLE.map(each => [...VISA].join(each)),
  ...INVISIBLE.map(each => grouped(VISA, [4, 4, 4, 4], ` ${each}`)),
  VISA.replaceAll('4', '\u2463').replaceAll('1', '\u2460'),
]

/** What may stand beside a card number without hiding it. */
const AROUND = [
  (card: string) => `order ${card}`,
  (card: string) => `order-${card}`,
  (card: string) => `order_${card}`,
  (card: string) => `(${card})`,
  (card: string) => `card:${card};`,
  (card: string) => `\u2116${card}`,
  (card: string) => `${card} cvv 123`,
  (card: string) => `${card}=30121010000`,
  (card: string) => `https://shop.example/?card=${card}&x=1`,
  (card: string) => `9c2f4b1e-4456-4300-8000-001096445653 ${card}`,
]

describe('a card number is found', () => {
  for (const [index, card] of WRITTEN.entries())
    test(`in form ${index + 1}, ${JSON.stringify(card)}, by itself and with a text around it`, () => {
      for (const text of [card, ...AROUND.map(put => put(card))]) {
        ok(idHoldsCardNumber(text), JSON.stringify(text))
        ok(holdsCardNumber(text), JSON.stringify(text))
        ok(!holdsCardNumber(maskCardNumbers(text)), JSON.stringify(text))
      }
    })

  test('in a text for people also beside letters, in groups of any length, and with other numbers', () => {
    for (const text of [
      `visa${VISA}exp1230cvv123`,
      `A${VISA}`,
      grouped(VISA, [8, 8], ' '),
      grouped(VISA, [2, 2, 2, 2, 2, 2, 2, 2], '-'),
      [...VISA].join(' '),
      `${VISA} 12/30`,
      `1 ${VISA}`,
      `12/30 ${grouped(VISA, [4, 4, 4, 4], ' ')} 123 John`,
      grouped(VISA, [4, 4, 4, 4], '-').replace('-', ' '),
      `${grouped(VISA, [4, 4, 4, 4], '-')}/12/30`,
      `+${VISA}`,
      `12.${VISA}`,
    ])
      ok(holdsCardNumber(text), text)
  })

  test('in an id with other groups beside it', () => {
    for (const text of [
      `1234 ${grouped(VISA, [4, 4, 4, 4], ' ')} 123`,
      `${grouped(VISA, [4, 4, 4, 4], ' ')} 12/30`,
      `${VISA} 020`,
      `${VISA}.00`,
      `06.05.${VISA}`,
    ])
      ok(idHoldsCardNumber(text), text)
  })

  test('in an address, however often it is encoded', () => {
    const encoded = [...VISA].map(digit => `%3${digit}`).join('')
    for (const query of [
      VISA,
      `x=${VISA}`,
      encoded,
      encoded.replaceAll('%', '%25'),
      encoded.replaceAll('%', '%2525'),
      grouped(VISA, [4, 4, 4, 4], '+'),
      grouped(VISA, [4, 4, 4, 4], '%20'),
      grouped(VISA, [4, 4, 4, 4], '%C2%A0'),
      `%FF%20${encoded}`,
    ])
      ok(urlHoldsCardNumber(`https://shop.example/hook?${query}`), query)
    ok(!urlHoldsCardNumber('https://shop.example/hook/1764300000000?id=9c2f4b1e-4456-4300-8000-001096445653'))
  })
})

describe('none is found', () => {
  test('in ids that only resemble one', () => {
    for (const text of [
      '',
      `A${VISA}`,
      `${VISA}x`,
      '4456530000001097',
      '44565300-0000-1096-4456-530000001096',
      'INV-5500-20261128-0042',
      '6100000000000000000001',
      '0.6334413606038221',
      'x0.6334413606038221',
      '63.34413606038221',
      '0,6334413606038221',
      '+639171234561',
      '4456 5300-0000 1096',
    ])
      ok(!idHoldsCardNumber(text), text)
  })

  test('in texts for people with other numbers in them', () => {
    for (const text of [
      '',
      'Two tickets, 28.11.2026',
      '+4479111234561',
      '+63 917 123 4561',
      '020 7946 0018',
      '1 x Soup 12.00 2026-05-06 20:41',
      '52.00 2026-05-06 2041',
      '90411111111111111190',
      '44565300-0000-1096-4456-530000001096',
      'took 0.6334413606038221 s',
    ]) {
      ok(!holdsCardNumber(text), text)
      equal(maskCardNumbers(text), text)
    }
  })

  // The million of each make: `npm run refused-ids`.
  for (const [name, make] of Object.entries(ORDER_IDS))
    test(`in 20,000 ids of the make ${name}`, () => {
      const chance = chanceFrom(20_261_128)
      const refused = Array.from({ length: 20_000 }, (_, index) => make(chance, index)).filter(idHoldsCardNumber)
      deepEqual(refused, [])
    })
})

test('what is masked are the digits of the card number and those beside it, and nothing else', () => {
  equal(maskCardNumbers(`my card ${VISA} 020, thanks`), 'my card **************** ***, thanks')
  equal(maskCardNumbers('4456 5300 0000 1096 12/30'), '**** **** **** **** **/**')
  equal(
    maskCardNumbers(`Zo\u00eb \u{1f4b3}${[...VISA].join('\u200b')}\u{1f4b3} 7`),
    `Zo\u00eb \u{1f4b3}${'*'.repeat(16)}\u{1f4b3} 7`,
  )
  equal(maskCardNumbers(`a ${VISA} b ${AMEX} c`), `a ${'*'.repeat(16)} b ${'*'.repeat(15)} c`)
})

test('masking hides every card number in any text, and what is masked is not masked again', () => {
  const piece = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constantFrom(...WRITTEN))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), pieces => {
      const text = pieces.join('')
      const masked = maskCardNumbers(text)
      ok(!holdsCardNumber(masked))
      equal(maskCardNumbers(masked), masked)
      if (!holdsCardNumber(text)) equal(masked, text)
    }),
    { numRuns: 500 },
  )
})

test('a long text is searched in time that grows with its length', () => {
  for (const unit of ['1 ', '1-1.', 'a1', '12345678', 'aaaa1111', '0.1', '%25'])
    for (const search of [holdsCardNumber, idHoldsCardNumber, urlHoldsCardNumber]) {
      const startedAt = performance.now()
      search(unit.repeat(40_000))
      ok(performance.now() - startedAt < 5_000, `${search.name} of ${unit}`)
    }
})
