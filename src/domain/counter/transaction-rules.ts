// src/domain/counter/transaction-rules.ts — the rules that couple progress, cancel and authorisation.
//
// The three machines of a transaction move independently along TRANSITIONS. RULES couple them: when the terminal ends, a
// pending cancel gets its outcome and the money is confirmed or reversed. Each row is an occasion; its columns are the
// states of the three machines. Only `follow` applies a row, nothing else couples the machines, and a new state does not
// compile until each row handles it.
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

/** A row of the rules. */
export type Occasion =
  | 'cancelled_before_card'
  | 'cancelled_after_card'
  | 'cancelled_at_signature'
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

/** State of the money. States of an authorisation that the rules treat alike are one standing. */
export type Standing =
  /** The acquirer was not asked. */
  | 'unasked'
  /** The acquirer was asked; it may have approved or may still approve. */
  | 'open'
  /** The acquirer has approved; it is not known yet whether the terminal has completed the payment. */
  | 'approved'
  /** No money moves any more, or it is being reversed already. */
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

/** Step of the cancel, before the event itself. `drop`: the event does not happen. */
export type CancelStep = 'stay' | 'refuse' | 'complete' | 'drop'

/** Step of the money, after the event itself. `drop`: the event does not happen. */
export type MoneyStep =
  | 'stay'
  | 'confirm'
  | 'reverse_not_delivered'
  | 'reverse_signature_refused'
  | 'reverse_voided'
  /** Only the terminal knows whether it completed the payment: ask it, then confirm or reverse the approval. */
  | 'ask_terminal'
  /** The terminal's success is wrong: the end counts as unsuccessful. */
  | 'disbelieve'
  | 'drop'

/** Stage of the terminal. States of progress that the rules treat alike are one stage. */
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
  /** Stages in which the occasion counts. TRANSITIONS may allow less, never more. */
  readonly during: readonly Stage[]
  readonly cancel: Readonly<Record<Cancel, CancelStep>>
  readonly money: Readonly<Record<Standing, MoneyStep>>
}

const RUNNING: readonly Stage[] = ['before_card', 'after_card', 'signing']
// The signature has a limit of its own.
const LIMITED: readonly Stage[] = ['before_card', 'after_card']

/** A pending cancel gets its outcome at the end at the latest. */
const pending = (step: CancelStep): Rule['cancel'] => ({
  ...{ none: 'stay', requested: step, stopping: step, refused: 'stay', done: 'stay' },
})
const STAYS = pending('stay')
const FAILS = pending('refuse')
const SUCCEEDS = pending('complete')
const NOT_WHILE_STOPPING: Rule['cancel'] = { ...STAYS, stopping: 'drop' }

const UNTOUCHED: Rule['money'] = { unasked: 'stay', open: 'stay', approved: 'stay', closed: 'stay' }
const NEEDS_APPROVAL: Rule['money'] = { unasked: 'drop', open: 'drop', approved: 'stay', closed: 'drop' }
const REQUESTED_ONCE: Rule['money'] = { unasked: 'stay', open: 'drop', approved: 'drop', closed: 'drop' }
/** Money that was never asked for or is settled needs no reversal. */
const undone = (step: MoneyStep, whenApproved = step): Rule['money'] => ({
  ...{ unasked: 'stay', open: step, approved: whenApproved, closed: 'stay' },
})

