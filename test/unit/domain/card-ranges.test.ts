// test/unit/domain/card-ranges.test.ts — which digits are a card number, compared with the tables of credit-card-type.
import { deepEqual, equal, ok } from 'node:assert/strict'
import cardValidator from 'card-validator'
import { test } from 'vitest'
import { hasCheckDigit, isCardNumber } from '../../../src/domain/card-ranges.ts'

const { creditCardType } = cardValidator

/** A number that begins so, with its check digit. */
function numberOf(beginning: string, length: number): string {
  const all = beginning.padEnd(length - 1, '7')
  const found = Array.from({ length: 10 }, (_, digit) => `${all}${digit}`).find(hasCheckDigit)
  ok(found)
  return found
}

test('each beginning and length of the tables of credit-card-type is a card number, the old ranges of JCB aside', () => {
  const missing = Object.values(creditCardType.types).flatMap(type => {
    const { patterns, lengths } = creditCardType.getTypeInfo(type)
    return patterns.flatMap(pattern =>
      (Array.isArray(pattern) ? pattern : [pattern]).flatMap(beginning =>
        lengths
          .map(length => numberOf(String(beginning), length))
          .filter(number => !isCardNumber(number))
          .map(number => `${type} ${beginning} ${number.length}`),
      ),
    )
  })
  // Four of the package's lengths of each: those ranges have fifteen digits only. ADR 52.
  deepEqual(
    missing.filter(each => !/^jcb (2131|1800) /.test(each)),
    [],
  )
  equal(missing.length, 8)
  ok(isCardNumber(numberOf('1800', 15)))
  ok(isCardNumber(numberOf('2131', 15)))
})

test('each digit of a beginning, a length and the check digit count', () => {
  for (const number of [
    '4111111111111111',
    '5500000000000004',
    '378282246310005',
    '30569309025904',
    '6759649826438453',
  ]) {
    ok(isCardNumber(number), number)
    for (let digit = 1; digit < 10; digit += 1)
      ok(!isCardNumber(`${number.slice(0, -1)}${(Number(number.at(-1)) + digit) % 10}`), number)
  }
  for (const text of ['', '4', '411111111111', '4222222222222', '1764300000000003', '9999999999999995', '0'.repeat(16)])
    ok(!isCardNumber(text), text)
})

test('a beginning outside of each range is of no card', () => {
  const beginnings = ['0', '10', '33', '351', '2220', '2721', '306', '3527', '3590', '8099', '8172', '9791', '7']
  for (const beginning of beginnings)
    for (let length = 12; length <= 19; length += 1) ok(!isCardNumber(numberOf(beginning, length)), beginning)
})
