// src/domain/counter/transaction-rules.ts — the rules that couple progress, cancel and authorisation.
//
// The three machines of a transaction move along TRANSITIONS, each by itself. RULES say what one of them does because of
// another: when the terminal ends, a pending cancel gets its outcome and the money is confirmed or reversed. Each row is
// something that happens; its columns are the states of the three machines. `follow` applies a row, nothing else couples
// the machines, and a new state does not compile until each row says what follows in it.
import { allows } from '../machine.ts'
import {
  type Authorisation,
  type Cancel,
  type Progress,
  type TerminalTransaction,
  TRANSITIONS,
  type TransactionStates,
} from './transaction.ts'
import type { TransactionEvent, TransactionResult } from './transaction-events.ts'

/** What happens: a row of the rules. */
export type Occasion =
  | 'cancelled_before_card'
  | 'cancelled_after_card'
  | 'authorisation_requested'
  | 'signature_requested'
  | 'approval_shown'
  | 'signature_accepted'
  | 'signature_refused'
  | 'signature_timed_out'
  | 'limit_reached'
  | 'terminal_forgot'
  | 'ended_successful'
  | 'ended_cancelled'
  | 'ended_void'
  | 'ended_otherwise'

/** Where the money is. The states of an authorisation that the rules treat alike are one standing. */
export type Standing =
  /** The acquirer was not asked. */
  | 'unasked'
  /** The acquirer was asked, and may have approved it or may still do so. */
  | 'open'
  /** The acquirer has approved it; whether the customer has what was paid for is not known yet. */
  | 'approved'
  /** Nothing moves any more, or it is being undone already. */
  | 'closed'

export const STANDING: Readonly<Record<Authorisation, Standing>> = {
  none: 'unasked',
  requested: 'open',
  unknown: 'open',
  approved: 'approved',
  declined: 'closed',
  confirmed: 'closed',
  reversing: 'closed',
  reversed: 'closed',
}

/** What becomes of the cancel, before the event itself. `drop`: the event does not happen. */
export type CancelStep = 'stay' | 'refuse' | 'complete' | 'drop'

/** What becomes of the money, after the event itself. `drop`: the event does not happen. */
export type MoneyStep =
  | 'stay'
  | 'confirm'
  | 'reverse_not_delivered'
  | 'reverse_signature_refused'
  | 'reverse_voided'
  /** Only the terminal knows whether the customer has it: it is asked, then the approval is confirmed or reversed. */
  | 'ask_terminal'
  /** The terminal is wrong: it is taken as an end without success. */
  | 'disbelieve'
  | 'drop'

/** Where the terminal is. The states of progress that the rules treat alike are one stage. */
export type Stage = 'before_card' | 'after_card' | 'signing' | 'over'

const STAGE: Readonly<Record<Progress, Stage>> = {
  accepted: 'before_card',
  awaiting_card: 'before_card',
  card_in_use: 'after_card',
  online: 'after_card',
  awaiting_signature: 'signing',
  applying_decision: 'after_card',
  finishing: 'after_card',
  finished: 'over',
}

export interface Rule {
  /** Where the terminal must be. TRANSITIONS may allow less, never more. */
  readonly during: readonly Stage[]
  readonly cancel: Readonly<Record<Cancel, CancelStep>>
  readonly money: Readonly<Record<Standing, MoneyStep>>
}

const RUNNING: readonly Stage[] = ['before_card', 'after_card', 'signing']
// The signature has a limit of its own.
const LIMITED: readonly Stage[] = ['before_card', 'after_card']

/** A till that has asked for a cancel and has no outcome yet gets it at the end at the latest. */
const pending = (step: CancelStep): Rule['cancel'] => ({
  ...{ none: 'stay', requested: step, stopping: step, refused: 'stay', done: 'stay' },
})
const STAYS = pending('stay')
const FAILS = pending('refuse')
const SUCCEEDS = pending('complete')
const NOT_WHILE_STOPPING: Rule['cancel'] = { ...STAYS, stopping: 'drop' }

const UNTOUCHED: Rule['money'] = { unasked: 'stay', open: 'stay', approved: 'stay', closed: 'stay' }
const NEEDS_APPROVAL: Rule['money'] = { unasked: 'drop', open: 'drop', approved: 'stay', closed: 'drop' }
const ASKED_ONCE: Rule['money'] = { unasked: 'stay', open: 'drop', approved: 'drop', closed: 'drop' }
/** What was never asked for or is settled needs no undoing. */
const undone = (step: MoneyStep, whenApproved = step): Rule['money'] => ({
  ...{ unasked: 'stay', open: step, approved: whenApproved, closed: 'stay' },
})

