// test/unit/domain/card-number.test.ts — card numbers that never print, and how card details are read.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { format, inspect } from 'node:util'
import { test } from 'vitest'
import {
  CardNumber,
  expiryText,
  isExpired,
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
