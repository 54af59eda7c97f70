// test/unit/domain/card.test.ts — detection and masking of card numbers.
import { equal } from 'node:assert/strict'
import { test } from 'vitest'
import { cardsMaskedIn, isCardNumber, maskOf } from '../../../src/domain/card.ts'

test('13 to 19 digits that pass the Luhn check are a card number, also with blanks and dashes', () => {
  for (const text of ['4111111111111111', '4111 1111 1111 1111', '5500-0000-0000-0004', '378282246310005'])
    equal(isCardNumber(text), true, text)
})

test('other texts are no card number', () => {
  for (const text of ['', '4111111111111112', '411111111111', 'x4111111111111111', 'till-0001'])
    equal(isCardNumber(text), false, text)
})

test('card numbers in a text are masked; bar codes, times and amounts are not', () => {
  equal(cardsMaskedIn('VISA 4111 1111 1111 1111 OK'), 'VISA ************1111 OK')
  for (const text of ['4006381333931', '04006381333931', '1 x Soup 12.00 2026-05-06 20:41', '4111111111111112'])
    equal(cardsMaskedIn(text), text)
})

test('a masked number shows its last four digits', () => {
  equal(maskOf('4111111111111111'), '************1111')
})