export const RULES: Readonly<Record<Occasion, Rule>> = {
  // A cancel is obeyed until a card was presented, and refused at once from then on. Terminal reference 5.6. By itself it
  // moves no money: the end of the terminal does.
  cancelled_before_card: { during: ['before_card'], cancel: STAYS, money: UNTOUCHED },
  cancelled_after_card: { during: ['after_card', 'signing'], cancel: STAYS, money: UNTOUCHED },
  // Once the till knows that the terminal is stopping, no money may move.
  authorisation_requested: { during: RUNNING, cancel: NOT_WHILE_STOPPING, money: ASKED_ONCE },
  // Asking for a signature and showing an approval need an approval on record.
  signature_requested: { during: RUNNING, cancel: STAYS, money: NEEDS_APPROVAL },
  approval_shown: { during: RUNNING, cancel: STAYS, money: NEEDS_APPROVAL },
  // An accepted signature moves no money: the end does. A refused one promises that no money is taken, so the reversal does
  // not wait for the terminal. An unanswered one counts as accepted. Terminal reference 6.2, row 6.
  signature_accepted: { during: ['signing'], cancel: STAYS, money: UNTOUCHED },
  signature_refused: { during: ['signing'], cancel: STAYS, money: undone('reverse_signature_refused') },
  signature_timed_out: { during: ['signing'], cancel: STAYS, money: UNTOUCHED },
  // An answer that did not arrive was shown to nobody: reverse it. An approval may have been shown: ask the terminal.
  limit_reached: { during: LIMITED, cancel: FAILS, money: undone('reverse_not_delivered', 'ask_terminal') },
  terminal_forgot: { during: RUNNING, cancel: FAILS, money: undone('reverse_not_delivered', 'ask_terminal') },
  // A success confirms the approval. Without one the terminal is wrong, and the result becomes UNSUCCESSFUL: the till must
  // not read a success for money that did not move.
  ended_successful: {
    during: RUNNING,
    cancel: FAILS,
    money: { unasked: 'disbelieve', open: 'disbelieve', approved: 'confirm', closed: 'disbelieve' },
  },
  // Any other end takes no money: what was approved, or may still be, is reversed.
  ended_cancelled: { during: RUNNING, cancel: SUCCEEDS, money: undone('reverse_not_delivered') },
  ended_void: { during: RUNNING, cancel: FAILS, money: undone('reverse_voided') },
  ended_otherwise: { during: RUNNING, cancel: FAILS, money: undone('reverse_not_delivered') },
}

export const OCCASION_OF_END: Readonly<Record<TransactionResult, Occasion>> = {
  SUCCESSFUL: 'ended_successful',
  CANCELLED: 'ended_cancelled',
  VOID: 'ended_void',
  DECLINED: 'ended_otherwise',
  UNSUCCESSFUL: 'ended_otherwise',
  TIMED_OUT: 'ended_otherwise',
}

/**
 * The events that an occasion leads to: its own, with what the rules add before and after. None when a rule or a machine
 * does not take it: then it is late or repeated.
 */
export function follow(
  record: TerminalTransaction,
  occasion: Occasion,
  ...own: readonly TransactionEvent[]
): readonly TransactionEvent[] {
  const { during, cancel } = RULES[occasion]
  const cancelStep = cancel[record.cancel]
  const moneyStep = moneyStepOf(record, occasion)
  if (!during.includes(STAGE[record.progress]) || cancelStep === 'drop' || moneyStep === 'drop') return []
  const [first] = own
  return first === undefined || !mayHappen(record, first) ? [] : [...CANCELLED[cancelStep], ...own, ...MONEY[moneyStep]]
}

/** Whether the machine that this event moves can make the move. One that cannot is late or repeated. */
export function mayHappen(record: TerminalTransaction, { type }: TransactionEvent): boolean {
  return allows<TransactionStates, TransactionEvent['type']>(TRANSITIONS, record, type)
}

/** What becomes of the money. */
export function moneyStepOf(record: TerminalTransaction, occasion: Occasion): MoneyStep {
  const step = RULES[occasion].money[STANDING[record.authorisation]]
  const { authorisedBy, request } = record
  // A terminal that authorises by itself is believed; a DUPLICATE succeeds without money of its own.
  if (step === 'drop' && authorisedBy === 'terminal' && occasion !== 'authorisation_requested') return 'stay'
  if (step === 'disbelieve' && (authorisedBy === 'terminal' || request.transactionType === 'DUPLICATE')) return 'stay'
  return step
}

const CANCELLED: Readonly<Record<Exclude<CancelStep, 'drop'>, readonly TransactionEvent[]>> = {
  stay: [],
  refuse: [{ type: 'cancel_refused', atEnd: true }],
  complete: [{ type: 'cancel_done' }],
}

const MONEY: Readonly<Record<Exclude<MoneyStep, 'drop'>, readonly TransactionEvent[]>> = {
  stay: [],
  // `transaction.reconcile` is an effect of the time-out itself.
  ask_terminal: [],
  disbelieve: [],
  confirm: [{ type: 'authorisation_confirmed' }],
  reverse_not_delivered: [{ type: 'reversal_requested', why: 'not_delivered' }],
  reverse_signature_refused: [{ type: 'reversal_requested', why: 'signature_refused' }],
  reverse_voided: [{ type: 'reversal_requested', why: 'voided' }],
}
