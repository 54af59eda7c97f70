// src/simulator/terminals/scripted-ids.ts — decodes the id of a scripted terminal: `VCM`, a tag, and a code of three letters, a
// digit and an optional scheme (docs/sandbox.md).
import type { TestCardToken } from '../cards/test-cards.ts'
import { PLANS_BY_OUTCOME, SCENARIOS } from '../scenarios/built-in.ts'
import type { Check, Reading, Scenario } from '../scenarios/scenario.ts'

const OUTCOMES = {
  S: 'successful',
  D: 'declined',
  U: 'unsuccessful',
  V: 'void',
  T: 'timed_out',
  C: 'cancelled',
} as const
const READINGS = { I: 'ICC_CHIP', C: 'CONTACTLESS', S: 'SWIPED', K: 'KEYED' } as const satisfies Record<string, Reading>
const CHECKS = { P: 'PIN', D: 'DEVICE', S: 'SIGNATURE', N: 'NONE' } as const satisfies Record<string, Check>

const CODE = /([SDUVTC])([ICSK])([PDSN])\d(MA|VA)?$/
const PREFIX = 'VCM'

type Outcome = (typeof OUTCOMES)[keyof typeof OUTCOMES]
type Scheme = 'MA' | 'VA'

const CARDS: Readonly<Record<Scheme, Readonly<Record<'plain' | 'phone' | 'declined', TestCardToken>>>> = {
  VA: { plain: 'sim-visa-debit', phone: 'sim-visa-phone', declined: 'sim-visa-declined' },
  MA: { plain: 'sim-mastercard-debit', phone: 'sim-mastercard-phone', declined: 'sim-mastercard-declined' },
}

/** Scenario of a terminal id. An id without the prefix is operated with keys; an unreadable code counts as `SIP0`. */
export function scenarioOf(tid: string): Scenario {
  if (!tid.startsWith(PREFIX)) return SCENARIOS.nobody_presents_card
  const [, outcomeLetter, readingLetter, checkLetter, scheme] = CODE.exec(tid.slice(PREFIX.length)) ?? []
  if (outcomeLetter === undefined || readingLetter === undefined || checkLetter === undefined)
    return SCENARIOS.chip_pin_approved
  const outcome = OUTCOMES[outcomeLetter as keyof typeof OUTCOMES]
  const reading = READINGS[readingLetter as keyof typeof READINGS]
  const check = checkFor(reading, CHECKS[checkLetter as keyof typeof CHECKS])
  return {
    ...SCENARIOS.chip_pin_approved,
    card: cardFor(outcome, check, (scheme ?? 'VA') as Scheme),
    reading,
    check,
    plans: outcome === 'declined' ? {} : PLANS_BY_OUTCOME[outcome],
  }
}

/** `P` means a phone for contactless, verified by the device. Keyed numbers are not verified. */
function checkFor(reading: Reading, check: Check): Check {
  if (reading === 'KEYED') return 'NONE'
  return reading === 'CONTACTLESS' && check === 'PIN' ? 'DEVICE' : check
}

function cardFor(outcome: Outcome, check: Check, scheme: Scheme): TestCardToken {
  if (outcome === 'declined') return CARDS[scheme].declined
  return check === 'DEVICE' ? CARDS[scheme].phone : CARDS[scheme].plain
}
