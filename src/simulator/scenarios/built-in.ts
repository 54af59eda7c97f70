// src/simulator/scenarios/built-in.ts — the built-in scenarios, by name. Their titles are in titles.ts. Row numbers are
// those of docs/scenarios.md.
import {
  ASK_PIN,
  AUTHORISE,
  end,
  endUnheard,
  link,
  PAPER_OUT,
  type Plan,
  prompt,
  READ_CARD,
  REMOVE_CARD,
  SIGNATURE_APPLIED,
  SIGNATURE_NOT_APPLIED,
  show,
  wait,
} from '../terminals/flow.ts'
import { ORDINARY, type Scenario } from './scenario.ts'

type Plans = Scenario['plans']

/** Replaces the plan after the card is presented, for payments and refunds. */
const fromCard = (plan: Plan): Plans => ({ card_presented: plan, card_presented_for_refund: plan })

/** The first presentation of the card fails, the second succeeds. Row 29. */
const firstTry = (mishap: Parameters<typeof prompt>[0]): Plans => ({
  started: [wait('gratuity'), prompt('PRESENT_CARD'), prompt(mishap), prompt('PRESENT_CARD'), wait('card')],
})

const UNDO_AT_ONCE: Plan = [link('CONNECTING'), link('CONNECTION_MADE'), end('VOID')]

/** Changes to the ordinary plans by the outcome letter of a terminal id. `S` and `D` depend on the card instead. */
export const PLANS_BY_OUTCOME = {
  successful: {},
  /** Row 17. */
  unsuccessful: fromCard([
    READ_CARD,
    ...ASK_PIN,
    link('CONNECTING'),
    link('RETRYING'),
    show('PROCESSING_ERROR'),
    end('UNSUCCESSFUL'),
  ]),
  /** Approved, then reversed by the terminal itself over the connection of row 5. */
  void: { approved: UNDO_AT_ONCE, approved_to_be_signed: UNDO_AT_ONCE },
  /** Row 15: no further report; the gateway's time limit ends the transaction. */
  timed_out: fromCard([READ_CARD, ...ASK_PIN, wait('nothing'), end('UNSUCCESSFUL')]),
  /** Row 13, after the PIN prompt. */
  cancelled: fromCard([READ_CARD, ...ASK_PIN, end('CANCELLED')]),
} as const satisfies Record<string, Plans>

/** Operated with keys: a card in the slot must be removed before the transaction ends. */
const BY_HAND: Scenario = {
  ...ORDINARY,
  person: 'keys',
  plans: {
    approved: [show('APPROVED'), ...REMOVE_CARD, end('SUCCESSFUL')],
    declined: [show('DECLINED'), ...REMOVE_CARD, end('DECLINED')],
    signature_accepted: [SIGNATURE_APPLIED, show('APPROVED'), ...REMOVE_CARD, end('SUCCESSFUL')],
    signature_timed_out: [show('APPROVED'), ...REMOVE_CARD, end('SUCCESSFUL')],
  },
}

const CONTACTLESS = { reading: 'CONTACTLESS', check: 'NONE' } as const
const NO_CHECK = { check: 'NONE' } as const
const SIGNED = { check: 'SIGNATURE' } as const

const DECLINED_CARD = { ...ORDINARY, card: 'sim-visa-declined' } as const
const SIGNED_CHIP = { ...ORDINARY, ...SIGNED, card: 'sim-visa-signature' } as const

