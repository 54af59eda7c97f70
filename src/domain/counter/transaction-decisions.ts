// src/domain/counter/transaction-decisions.ts — what a counter transaction answers to whoever asks or reports, and
// what has to be done in the world and by when. Pure: facts and the time come in as arguments.
import { accepts, type Decision, type Effect, moved, type Timer } from '../machine.ts'
import { totalOf } from '../money.ts'
import type { Refusal } from '../refusals.ts'
import { settlementOf } from '../tables/table-payment.ts'
import { effectIdOf, type TerminalTransaction, TRANSITIONS, type TransactionStates } from './transaction.ts'
import type {
  AcquirerReport,
  Limits,
  Partner,
  TerminalReport,
  TransactionEvent,
  TransactionRequest,
} from './transaction-events.ts'

export type TransactionCommand =
  | {
      readonly type: 'start'
      readonly requestId: string
      readonly merchantAccount: string
      readonly tid: string
      readonly request: TransactionRequest
      readonly partner: Partner
    }
  | { readonly type: 'cancel' }
  | { readonly type: 'decide_signature'; readonly accepted: boolean }
  | { readonly type: 'time_is_up'; readonly timer: TransactionTimer }
  | { readonly type: 'terminal_reports'; readonly sequence: number; readonly reports: readonly TerminalReport[] }
  | { readonly type: 'acquirer_reports'; readonly reports: readonly AcquirerReport[] }
  /** The terminal has no memory of this transaction: it was restarted, or lost it. */
  | { readonly type: 'terminal_forgot' }

export type TransactionTimer = 'signature' | 'limit'

/** What a start must know of the world before it decides. */
export interface StartFacts {
  /** Null when the terminal is unknown, not connected, or not in counter mode. */
  readonly terminal: { readonly authorisedBy: 'gateway' | 'terminal'; readonly paperOut: boolean } | null
  /** The transaction that runs on this terminal now. */
  readonly live: { readonly requestId: string; readonly awaitsSignature: boolean } | null
  readonly limits: Limits
}

export type TransactionEffect =
  | { readonly type: 'terminal.start' }
  | { readonly type: 'terminal.cancel' }
  | { readonly type: 'terminal.answer_signature'; readonly accepted: boolean; readonly timedOut: boolean }
  | { readonly type: 'terminal.answer_authorisation' }
  | { readonly type: 'acquirer.authorise'; readonly cardToken: string; readonly amountMinor: number }
  | { readonly type: 'acquirer.reverse' }
  /** The approval may or may not have reached the customer: ask the terminal, then confirm or reverse. */
  | { readonly type: 'transaction.reconcile' }
  /** It is certain what the payment came to: the table is told. */
  | { readonly type: 'table.settle_payment' }

type TransactionDecision = Decision<TransactionEvent, Refusal>

const NOTHING: TransactionDecision = { events: [] }

/** Decides a command against the record as it is. Events come in the order in which they happen. */
export function decide(
  record: TerminalTransaction | null,
  command: TransactionCommand,
  facts: StartFacts | null,
): TransactionDecision {
  if (command.type === 'start') return decideStart(record, command, facts)
  if (record === null) return { refused: { code: 'transaction_unknown' } }
  switch (command.type) {
    case 'cancel':
      return decideCancel(record)
    case 'decide_signature':
      // Too late or too early is not an error in the latest version: nothing happens and the record tells. Seed §4.
      return record.progress === 'awaiting_signature' ? { events: signatureAnswer(record, command.accepted) } : NOTHING
    case 'time_is_up':
      return decideTime(record, command.timer)
    case 'terminal_reports':
      if (command.sequence <= record.lastReport) return NOTHING
      return { events: takeAll(record, command.reports, takeTerminalReport) }
    case 'acquirer_reports':
      return { events: takeAll(record, command.reports, takeAcquirerReport) }
    case 'terminal_forgot':
      return record.progress === 'finished' ? NOTHING : { events: timedOut(record) }
  }
}

function decideStart(
  record: TerminalTransaction | null,
  command: Extract<TransactionCommand, { type: 'start' }>,
  facts: StartFacts | null,
): TransactionDecision {
  const { tid } = command
  if (facts === null || facts.terminal === null) return { refused: { code: 'terminal_unavailable', tid } }
  if (facts.live !== null)
    return facts.live.awaitsSignature
      ? { refused: { code: 'signature_pending', tid, requestId: facts.live.requestId } }
      : { refused: { code: 'terminal_busy', tid } }
  if (record !== null) throw new Error('a request id was given twice')
  return {
    events: [
      {
        type: 'started',
        requestId: command.requestId,
        merchantAccount: command.merchantAccount,
        tid,
        request: command.request,
        partner: command.partner,
        limits: facts.limits,
        authorisedBy: facts.terminal.authorisedBy,
        paperOut: facts.terminal.paperOut,
      },
    ],
  }
}

