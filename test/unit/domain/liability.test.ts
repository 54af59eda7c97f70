// test/unit/domain/liability.test.ts — case 17: when the liability shifts, and which indicator goes to the acquirer.
import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { CARD_SCHEMES } from '../../../src/domain/card-number.ts'
import { liabilityOf } from '../../../src/domain/online/liability.ts'

/** Indicators of an authentication (Y), of an attempt (A), and of neither. */
const BY_SCHEME = {
  VISA: ['05', '06', '07'],
  AMEX: ['05', '06', '07'],
  DCI: ['05', '06', '07'],
  DISCOVER: ['05', '06', '07'],
  MASTERCARD: ['02', '01', '00'],
  MAESTRO: ['02', '01', '00'],
} as const
const STATUSES = ['Y', 'A', 'N', 'U', 'R', 'C', 'D', 'I'] as const
/** Also those of data only (04), exemptions (06), later payments (07) and authentications without a payment of Mastercard. */
const GIVEN = ['00', '01', '02', '04', '05', '06', '07', 'N0', 'N2']

describe.each(CARD_SCHEMES)('%s', scheme => {
  const [full, attempt, none] = BY_SCHEME[scheme]

  test.each(STATUSES)('status %s without an indicator has that of the scheme', status => {
    const [eci, liability] = { Y: [full, 'issuer'], A: [attempt, 'issuer'] }[status as string] ?? [none, 'merchant']
    deepEqual(liabilityOf(scheme, status), { eci, liability })
  })

  test('shifts for the indicator of the status and no other, which is passed on', () => {
    for (const status of STATUSES)
      for (const eci of GIVEN) {
        const shifts = (status === 'Y' && eci === full) || (status === 'A' && eci === attempt)
        const expected = { eci, liability: shifts ? 'issuer' : 'merchant' }
        deepEqual(liabilityOf(scheme, status, eci), expected, `${status} ${eci}`)
      }
  })
})

test('Y with the indicator of another scheme, or of no authentication, leaves the merchant liable', () => {
  equal(liabilityOf('VISA', 'Y', '02').liability, 'merchant')
  equal(liabilityOf('MASTERCARD', 'Y', '05').liability, 'merchant')
  equal(liabilityOf('VISA', 'Y', '07').liability, 'merchant')
})

describe('without the payer (3RI)', () => {
  test.each(CARD_SCHEMES)('%s: 02 and 07 shift for Mastercard and Maestro with Y, and nothing else does', scheme => {
    const [full, attempt, none] = BY_SCHEME[scheme]
    const later = full === '02' ? '07' : full
    const missing = { Y: [later, 'issuer'], A: [attempt, 'issuer'] } as const
    for (const status of STATUSES) {
      const [eci, liability] = missing[status as 'Y'] ?? [none, 'merchant']
      deepEqual(liabilityOf(scheme, status, undefined, true), { eci, liability }, status)
      for (const given of GIVEN) {
        const shifts = (status === 'Y' && (given === full || given === later)) || (status === 'A' && given === attempt)
        equal(liabilityOf(scheme, status, given, true).liability, shifts ? 'issuer' : 'merchant', `${status} ${given}`)
      }
    }
  })
})
