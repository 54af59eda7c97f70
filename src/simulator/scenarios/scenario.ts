// src/simulator/scenarios/scenario.ts — a way a payment can go, as data: who stands at the terminal, with which card, and
// what goes otherwise than usual.
import type { CardholderVerificationMethod, PaymentMethod } from '../../domain/card.ts'
import { NO_OVERRIDE, type OutcomeOverride } from '../cards/card-token.ts'
import type { TestCardToken } from '../cards/test-cards.ts'
import type { Fault } from '../faults/catalogue.ts'
import type { Moment, Plan } from '../terminals/flow.ts'

export type Reading = Exclude<PaymentMethod, 'UNKNOWN'>
export type Check = Exclude<CardholderVerificationMethod, 'UNKNOWN'>

export interface Scenario {
  /** Who acts: a script, one step after the prompt, or a person who presses the keys of the screen. */
  readonly person: 'script' | 'keys'
  /** What the script presents, how it is read, and how its owner is checked. Unused where a person acts. */
  readonly card: TestCardToken
  readonly reading: Reading
  readonly check: Check
  /** Plans that differ from the ordinary ones. */
  readonly plans: Readonly<Partial<Record<Moment, Plan>>>
  /** Milliseconds a step takes; null: as the terminal is set. */
  readonly paceMs: number | null
  /** The paper roll is empty when the transaction starts. */
  readonly startsWithoutPaper: boolean
  /** The script does not take the card out when asked to. */
  readonly leavesCard: boolean
  readonly acquirer: OutcomeOverride
  /** What goes wrong besides. */
  readonly faults: readonly Fault[]
}

/** Chip and PIN with a good card. */
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
