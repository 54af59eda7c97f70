// src/simulator/scenarios/scenario.ts — a scenario as data: who operates the terminal, with which card, and what differs
// from the ordinary.
import type { CardholderVerificationMethod, PaymentMethod } from '../../domain/card.ts'
import { NO_OVERRIDE, type OutcomeOverride } from '../cards/card-token.ts'
import type { TestCardToken } from '../cards/test-cards.ts'
import type { Fault } from '../faults/catalogue.ts'
import type { Moment, Plan } from '../terminals/flow.ts'

export type Reading = Exclude<PaymentMethod, 'UNKNOWN'>
export type Check = Exclude<CardholderVerificationMethod, 'UNKNOWN'>

export interface Scenario {
  /** Who acts: a script, one step after the prompt, or a person who presses keys. */
  readonly person: 'script' | 'keys'
  /** Card that the script presents, how it is read, and how the cardholder is verified. Unused with `keys`. */
  readonly card: TestCardToken
  readonly reading: Reading
  readonly check: Check
  /** Plans that replace the ordinary ones. */
  readonly plans: Readonly<Partial<Record<Moment, Plan>>>
  /** Milliseconds per step; null for the terminal's setting. */
  readonly paceMs: number | null
  /** The paper roll is empty when the transaction starts. */
  readonly startsWithoutPaper: boolean
  /** Gratuity that the script gives, in minor units. Absent: a tenth. */
  readonly gratuityMinor?: number
  /** The script leaves the card in the slot. */
  readonly leavesCard: boolean
  readonly acquirer: OutcomeOverride
  /** Faults of the scenario. */
  readonly faults: readonly Fault[]
}

/** Chip and PIN with a card that is approved. */
export const ORDINARY: Scenario = {
  person: 'script',
  card: 'sim-visa-debit',
  reading: 'ICC_CHIP',
  check: 'PIN',
  plans: {},
  paceMs: null,
  startsWithoutPaper: false,
  leavesCard: false,
  acquirer: NO_OVERRIDE,
  faults: [],
}
