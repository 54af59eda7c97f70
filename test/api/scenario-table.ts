// test/api/scenario-table.ts — the 31 published scenarios as data, for every transport and version: request, actions of the
// till, notifications and result. Sequences and results come from the rows that the simulator is tested with; added here is
// what only a till can see.

import type { TerminalSettings } from '../../src/domain/accounts/terminal.ts'
import type { Notification } from '../../src/domain/counter/notifications.ts'
import type { ScenarioName } from '../../src/simulator/scenarios/built-in.ts'
import { CHIP_PIN, long, ROWS, type Row } from '../support/published-rows.ts'

/** A request in the newest version. */
export interface Asked {
  readonly transactionType: string
  readonly amount?: number
  readonly currency?: string
  readonly amountCashback?: number
  readonly cardholderNotPresent?: boolean
  readonly authCode?: string
}

/** Action of the till when a notification is the newest one, and its outcome. */
export type Act =
  | { readonly at: Notification; readonly sign: boolean; readonly taken: boolean }
  | { readonly at: Notification; readonly cancel: true; readonly done: boolean }

export interface Scenario {
  /** Number of the row, and the variant. */
  readonly row: string
  readonly play: ScenarioName
  /** Paid on the same terminal before, by chip and PIN. */
  readonly before?: Asked
  readonly asked: Asked
  readonly settings?: Partial<TerminalSettings>
  readonly acts: readonly Act[]
  /** Oldest first, in the newest version. */
  readonly told: readonly string[]
  readonly result: string
  /** Payment method and cardholder verification method. */
  readonly read: string
  /** Base, cashback, gratuity: minor units. */
  readonly amounts: readonly [number, number, number]
  /** Transaction type in the answer, where it differs from the request; null when there is none. */
  readonly type?: string | null
  readonly userMessage?: RegExp
}

const AMOUNT = 2599

/** Placeholder for the authorisation code of the transaction before. */
export const CODE_OF_BEFORE = 'code of the one before'

const sign = (accepted: boolean): readonly Act[] => [{ at: 'SIGNATURE_VERIFICATION', sign: accepted, taken: true }]

type Addition = Partial<Pick<Scenario, 'acts' | 'amounts' | 'type' | 'userMessage'>>

/** Actions of the till in each row, and what only the till can see. */
const ADDITIONS: Readonly<Record<string, Addition>> = {
  '4, chip': { acts: sign(true) },
  '4, stripe': { acts: sign(true) },
  '5': { acts: sign(false) },
  '6': { userMessage: /^Signature check not actioned before timeout\./ },
  '7': {
    acts: [{ at: 'SIGNATURE_VERIFICATION_TIMEOUT', sign: true, taken: false }],
    userMessage: /^Signature check not actioned before timeout\./,
  },
  // Row 11 is row 10 in the older versions.
  '10': { acts: [{ at: 'PRESENT_CARD', cancel: true, done: true }] },
  '12, at the signature stage': {
    acts: [{ at: 'SIGNATURE_VERIFICATION', cancel: true, done: false }, ...sign(true)],
  },
  '15, silent': { userMessage: /^No answer from VCMDEMOSIP0\./ },
  '15, card left in': { userMessage: /^No answer from VCMDEMOSIP0\./ },
  '20, chip with signature': { acts: sign(true) },
  '23': { amounts: [0, 0, 0] },
  '25': { amounts: [0, 0, 0], type: null, userMessage: /^There is no earlier transaction/ },
  '28': { amounts: [AMOUNT, 0, 259] },
  '29, bad swipe': { acts: sign(true) },
}

function scenarioOf({ name, play, request = {}, settings, order, result, read }: Row): Scenario {
  const { transactionType = 'SALE', amountMinor = AMOUNT, cardholderNotPresent } = request
  const bare = transactionType === 'DUPLICATE' || transactionType === 'ACCOUNT_VERIFICATION'
  return {
    row: name,
    play,
    asked: {
      transactionType,
      ...(bare ? {} : { amount: amountMinor, currency: 'GBP' }),
      ...(cardholderNotPresent === undefined ? {} : { cardholderNotPresent }),
    },
    ...(settings === undefined ? {} : { settings }),
    acts: [],
    told: long(order).split(' '),
    result,
    read,
    amounts: [AMOUNT, 0, 0],
    ...ADDITIONS[name],
  }
}

const CHIP_AND_PIN = {
  play: 'chip_pin_approved',
  acts: [],
  told: long(CHIP_PIN).split(' '),
  result: 'SUCCESSFUL',
  read: 'ICC_CHIP/PIN',
} as const

/** Rows with an earlier transaction, or with amounts that only a till can see. */
const MORE: readonly Scenario[] = [
  {
    ...CHIP_AND_PIN,
    row: '22',
    before: { transactionType: 'PRE_AUTH', amount: 10_000, currency: 'GBP' },
    asked: { transactionType: 'COMPLETION', amount: 8_150, currency: 'GBP', authCode: CODE_OF_BEFORE },
    amounts: [8_150, 0, 0],
  },
  {
    ...CHIP_AND_PIN,
    row: '24',
    before: { transactionType: 'SALE', amount: 1_234, currency: 'GBP' },
    asked: { transactionType: 'DUPLICATE' },
    told: ['TRANSACTION_STARTED', 'TRANSACTION_FINISHED'],
    amounts: [1_234, 0, 0],
    type: 'SALE',
  },
  {
    ...CHIP_AND_PIN,
    row: '26',
    asked: { transactionType: 'SALE', amount: AMOUNT, currency: 'GBP', amountCashback: 1_000 },
    amounts: [AMOUNT, 1_000, 0],
  },
  {
    ...CHIP_AND_PIN,
    row: '27',
    settings: { cashbackAllowed: false },
    asked: { transactionType: 'SALE', amount: AMOUNT, currency: 'GBP', amountCashback: 1_000 },
    amounts: [AMOUNT, 0, 0],
    userMessage: /^Cashback is not available\./,
  },
]

export const SCENARIO_TABLE: readonly Scenario[] = [...ROWS.map(scenarioOf), ...MORE]
