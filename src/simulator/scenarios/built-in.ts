// src/simulator/scenarios/built-in.ts — the library: the ways a payment can go, each under a name. What each is for is
// told in scenario-titles.ts. Row numbers are those of the terminal reference, 6.2.
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

/** From the card on: replaces the plans for payments and for refunds alike. */
const fromCard = (plan: Plan): Plans => ({ card_presented: plan, card_presented_for_refund: plan })

/** Something is wrong with how the card was first presented; then it is presented properly. Row 29. */
const firstTry = (mishap: Parameters<typeof prompt>[0]): Plans => ({
  started: [wait('gratuity'), prompt('PRESENT_CARD'), prompt(mishap), prompt('PRESENT_CARD'), wait('card')],
})

const UNDO_AT_ONCE: Plan = [link('CONNECTING'), link('CONNECTION_MADE'), end('VOID')]

/** What the letters of a simulated terminal's id do to the ordinary course; `S` and `D` are a matter of the card. */
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
  /** Approved, and then undone by the terminal itself, over the line as in row 5. */
  void: { approved: UNDO_AT_ONCE, approved_to_be_signed: UNDO_AT_ONCE },
  /** Row 15: nothing more is heard, and the gateway's limit ends it. */
  timed_out: fromCard([READ_CARD, ...ASK_PIN, wait('nothing'), end('UNSUCCESSFUL')]),
  /** Row 13, after the PIN prompt. */
  cancelled: fromCard([READ_CARD, ...ASK_PIN, end('CANCELLED')]),
} as const satisfies Record<string, Plans>

/** By hand: a card that was put into the slot has to be taken out before the transaction ends. */
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
  // Short names for what tills are tested with most.
  approved: ORDINARY,
  declined: DECLINED_CARD,
  unsuccessful: { ...ORDINARY, plans: PLANS_BY_OUTCOME.unsuccessful },
  cancelled: { ...ORDINARY, plans: PLANS_BY_OUTCOME.cancelled },
  timed_out: { ...ORDINARY, plans: PLANS_BY_OUTCOME.timed_out },
  void: { ...ORDINARY, plans: PLANS_BY_OUTCOME.void },
  signature: SIGNED_CHIP,

  /** Rows 1, 18 and 20 to 28, as the request and the terminal's settings ask. */
  chip_pin_approved: ORDINARY,
  contactless_approved: { ...ORDINARY, ...CONTACTLESS }, // row 2
  device_approved: { ...ORDINARY, card: 'sim-visa-phone', reading: 'CONTACTLESS', check: 'DEVICE' }, // row 3
  chip_signature: SIGNED_CHIP, // rows 4 to 6
  swipe_signature: { ...ORDINARY, ...SIGNED, reading: 'SWIPED' }, // rows 4 to 6
  /** Row 7: the till's decision came while the time-out was being handled. */
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
  /** The PIN is typed wrongly first. */
  pin_wrong_once: { ...ORDINARY, plans: fromCard([READ_CARD, ...ASK_PIN, ...ASK_PIN, link('CONNECTING'), AUTHORISE]) },
  cancelled_at_card: { ...ORDINARY, plans: { started: [prompt('PRESENT_CARD'), end('CANCELLED')] } }, // row 13
  cancelled_at_pin: { ...ORDINARY, plans: PLANS_BY_OUTCOME.cancelled }, // row 13
  /** Rows 10 and 14: nobody is there. A person may still press the keys. */
  nobody_presents_card: BY_HAND,
  silent_after_pin: { ...ORDINARY, plans: PLANS_BY_OUTCOME.timed_out }, // row 15
  /** Row 15: the card is left in although the prompt asks for it. */
  card_left_in: {
    ...ORDINARY,
    plans: { approved: [show('APPROVED'), ...REMOVE_CARD, end('SUCCESSFUL')] },
    leavesCard: true,
  },
  /** The approval arrives, and the terminal hangs before it has shown it. The money has to be given back. */
  silent_after_approval: { ...ORDINARY, plans: { approved: [wait('nothing'), endUnheard('UNSUCCESSFUL')] } },
  /** The customer leaves with the goods, and the till never hears of it. The money has to stay. */
  completed_unheard: { ...ORDINARY, plans: { approved: [endUnheard('SUCCESSFUL')] } },
  /** Row 16. */
  card_pulled_out: {
    ...ORDINARY,
    ...NO_CHECK,
    plans: fromCard([READ_CARD, show('CARD_ERROR'), end('UNSUCCESSFUL')]),
  },
  /** The line fails once and is up at the second try; every stage of it is told. */
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
  /** Row 31, where printing starts. */
  paper_runs_out: { ...ORDINARY, plans: { approved: [PAPER_OUT, show('APPROVED'), end('SUCCESSFUL')] } },
} as const satisfies Record<string, Scenario>

export type ScenarioName = keyof typeof SCENARIOS

export const SCENARIO_NAMES = Object.keys(SCENARIOS) as readonly ScenarioName[]