/** A cancel is obeyed until a card was presented. Terminal reference 5.6. */
function decideCancel(record: TerminalTransaction): TransactionDecision {
  if (record.progress === 'finished' || !accepts(TRANSITIONS.cancel, record.cancel, 'cancel_requested')) return NOTHING
  const inTime = record.progress === 'accepted' || record.progress === 'awaiting_card'
  return inTime
    ? { events: [{ type: 'cancel_requested' }] }
    : { events: [{ type: 'cancel_requested' }, { type: 'cancel_refused', atEnd: false }] }
}

function decideTime(record: TerminalTransaction, timer: TransactionTimer): TransactionDecision {
  switch (timer) {
    case 'signature':
      // Nobody decided: the payment stands. Terminal reference 6.2, row 6.
      return record.progress === 'awaiting_signature' ? { events: [{ type: 'signature_timed_out' }] } : NOTHING
    case 'limit':
      return record.progress === 'finished' || record.progress === 'awaiting_signature'
        ? NOTHING
        : { events: timedOut(record) }
  }
}

function signatureAnswer(record: TerminalTransaction, accepted: boolean): TransactionEvent[] {
  const decided: TransactionEvent = { type: 'signature_decided', accepted }
  // A refused signature is a promise that no money is taken, so the reversal does not wait for the terminal.
  return !accepted && accepts(TRANSITIONS.authorisation, record.authorisation, 'reversal_requested')
    ? [decided, { type: 'reversal_requested', why: 'signature_refused' }]
    : [decided]
}

function timedOut(record: TerminalTransaction): TransactionEvent[] {
  const events: TransactionEvent[] = cancelPending(record) ? [{ type: 'cancel_refused', atEnd: true }] : []
  events.push({ type: 'timed_out' })
  // An answer that never came back was never shown to anybody: undo it. One that did is asked after (effectsOf).
  if (record.authorisation === 'requested' || record.authorisation === 'unknown')
    events.push({ type: 'reversal_requested', why: 'not_delivered' })
  return events
}

function cancelPending(record: TerminalTransaction): boolean {
  return record.cancel === 'requested' || record.cancel === 'stopping'
}

type Take<Report> = (record: TerminalTransaction, report: Report) => readonly TransactionEvent[]

/** Takes reports one after the other; each is judged by what the ones before it, taken together, have changed. */
function takeAll<Report>(
  record: TerminalTransaction,
  reports: readonly Report[],
  take: Take<Report>,
): TransactionEvent[] {
  const events: TransactionEvent[] = []
  let now = record
  for (const report of reports) {
    for (const event of take(now, report)) {
      events.push(event)
      now = foreseen(now, event)
    }
  }
  return events
}

/** The three states after an event: all that the next report's judgement needs. */
function foreseen(record: TerminalTransaction, event: TransactionEvent): TerminalTransaction {
  return { ...record, ...moved<TransactionStates, TransactionEvent['type']>(TRANSITIONS, record, event.type) }
}

/** A report that the tables do not accept is late or repeated: it gives no events. */
function takeTerminalReport(record: TerminalTransaction, report: TerminalReport): readonly TransactionEvent[] {
  if (record.progress === 'finished') return []
  switch (report.type) {
    case 'paper_ran_out':
      return [report]
    case 'cancel_accepted':
    case 'cancel_refused':
      return accepts(TRANSITIONS.cancel, record.cancel, report.type) ? [report] : []
    case 'authorisation_requested':
      // Once the till was told that the terminal is stopping, no money may move any more.
      return record.cancel !== 'stopping' && accepts(TRANSITIONS.authorisation, record.authorisation, report.type)
        ? [report]
        : []
    case 'signature_requested':
      return moneyStands(record) && accepts(TRANSITIONS.progress, record.progress, report.type) ? [report] : []
    case 'outcome_shown':
      if (report.outcome === 'APPROVED' && !moneyStands(record)) return []
      return accepts(TRANSITIONS.progress, record.progress, report.type) ? [report] : []
    case 'ended':
      return ending(record, report)
    case 'prompted':
    case 'card_read':
    case 'pin_requested':
    case 'linking':
    case 'signature_applied':
    case 'signature_not_applied':
    case 'card_removal_prompted':
      return accepts(TRANSITIONS.progress, record.progress, report.type) ? [report] : []
  }
}

/** Whether an approval is on record. A terminal that authorises by itself is believed. */
function moneyStands(record: TerminalTransaction): boolean {
  return record.authorisation === 'approved' || record.authorisedBy === 'terminal'
}

function ending(
  record: TerminalTransaction,
  report: Extract<TerminalReport, { type: 'ended' }>,
): readonly TransactionEvent[] {
  const events: TransactionEvent[] = []
  const { ending } = report
  if (cancelPending(record))
    events.push(ending.result === 'CANCELLED' ? { type: 'cancel_done' } : { type: 'cancel_refused', atEnd: true })
  const succeeded = ending.result === 'SUCCESSFUL'
  // A success without an approval is a fault of the terminal. The till must not hear of money that was never moved.
  const believed = !succeeded || moneyStands(record) || record.request.transactionType === 'DUPLICATE'
  events.push(believed ? report : { type: 'ended', ending: { ...ending, result: 'UNSUCCESSFUL' } })
  if (succeeded && believed) {
    if (accepts(TRANSITIONS.authorisation, record.authorisation, 'authorisation_confirmed'))
      events.push({ type: 'authorisation_confirmed' })
  } else if (accepts(TRANSITIONS.authorisation, record.authorisation, 'reversal_requested')) {
    events.push({ type: 'reversal_requested', why: ending.result === 'VOID' ? 'voided' : 'not_delivered' })
  }
  return events
}

