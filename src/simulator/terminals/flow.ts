// src/simulator/terminals/flow.ts — the steps of a terminal after each moment, as data. A scenario replaces some of the
// plans.
import type { LinkStage, Prompt, ShownOutcome } from '../../domain/counter/notifications.ts'
import type { TransactionResult } from '../../domain/counter/transaction-events.ts'
import type { CONDITIONS, MOMENTS } from '../scenarios/document.ts'

/** Events that a terminal waits for. */
export type Wait = 'gratuity' | 'card' | 'pin' | 'removal' | 'authorisation' | 'signature' | 'nothing'

/** Reports without further data. */
export type ScriptedReport =
  | { readonly type: 'prompted'; readonly prompt: Prompt }
  | { readonly type: 'paper_ran_out' }
  | { readonly type: 'pin_requested' }
  | { readonly type: 'linking'; readonly stage: LinkStage }
  | { readonly type: 'signature_applied' }
  | { readonly type: 'signature_not_applied' }
  | { readonly type: 'outcome_shown'; readonly outcome: ShownOutcome }
  | { readonly type: 'card_removal_prompted' }

/** Condition of a step: the card needs a PIN, the card is in the slot, the terminal prints. Otherwise the step is skipped. */
export type Condition = (typeof CONDITIONS)[number]

export type Step =
  | { readonly do: 'say'; readonly report: ScriptedReport; readonly only?: Condition }
  | { readonly do: 'wait'; readonly for: Wait }
  /** Waits so many milliseconds; the next step follows at once. */
  | { readonly do: 'pause'; readonly ms: number }
  /** Waits until so many milliseconds after the transaction's time limit. */
  | { readonly do: 'outlast_limit'; readonly ms: number }
  /** Sends so many notifications at once. */
  | { readonly do: 'storm'; readonly times: number }
  /** The connection to the gateway is down for so many milliseconds. Reports are delivered afterwards. */
  | { readonly do: 'lose_link'; readonly ms: number }
  /** Forgets the transaction, and is reachable again after so many milliseconds. */
  | { readonly do: 'restart'; readonly ms: number }
  | { readonly do: 'read_card' }
  /** The connection is up: sends the authorisation request, and waits for the answer. */
  | { readonly do: 'authorise' }
  /** Prints the slip, and waits for the till's decision. */
  | { readonly do: 'ask_signature' }
  | { readonly do: 'end'; readonly result: TransactionResult }
  /** Ends without a report; only a later query finds the result. */
  | { readonly do: 'end_unheard'; readonly result: TransactionResult }
  /** DUPLICATE: ends with the result of the transaction before it. */
  | { readonly do: 'repeat_last' }

export type Plan = readonly Step[]

/** Milliseconds a person has to act. A till that learns of a time-out then is still within its own limit of 200 s. */
const PERSON_MS = 60_000

/** Milliseconds after which a terminal abandons a transaction; longer than any limit of the gateway. */
const DEAD_MS = 600_000

/** Limit of each wait, and the moment that follows; null for the next step of the plan. */
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

/** A moment at which the terminal decides what comes next. */
export type Moment = keyof typeof MOMENTS

/** Steps of an ordinary terminal after each moment, as in the rows of docs/scenarios.md. */
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
  too_late: [show('PROCESSING_ERROR'), end('UNSUCCESSFUL')],
  undone: [link('CONNECTING'), link('CONNECTION_MADE'), end('VOID')],
}
