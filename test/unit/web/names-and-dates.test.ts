// test/unit/web/names-and-dates.test.ts — names as people write them, and expiry dates as people type them.
import { equal } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { isName, plainName } from '../../../src/domain/online/payer-input.ts'
import { typed } from '../../../web/frame/expiry-date.ts'
import { CARD_FIELDS } from '../../../web/frame/fields.ts'

const errorOf = (name: string) => CARD_FIELDS[0]?.check(name, { now: 0, cardNumber: '' })

describe('a name is accepted and stored in one form of each character', () => {
  test.each([
    ['a no-break space', 'Ann\u00a0Example', 'Ann Example'],
    ['a full-width space and letters', 'Ａｎｎ\u3000Example', 'Ann Example'],
    ['direction marks', '\u200fأحمد\u200e', 'أحمد'],
    ['a byte order mark and a soft hyphen', '\ufeffAnn\u00ad Example', 'Ann Example'],
    ['joiners', 'क्\u200dषत्रिय', 'क्षत्रिय'],
    ['a letter and its accent apart', 'Rene\u0301', 'René'],
    ['an accent with a joiner before it', 'Rene\u200d\u0301', 'René'],
    ['punctuation of other scripts', 'Ng·Ba‧Tha 張、李', 'Ng·Ba‧Tha 張、李'],
    ['dashes', 'Ann–Marie — Example', 'Ann–Marie — Example'],
    ['an exclamation mark and a plus', 'Yahoo! + Sons', 'Yahoo! + Sons'],
    ['one letter', 'O', 'O'],
    ['one ideograph', '李', '李'],
    ['fifty letters', 'x'.repeat(50), 'x'.repeat(50)],
    ['255 letters outside of the first plane', '𠮷'.repeat(255), '𠮷'.repeat(255)],
    ['digits and no letter', '12 345', '12 345'],
    ['a tab', ' Ann\tExample ', 'Ann Example'],
  ])('%s', (_, given, stored) => {
    equal(errorOf(given), null)
    equal(plainName(given), stored)
  })

  test('in a form that does not change any more', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => equal(plainName(plainName(text)), plainName(text))),
      { numRuns: 2_000 },
    ))
})

test.each([
  ['nothing', '', 'cardNameRequired'],
  ['nothing that is printed', '\u200b \u200d\u3000', 'cardNameRequired'],
  ['256 letters', 'x'.repeat(256), 'cardNameInvalid'],
  ['letters that become more than 255', '\ufdfa'.repeat(20), 'cardNameInvalid'],
  ['a control character', 'Ann\u0007', 'cardNameInvalid'],
  ['half of a character', 'Ann\ud83d', 'cardNameInvalid'],
  ['a card number', 'Ann 4111 1111 1111 1111', 'cardNameInvalid'],
  ['a card number in full-width digits', '４１１１１１１１１１１１１１１１', 'cardNameInvalid'],
  ['a card number with invisible characters in it', '4111\u200b1111\u20601111\u00ad1111', 'cardNameInvalid'],
] as const)('a name of %s is refused, by the form and by the gateway', (_, name, error) => {
  equal(errorOf(name), error)
  equal(isName(plainName(name)), false)
})

describe('an expiry date that is typed', () => {
  test.each([
    ['12/30', '12 / 30'],
    ['1230', '12 / 30'],
    ['12/2030', '12 / 30'],
    ['122030', '12 / 30'],
    ['12 - 2030', '12 / 30'],
    ['1/2030', '01 / 30'],
    ['9/2030', '09 / 30'],
    ['12/20301', '12 / 30'],
    ['12/203', '12 / 203'],
    ['12/3099', '12 / 30'],
  ])('%s is %s', (keys, shown) =>
    equal(
      [...keys].reduce((text, key) => typed(text + key, true), ''),
      shown,
    ),
  )
})