export const SCENARIOS = {
  // Short names for the most used test cases.
  approved: ORDINARY,
  declined: DECLINED_CARD,
  unsuccessful: { ...ORDINARY, plans: PLANS_BY_OUTCOME.unsuccessful },
  cancelled: { ...ORDINARY, plans: PLANS_BY_OUTCOME.cancelled },
  timed_out: { ...ORDINARY, plans: PLANS_BY_OUTCOME.timed_out },
  void: { ...ORDINARY, plans: PLANS_BY_OUTCOME.void },
  signature: SIGNED_CHIP,
  void_unanswered: {
    ...ORDINARY,
    plans: PLANS_BY_OUTCOME.void,
    faults: [{ name: 'reversal_unanswered', number: 60_000 }],
  },

  /** Rows 1, 18 and 20 to 28, depending on the request and the terminal's settings. */
  chip_pin_approved: ORDINARY,
  contactless_approved: { ...ORDINARY, ...CONTACTLESS }, // row 2
  device_approved: { ...ORDINARY, card: 'sim-visa-phone', reading: 'CONTACTLESS', check: 'DEVICE' }, // row 3
  chip_signature: SIGNED_CHIP, // rows 4 to 6
  swipe_signature: { ...ORDINARY, ...SIGNED, reading: 'SWIPED' }, // rows 4 to 6
  /** Row 7: the till's decision arrived while the time-out was being handled. */
  signature_decision_too_late: {
    ...SIGNED_CHIP,
    plans: { signature_timed_out: [SIGNATURE_NOT_APPLIED, show('APPROVED'), end('SUCCESSFUL')] },
  },
  chip_pin_declined: DECLINED_CARD, // row 8
  insufficient_funds: { ...ORDINARY, card: 'sim-visa-insufficient-funds' }, // row 8
  lost_or_stolen: { ...ORDINARY, card: 'sim-visa-lost-or-stolen' }, // row 8
  referred: { ...ORDINARY, card: 'sim-visa-referred' }, // row 8
  /** Row 9. */
  declined_by_card: {
    ...ORDINARY,
    plans: fromCard([READ_CARD, ...ASK_PIN, show('DECLINED_BY_CARD'), end('DECLINED')]),
  },
  /** The first PIN entry is wrong. */
  pin_wrong_once: { ...ORDINARY, plans: fromCard([READ_CARD, ...ASK_PIN, ...ASK_PIN, link('CONNECTING'), AUTHORISE]) },
  cancelled_at_card: { ...ORDINARY, plans: { started: [prompt('PRESENT_CARD'), end('CANCELLED')] } }, // row 13
  cancelled_at_pin: { ...ORDINARY, plans: PLANS_BY_OUTCOME.cancelled }, // row 13
  /** Rows 10 and 14: no card is presented. A person can still press the keys. */
  nobody_presents_card: BY_HAND,
  silent_after_pin: { ...ORDINARY, plans: PLANS_BY_OUTCOME.timed_out }, // row 15
  /** Row 15: the card stays in the slot despite the prompt. */
  card_left_in: {
    ...ORDINARY,
    plans: { approved: [show('APPROVED'), ...REMOVE_CARD, end('SUCCESSFUL')] },
    leavesCard: true,
  },
  /** The approval arrives, and the terminal hangs before it shows it. The payment must be reversed. */
  silent_after_approval: { ...ORDINARY, plans: { approved: [wait('nothing'), endUnheard('UNSUCCESSFUL')] } },
  /** The terminal shows the approval, and its final report never arrives. The payment must stand. */
  completed_unheard: { ...ORDINARY, plans: { approved: [endUnheard('SUCCESSFUL')] } },
  /** Row 16. */
  card_pulled_out: {
    ...ORDINARY,
    ...NO_CHECK,
    plans: fromCard([READ_CARD, show('CARD_ERROR'), end('UNSUCCESSFUL')]),
  },
  /** The connection fails once and succeeds at the second try; each stage is reported. */
  line_fails_once: {
    ...ORDINARY,
    plans: {
      ...fromCard([READ_CARD, ...ASK_PIN, link('CONNECTING'), link('RETRYING'), link('CONNECTING'), AUTHORISE]),
      approved: [link('REQUEST_SENT'), show('APPROVED'), end('SUCCESSFUL')],
      declined: [link('REQUEST_SENT'), show('DECLINED'), end('DECLINED')],
    },
  },
  technical_failure: { ...ORDINARY, plans: PLANS_BY_OUTCOME.unsuccessful }, // row 17
  voided: { ...ORDINARY, plans: PLANS_BY_OUTCOME.void },
  keyed: { ...ORDINARY, ...NO_CHECK, reading: 'KEYED' }, // row 19
  removal_prompted: {
    ...ORDINARY,
    plans: {
      approved: [show('APPROVED'), ...REMOVE_CARD, end('SUCCESSFUL')],
      declined: [show('DECLINED'), ...REMOVE_CARD, end('DECLINED')],
    },
  },
  cashback_prompted: {
    ...ORDINARY,
    plans: { started: [wait('gratuity'), prompt('ENTER_CASHBACK'), prompt('PRESENT_CARD'), wait('card')] },
  },
  bad_swipe: { ...ORDINARY, ...SIGNED, reading: 'SWIPED', plans: firstTry('BAD_SWIPE') }, // row 29
  present_again: { ...ORDINARY, ...CONTACTLESS, plans: firstTry('RE_PRESENT_CARD') }, // row 29
  two_cards: { ...ORDINARY, ...CONTACTLESS, plans: firstTry('PRESENT_ONLY_ONE_CARD') }, // row 29
  insert_instead: { ...ORDINARY, plans: firstTry('INSERT_CARD') }, // row 29
  card_expired: { ...ORDINARY, card: 'sim-visa-expired' }, // row 30
  card_not_supported: { ...ORDINARY, card: 'sim-jcb' }, // row 30
  paper_out_at_start: { ...ORDINARY, startsWithoutPaper: true }, // row 31
  /** Row 31, at the start of printing. */
  paper_runs_out: { ...ORDINARY, plans: { approved: [PAPER_OUT, show('APPROVED'), end('SUCCESSFUL')] } },
} as const satisfies Record<string, Scenario>

export type ScenarioName = keyof typeof SCENARIOS

export const SCENARIO_NAMES = Object.keys(SCENARIOS) as readonly ScenarioName[]