function takeAcquirerReport(record: TerminalTransaction, report: AcquirerReport): readonly TransactionEvent[] {
  if (!accepts(TRANSITIONS.authorisation, record.authorisation, report.type)) return []
  // A confirmation after the fact belongs to a transaction whose outcome nobody could tell, and to no other.
  if (report.type === 'authorisation_confirmed' && record.result !== 'TIMED_OUT') return []
  return [report]
}

/** What an event asks for in the world. `record` is the record after it. */
export function effectsOf(event: TransactionEvent, record: TerminalTransaction): readonly Effect<TransactionEffect>[] {
  const payload: TransactionEffect = { type: 'table.settle_payment' }
  const id = effectIdOf(record.requestId, record.version, payload.type)
  // First in the queue: the table need not wait for an acquirer that does not answer.
  const settled = SETTLING.has(event.type) && settlementOf(record) !== null ? [{ id, type: payload.type, payload }] : []
  return [...settled, ...ownEffectsOf(event, record)]
}

/** Events from which on it may be certain what the payment of a table came to. */
const SETTLING: ReadonlySet<TransactionEvent['type']> = new Set([
  'ended',
  'timed_out',
  'authorisation_confirmed',
  'reversal_requested',
])

function ownEffectsOf(event: TransactionEvent, record: TerminalTransaction): readonly Effect<TransactionEffect>[] {
  const effect = (payload: TransactionEffect): Effect<TransactionEffect> => ({
    id: effectIdOf(record.requestId, record.version, payload.type),
    type: payload.type,
    payload,
  })
  switch (event.type) {
    case 'started':
      return [effect({ type: 'terminal.start' })]
    case 'cancel_requested':
      return record.progress === 'accepted' || record.progress === 'awaiting_card'
        ? [effect({ type: 'terminal.cancel' })]
        : []
    case 'signature_decided':
      return [effect({ type: 'terminal.answer_signature', accepted: event.accepted, timedOut: false })]
    case 'signature_timed_out':
      return [effect({ type: 'terminal.answer_signature', accepted: true, timedOut: true })]
    case 'authorisation_requested':
      return [effect({ type: 'acquirer.authorise', cardToken: event.cardToken, amountMinor: totalOf(event.amounts) })]
    case 'authorisation_approved':
    case 'authorisation_declined':
      return record.progress === 'finished' ? [] : [effect({ type: 'terminal.answer_authorisation' })]
    case 'reversal_requested':
      return [effect({ type: 'acquirer.reverse' })]
    case 'timed_out':
      return record.authorisation === 'approved' ? [effect({ type: 'transaction.reconcile' })] : []
    case 'prompted':
    case 'paper_ran_out':
    case 'card_read':
    case 'pin_requested':
    case 'linking':
    case 'signature_requested':
    case 'signature_applied':
    case 'signature_not_applied':
    case 'outcome_shown':
    case 'card_removal_prompted':
    case 'cancel_accepted':
    case 'cancel_refused':
    case 'cancel_done':
    case 'ended':
    case 'authorisation_unanswered':
    case 'authorisation_confirmed':
    case 'reversed':
      return []
  }
}

/** The alarms that must be set while the record is as it is. Each waiting state has one. */
export function timersOf(record: TerminalTransaction): readonly Timer[] {
  if (record.progress === 'finished') return []
  const { signature, limits } = record
  if (record.progress === 'awaiting_signature' && signature !== null)
    return [{ name: 'signature', dueAt: signature.askedAt + limits.signatureMs }]
  // The signature stage has its own limit; the time it took does not count against the terminal.
  const waitedMs = signature === null || signature.answeredAt === null ? 0 : signature.answeredAt - signature.askedAt
  return [{ name: 'limit', dueAt: record.startedAt + limits.transactionMs + waitedMs }]
}

/** Whether an effect still has a purpose. One that was overtaken by the end is dropped, not performed. */
export function stillWanted(type: TransactionEffect['type'], record: TerminalTransaction): boolean {
  switch (type) {
    case 'terminal.start':
    case 'terminal.cancel':
    case 'terminal.answer_signature':
    case 'terminal.answer_authorisation':
      return record.progress !== 'finished'
    case 'acquirer.authorise':
      return record.authorisation === 'requested' || record.authorisation === 'unknown'
    case 'acquirer.reverse':
      return record.authorisation === 'reversing'
    case 'transaction.reconcile':
      return record.authorisation === 'approved'
    case 'table.settle_payment':
      return settlementOf(record) !== null
  }
}
