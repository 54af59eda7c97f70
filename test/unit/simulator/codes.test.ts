// test/unit/simulator/codes.test.ts — behaviour encoded in the ids of simulated terminals.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { testCardOf } from '../../../src/simulator/cards/test-cards.ts'
import { PLANS_BY_OUTCOME, SCENARIOS } from '../../../src/simulator/scenarios/built-in.ts'
import { scenarioOf } from '../../../src/simulator/terminals/scripted-ids.ts'

/** Id, card reading, cardholder verification, issuer's answer, outcome. */
const CODES = [
  ['VCMDEMOSIP0', 'ICC_CHIP', 'PIN', 'approves', 'successful'],
  ['VCMINVLDIP0', 'ICC_CHIP', 'PIN', 'do_not_honour', 'successful'],
  ['VCMWolfSCD0', 'CONTACTLESS', 'DEVICE', 'approves', 'successful'],
  ['VCMDEMOSIS0', 'ICC_CHIP', 'SIGNATURE', 'approves', 'successful'],
  ['VCMDEMOUIP0', 'ICC_CHIP', 'PIN', 'approves', 'unsuccessful'],
  ['VCMDEMOTIP0', 'ICC_CHIP', 'PIN', 'approves', 'timed_out'],
  ['VCMDEMOCIP0', 'ICC_CHIP', 'PIN', 'approves', 'cancelled'],
  ['VCMDEMOVIP0', 'ICC_CHIP', 'PIN', 'approves', 'void'],
  ['VCMDEMOSCN0', 'CONTACTLESS', 'NONE', 'approves', 'successful'],
  ['VCMKONCSCP0MA', 'CONTACTLESS', 'DEVICE', 'approves', 'successful'],
  ['VCMKONCVIP0VA', 'ICC_CHIP', 'PIN', 'approves', 'void'],
  ['VCMXTCS9', 'CONTACTLESS', 'SIGNATURE', 'approves', 'timed_out'],
  ['VCMXDSP0MA', 'SWIPED', 'PIN', 'do_not_honour', 'successful'],
  ['VCMXSKP0', 'KEYED', 'NONE', 'approves', 'successful'],
] as const

test.each(CODES)('%s is %s / %s', (tid, reading, check, issuer, outcome) => {
  const scenario = scenarioOf(tid)
  deepEqual([scenario.reading, scenario.check, scenario.person], [reading, check, 'script'])
  equal(testCardOf(scenario.card)?.issuer, issuer)
  deepEqual(scenario.plans, PLANS_BY_OUTCOME[outcome])
})

test('the ending of an id selects the scheme', () => {
  const schemes = ['VCMASIP0', 'VCMASIP0VA', 'VCMASIP0MA', 'VCMADIP0MA', 'VCMASCD0MA'].map(
    tid => testCardOf(scenarioOf(tid).card)?.cardSchemeName,
  )
  deepEqual(schemes, ['VISA', 'VISA', 'MASTERCARD', 'MASTERCARD', 'MASTERCARD'])
})

test('an unknown code behaves as SIP0', () => {
  for (const tid of ['VCM', 'VCMDEMO', 'VCMDEMOXXX0', 'VCMDEMOSIPA', 'VCMDEMOSIP0XX'])
    deepEqual(scenarioOf(tid), SCENARIOS.chip_pin_approved, tid)
})

test('a terminal whose id has no prefix is operated by keys', () => {
  for (const tid of ['22160001', 'SIP0', 'vcmDEMOSIP0']) equal(scenarioOf(tid).person, 'keys', tid)
})
