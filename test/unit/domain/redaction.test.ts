// test/unit/domain/redaction.test.ts — redaction of recorded messages.
import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { redacted } from '../../../src/domain/redaction.ts'
import { TEST_CARDS } from '../../../src/simulator/cards/test-cards.ts'
import { numbersThatLookLikeCards } from '../../support/card-scanner.ts'

test('secrets are redacted by member name, card numbers anywhere', () => {
  const message = {
    cardToken: 'sim-visa-debit',
    authCode: 'AB12C3',
    at: 1_795_824_779_032,
    list: [{ pin: '1234' }, 'pay 4111-1111-1111-1111 now', 4_111_111_111_111_111, null, true],
    card: { primaryAccountNumber: '************1111' },
    '4111 1111 1111 1111': { CV2: '341', cvv: '341', track2: 'x', pan: 'y' },
  }
  deepEqual(redacted(message), {
    cardToken: '[redacted]',
    authCode: 'AB12C3',
    at: 1_795_824_779_032,
    list: [{ pin: '[redacted]' }, 'pay [redacted] now', '[redacted]', null, true],
    card: { primaryAccountNumber: '************1111' },
    '[redacted]': { CV2: '[redacted]', cvv: '[redacted]', track2: '[redacted]', pan: '[redacted]' },
  })
  equal(redacted(undefined), undefined)
})

test('no card number passes redaction, in any surrounding text', () => {
  const card = fc.constantFrom(...TEST_CARDS.map(({ number }) => number))
  const wrapped = fc.tuple(fc.stringMatching(/^[a-z ]{0,8}$/), card, fc.stringMatching(/^[a-z ]{0,8}$/))
  fc.assert(
    fc.property(fc.array(wrapped), fc.constantFrom('', ' ', '-'), (texts, blank) => {
      const values = texts.map(
        ([before, number, after]) => `${before}${number.replaceAll(/(\d{4})(?=\d)/g, `$1${blank}`)}${after}`,
      )
      deepEqual(numbersThatLookLikeCards(JSON.stringify(redacted({ values, nested: [{ values }] }))), [])
    }),
  )
})

test('a circular object is cut off', () => {
  const circle: { self?: unknown } = {}
  circle.self = circle
  equal(JSON.stringify(redacted(circle)).includes('[redacted]'), true)
})