export const RULES: Readonly<Record<Occasion, Rule>> = {
  // A cancel works until a card is presented and is refused at once after that, see docs/websocket.md. It moves no money
  // itself: the end of the terminal does.
  cancelled_before_card: { during: ['before_card'], cancel: STAYS, money: UNTOUCHED },
  cancelled_after_card: { during: ['after_card'], cancel: STAYS, money: UNTOUCHED },
  // Tills open their signature dialogue on each SIGNATURE_VERIFICATION, so a repeated refusal adds nothing to the list.
  cancelled_at_signature: { during: ['signing'], cancel: { ...STAYS, refused: 'drop' }, money: UNTOUCHED },
  // After the till got the notification that the terminal is cancelling, no money may move.
  authorisation_requested: { during: RUNNING, cancel: NOT_WHILE_STOPPING, money: REQUESTED_ONCE },
  // A signature request and a shown approval need an approval on record.
  signature_requested: { during: RUNNING, cancel: STAYS, money: NEEDS_APPROVAL },
  approval_shown: { during: RUNNING, cancel: STAYS, money: NEEDS_APPROVAL },
  // An accepted signature moves no money: the end does. A refused one promises that no money is taken, so the reversal does
  // not wait for the terminal. An unanswered one counts as accepted, see docs/websocket.md.
  signature_accepted: { during: ['signing'], cancel: STAYS, money: UNTOUCHED },
  signature_refused: { during: ['signing'], cancel: STAYS, money: undone('reverse_signature_refused') },
  signature_timed_out: { during: ['signing'], cancel: STAYS, money: UNTOUCHED },
  // Without an answer the terminal cannot have shown an approval: reverse. With one, it may have: ask the terminal.
  limit_reached: { during: LIMITED, cancel: FAILS, money: undone('reverse_not_delivered', 'ask_terminal') },
  terminal_forgot: { during: RUNNING, cancel: FAILS, money: undone('reverse_not_delivered', 'ask_terminal') },
  // A success confirms the approval. Without one the terminal is wrong, and the result becomes UNSUCCESSFUL: the till must
  // not read a success for money that did not move.
  ended_successful: {
    during: RUNNING,
    cancel: FAILS,
    money: { unasked: 'disbelieve', open: 'disbelieve', approved: 'confirm', closed: 'disbelieve' },
  },
  // Any other end takes no money: an approval, or a possible one, is reversed.
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
 * The events of an occasion: `events`, with those that the rules add before and after. None when a rule or a machine does not
 * accept it: then it is late or repeated.
 */
export function follow(
  record: TerminalTransaction,
  occasion: Occasion,
  ...events: readonly TransactionEvent[]
): readonly TransactionEvent[] {
  const { during, cancel } = RULES[occasion]
  const cancelStep = cancel[record.cancel]
  const moneyStep = moneyStepOf(record, occasion)
  if (!during.includes(STAGE[record.progress]) || cancelStep === 'drop' || moneyStep === 'drop') return []
  const [first] = events
  return first === undefined || !mayHappen(record, first)
    ? []
    : [...CANCELLED[cancelStep], ...events, ...MONEY[moneyStep]]
}

/**
 * Whether the gateway has given the transaction up: no approval reaches the terminal any more, and one on record is reversed
 * unless the terminal has completed the payment with it.
 */
export function isAbandoned({ progress, cancel, authorisation }: TransactionStates): boolean {
  if (progress === 'finished') return authorisation !== 'confirmed'
  if (authorisation === 'none') return cancel === 'stopping'
  return authorisation === 'reversing' || authorisation === 'reversed'
}

/** Whether the machines accept this event now. One that they do not is late or repeated. */
export function mayHappen(record: TerminalTransaction, { type }: TransactionEvent): boolean {
  return allows<TransactionStates, TransactionEvent['type']>(TRANSITIONS, record, type)
}

/** Step of the money for an occasion, in the state of the record. */
export function moneyStepOf(record: TerminalTransaction, occasion: Occasion): MoneyStep {
  const step = RULES[occasion].money[STANDING[record.authorisation]]
  const { authorisedBy, request } = record
  // A terminal that authorises itself is trusted; a DUPLICATE succeeds without moving money.
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
  // The time-out itself has the effect `transaction.reconcile`.
  ask_terminal: [],
  disbelieve: [],
  confirm: [{ type: 'authorisation_confirmed' }],
  reverse_not_delivered: [{ type: 'reversal_requested', why: 'not_delivered' }],
  reverse_signature_refused: [{ type: 'reversal_requested', why: 'signature_refused' }],
  reverse_voided: [{ type: 'reversal_requested', why: 'voided' }],
}
