// src/simulator/terminals/flow.ts — what a terminal does, step by step, from each moment on. All data: a scenario is
// these plans with a few of them replaced.
import type { LinkStage, Prompt, ShownOutcome } from '../../domain/counter/notifications.ts'
import type { TransactionResult } from '../../domain/counter/transaction-events.ts'
import type { CONDITIONS, MOMENTS } from '../scenarios/document.ts'

/** What a terminal can wait for. */
export type Wait = 'gratuity' | 'card' | 'pin' | 'removal' | 'authorisation' | 'signature' | 'nothing'

/** Reports that need no facts beyond themselves. */
export type Said =
  | { readonly type: 'prompted'; readonly prompt: Prompt }
  | { readonly type: 'paper_ran_out' }
  | { readonly type: 'pin_requested' }
  | { readonly type: 'linking'; readonly stage: LinkStage }
  | { readonly type: 'signature_applied' }
  | { readonly type: 'signature_not_applied' }
  | { readonly type: 'outcome_shown'; readonly outcome: ShownOutcome }
  | { readonly type: 'card_removal_prompted' }

/** A step is left out unless its condition holds: the card asks for a PIN, is in the slot, the terminal prints. */
export type Condition = (typeof CONDITIONS)[number]

export type Step =
  | { readonly do: 'say'; readonly report: Said; readonly only?: Condition }
  | { readonly do: 'wait'; readonly for: Wait }
  /** Nothing happens for so many milliseconds; the step after it follows at once. */
  | { readonly do: 'pause'; readonly ms: number }
  /** As `pause`, until the limit of the transaction has been over for so many milliseconds. */
  | { readonly do: 'outlast_limit'; readonly ms: number }
  /** So many notifications at once. */
  | { readonly do: 'storm'; readonly times: number }
  /** The line to the gateway is down for so many milliseconds. What there is to say is said when it is back. */
  | { readonly do: 'lose_link'; readonly ms: number }
  /** Forget what was going on, and be back after so many milliseconds. */
  | { readonly do: 'restart'; readonly ms: number }
  | { readonly do: 'read_card' }
  /** The line is up: send what is to be authorised, and wait for the answer. */
  | { readonly do: 'authorise' }
  /** Print the slip, and wait for the till's decision. */
  | { readonly do: 'ask_signature' }
  | { readonly do: 'end'; readonly result: TransactionResult }
  /** End without a word to anybody: only who asks afterwards learns of it. */
  | { readonly do: 'end_unheard'; readonly result: TransactionResult }
  /** DUPLICATE: end as the transaction before it ended. */
  | { readonly do: 'repeat_last' }

export type Plan = readonly Step[]

/** Milliseconds a person has to act. What a till is told by then leaves it time inside its own limit of 200 s. */
const PERSON_MS = 60_000

/** Milliseconds after which a terminal gives up a transaction by itself; longer than any limit of the gateway. */
const DEAD_MS = 600_000

/** How long each wait may last, and what follows; null: the next step of the plan. */
export const WAITS: Readonly<Record<Wait, { readonly limitMs: number; readonly leadsTo: Moment | null }>> = {
  gratuity: { limitMs: PERSON_MS, leadsTo: null },
  card: { limitMs: PERSON_MS, leadsTo: 'given_up' },
  pin: { limitMs: PERSON_MS, leadsTo: 'given_up' },
  removal: { limitMs: DEAD_MS, leadsTo: null },
  authorisation: { limitMs: DEAD_MS, leadsTo: 'failed' },
  signature: { limitMs: DEAD_MS, leadsTo: 'undone' },
  nothing: { limitMs: DEAD_MS, leadsTo: null },
}

export const prompt = (prompted: Prompt): Step => ({ do: 'say', report: { type: 'prompted', prompt: prompted } })
export const link = (stage: LinkStage): Step => ({ do: 'say', report: { type: 'linking', stage } })
export const show = (outcome: ShownOutcome): Step => ({ do: 'say', report: { type: 'outcome_shown', outcome } })
export const wait = (what: Wait): Step => ({ do: 'wait', for: what })
export const end = (result: TransactionResult): Step => ({ do: 'end', result })
export const endUnheard = (result: TransactionResult): Step => ({ do: 'end_unheard', result })
export const READ_CARD: Step = { do: 'read_card' }
export const AUTHORISE: Step = { do: 'authorise' }
export const PAPER_OUT: Step = { do: 'say', report: { type: 'paper_ran_out' }, only: 'printing' }
export const SIGNATURE_APPLIED: Step = { do: 'say', report: { type: 'signature_applied' } }
export const SIGNATURE_NOT_APPLIED: Step = { do: 'say', report: { type: 'signature_not_applied' } }
export const ASK_PIN: Plan = [{ do: 'say', report: { type: 'pin_requested' }, only: 'pin' }, wait('pin')]
export const REMOVE_CARD: Plan = [
  { do: 'say', report: { type: 'card_removal_prompted' }, only: 'card_in_slot' },
  wait('removal'),
]

/** A moment at which it is decided what comes next. */
export type Moment = keyof typeof MOMENTS

/** What an ordinary terminal does from each moment on. Terminal reference 6.2. */
export const PLANS: Readonly<Record<Moment, Plan>> = {
  started: [wait('gratuity'), prompt('PRESENT_CARD'), wait('card')],
  started_without_card: [wait('card')],
  duplicate_started: [{ do: 'repeat_last' }],
  card_presented: [READ_CARD, ...ASK_PIN, link('CONNECTING'), AUTHORISE],
  card_presented_for_refund: [READ_CARD, ...ASK_PIN, ...REMOVE_CARD, link('CONNECTING'), AUTHORISE],
  card_expired: [READ_CARD, show('CARD_EXPIRED'), end('UNSUCCESSFUL')],
  card_not_taken: [READ_CARD, show('CARD_NOT_SUPPORTED'), end('UNSUCCESSFUL')],
  card_pulled_out: [show('CARD_ERROR'), end('UNSUCCESSFUL')],
  pin_blocked: [show('DECLINED_BY_CARD'), end('DECLINED')],
  approved: [show('APPROVED'), end('SUCCESSFUL')],
  approved_to_be_signed: [{ do: 'ask_signature' }],
  declined: [show('DECLINED'), end('DECLINED')],
  signature_accepted: [SIGNATURE_APPLIED, show('APPROVED'), end('SUCCESSFUL')],
  signature_refused: [SIGNATURE_APPLIED, link('CONNECTING'), link('CONNECTION_MADE'), end('VOID')],
  signature_timed_out: [show('APPROVED'), end('SUCCESSFUL')],
  cancelled: [end('CANCELLED')],
  given_up: [end('CANCELLED')],
  failed: [show('PROCESSING_ERROR'), end('UNSUCCESSFUL')],
  undone: [link('CONNECTING'), link('CONNECTION_MADE'), end('VOID')],
}
