// test/unit/domain/card-number.test.ts — card numbers that never print, and how card details are read.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { format, inspect } from 'node:util'
import { test } from 'vitest'
import {
  CardNumber,
  cardNumbersHidden,
  expiryText,
  holdsCardNumber,
  isExpired,
  mayBeCardNumber,
  readCardNumber,
  readExpiry,
  readSecurityCode,
  SecurityCode,
} from '../../../src/domain/card-number.ts'
import { lookAtCard } from '../../../src/platform/card-rules.ts'
import { TEST_START } from '../../support/test-clock.ts'

const NUMBER = '4456530000001096'

test('printing never shows a card number or a security code', () => {
  const number = new CardNumber(NUMBER, 'VISA')
  const code = new SecurityCode('020')
  const held = { number, code, list: [number] }
  for (const text of [
    `${number} ${code}`,
    JSON.stringify(held),
    inspect(held, { depth: 9, showHidden: true }),
    format('%s %o %O %j', number, held, held, held),
    JSON.stringify({ ...number }),
    JSON.stringify(structuredClone({ ...number })),
    String(new Map([[number, code]]).keys().next().value),
    Object.entries(number).join(),
  ]) {
    ok(!text.includes(NUMBER), text)
    ok(!text.includes('020'), text)
  }
  equal(number.reveal(), NUMBER)
  equal(code.reveal(), '020')
})

test('a card number is found in a text in any notation', () => {
  for (const text of [
    '4111111111111111',
    '4111111111111111 12/30',
    '4111111111111111 123',
    '1 4111111111111111',
    '4111  1111 1111 1111',
    '4111.1111.1111.1111',
    '4111-1111-1111-1111/12/30',
    '12/30 4111 1111 1111 1111 123 John',
    '4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1',
    'card:4111111111111111.',
    '4111\u00a01111\n1111\t1111',
    '+4111111111111111',
    '378282246310005',
    '6759 4111 0000 0008'.replaceAll(' ', '  '),
  ])
    equal(holdsCardNumber(text, lookAtCard), true, text)
})

test('other numbers are not taken for card numbers', () => {
  for (const text of ['', 'John', '4111111111111112', '+63 917 123 4561', '1778072607003', '90411111111111111190'])
    equal(holdsCardNumber(text, lookAtCard), false, text)
  for (let digit = 0; digit < 10; digit += 1)
    equal(holdsCardNumber(`+63 917 123 456${digit}`, lookAtCard), false, String(digit))
})

test('a mask shows six and four digits, and one asterisk for each digit between', () => {
  equal(String(new CardNumber(NUMBER, 'VISA')), '445653******1096')
  equal(String(new CardNumber('371449111020228', 'AMEX')), '371449*****0228')
  equal(String(new CardNumber('675941000000640401', 'MAESTRO')), '675941********0401')
})

for (const [text, scheme, code] of [
  ['4456 5300 0000 1096', 'VISA', '020'],
  ['5200-0000-0000-1096', 'MASTERCARD', '020'],
  ['2223000048400011', 'MASTERCARD', '123'],
  ['6759410000006404', 'MAESTRO', '020'],
  ['371449111020228', 'AMEX', '0200'],
  ['6011000000001002', 'DISCOVER', '123'],
  ['30569309025904', 'DCI', '123'],
] as const)
  test(`${text} is a ${scheme} with a code of ${code.length} digits`, () => {
    const number = readCardNumber(text, lookAtCard)
    ok(number instanceof CardNumber)
    equal(number.scheme, scheme)
    equal(readSecurityCode(code, number, lookAtCard)?.reveal(), code)
    equal(readSecurityCode(code.slice(1), number, lookAtCard), null)
    equal(readSecurityCode(`${code}1`, number, lookAtCard), null)
    equal(readSecurityCode('12a', number, lookAtCard), null)
  })

for (const [text, problem] of [
  ['', 'missing'],
  [' - ', 'missing'],
  ['4456x', 'malformed'],
  ['44565300000010961234567', 'malformed'],
  ['4456530000001097', 'check_digit'],
  ['445653000000109', 'check_digit'],
  // JCB is not among the schemes that the form accepts.
  ['3530111333300000', 'scheme_unknown'],
  ['9999999999999995', 'scheme_unknown'],
] as const)
  test(`${JSON.stringify(text)} is refused: ${problem}`, () => {
    deepEqual(readCardNumber(text, lookAtCard), { problem })
  })

test('an expiry date is read in each notation that forms send', () => {
  for (const text of ['12 / 30', '12/30', '12/2030', '12-30', '1230', ' 12 / 2030 '])
    deepEqual(readExpiry(text, TEST_START), { month: 12, year: 2030 }, text)
  for (const text of ['', '13/30', '0/30', '12/3', '12', 'ab/cd', '12/30/30', '12/2099'])
    equal(readExpiry(text, TEST_START), null, text)
  for (const text of ['04/26', '12/0030']) equal(readExpiry(text, TEST_START), 'expired', text)
  equal(expiryText({ month: 5, year: 2031 }), '05/31')
})

test('a card expires when its month has ended in the last time zone', () => {
  const end = Date.UTC(2026, 5, 1)
  equal(isExpired({ month: 5, year: 2026 }, end + 11 * 3_600_000), false)
  equal(isExpired({ month: 5, year: 2026 }, end + 12 * 3_600_000), true)
  deepEqual(readExpiry('05/26', TEST_START), { month: 5, year: 2026 })
})

test('a shop reference counts as a card number only when it is written like one and delimited', () => {
  for (const text of [
    NUMBER,
    '4456 5300 0000 1096',
    '4456-5300-0000-1096',
    '3714 491110 20228',
    `order ${NUMBER}`,
    `order-${NUMBER}`,
    '1234 4456 5300 0000 1096 123',
    '4456 5300 0000 1096 12/30',
    `${NUMBER} 020`,
    `(${NUMBER})`,
    `https://shop.example/?card=${NUMBER}&x=1`,
  ])
    ok(mayBeCardNumber(text, lookAtCard), text)
  for (const text of [
    '',
    `A${NUMBER}`,
    `${NUMBER}x`,
    `no_${NUMBER}`,
    '4456530000001097',
    '9c2f4b1e-4456-5300-8000-001096445653',
    '44565300-0000-1096-4456-530000001096',
    'INV-5500-20261128-0042',
    '1764300000000000',
    '6100000000000000000001',
  ])
    ok(!mayBeCardNumber(text, lookAtCard), text)
})

test('free text is masked where it holds a card number, with its security code, and nowhere else', () => {
  equal(cardNumbersHidden(`my card ${NUMBER} 020, thanks`, lookAtCard), 'my card **************** ***, thanks')
  equal(cardNumbersHidden('4456 5300 0000 1096 12/30', lookAtCard), '**** **** **** **** **/**')
  for (const text of ['', '12 High Street', 'Two tickets, 28.11.2026', '+4479111234561', 'TR14 8PA', '020 7946 0018'])
    equal(cardNumbersHidden(text, lookAtCard), text)
})
