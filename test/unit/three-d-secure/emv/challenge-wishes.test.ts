// test/unit/three-d-secure/emv/challenge-wishes.test.ts — which wish of a merchant goes into a request, and what it exempts from.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { money } from '../../../../src/domain/money.ts'
import { CHALLENGE_WISHES, exemptionAskedFor, wishFor } from '../../../../src/three-d-secure/emv/challenge-wishes.ts'

const WISHES = [
  { wish: 'low_value', upTo: { amountMinor: 3_000, currencyNumeric: '978' } },
  { wish: 'transaction_risk_analysis', upTo: { amountMinor: 10_000, currencyNumeric: '978' } },
  { wish: 'challenge' },
] as const

const euros = (minor: number) => ({ amount: money(minor, 'EUR'), currencyNumeric: '978' })

test('the first wish that fits the amount and its currency counts', () => {
  equal(wishFor(euros(3_000), WISHES), 'low_value')
  equal(wishFor(euros(3_001), WISHES), 'transaction_risk_analysis')
  equal(wishFor(euros(10_001), WISHES), 'challenge')
  equal(wishFor({ amount: money(100, 'GBP'), currencyNumeric: '826' }, WISHES), 'challenge')
  equal(wishFor(euros(10_001), WISHES.slice(0, 2)), 'no_preference')
  equal(wishFor(euros(100), []), 'no_preference')
})

test('an order that saves its card asks for no exemption', () => {
  for (const wish of CHALLENGE_WISHES) {
    const expected = wish === 'challenge' ? 'challenge' : 'no_preference'
    equal(wishFor({ ...euros(100), savesCard: true }, [{ wish }]), expected)
  }
})

test('a wish is an exemption or a preference, and a demanded challenge exempts from nothing', () => {
  deepEqual(
    CHALLENGE_WISHES.map(wish => exemptionAskedFor(wish, false)),
    [null, null, null, 'transaction_risk_analysis', null, 'trusted_beneficiary', 'low_value', 'corporate'],
  )
  for (const wish of CHALLENGE_WISHES) equal(exemptionAskedFor(wish, true), null)
})
