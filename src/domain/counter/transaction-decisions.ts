// src/domain/counter/transaction-decisions.ts — decisions, effects and timers of counter transactions. Pure: facts and time
// come in as arguments.
import type { Closing } from '../closing.ts'
import type { MerchantAccountId, RequestId, TerminalId } from '../ids.ts'
import { type Decision, type Effect, moved, type Timer } from '../machine.ts'
import { totalOf } from '../money.ts'
import type { Refusal } from '../refusals.ts'
import { settlementOf } from '../tables/table-payment.ts'
import { markOf } from './ended-without-card.ts'
import { closedBy, foundAfterLimit } from './late-outcome.ts'
import { effectIdOf, type TerminalTransaction, TRANSITIONS, type TransactionStates } from './transaction.ts'
import type {
  AcquirerReport,
  AuthorisationAnswer,
  CardDataOnRecord,
  Limits,
  Partner,
  TerminalReport,
  TransactionEvent,
  TransactionRequest,
} from './transaction-events.ts'
import { follow, isAbandoned, mayHappen, moneyStepOf, OCCASION_OF_END } from './transaction-rules.ts'

export type TransactionCommand =
  | {
      readonly type: 'start'
      readonly requestId: RequestId
      readonly merchantAccount: MerchantAccountId
      readonly tid: TerminalId
      readonly request: TransactionRequest
      readonly partner: Partner
      readonly rpcId?: number
    }
  | { readonly type: 'cancel' }
  | { readonly type: 'decide_signature'; readonly accepted: boolean }
  | { readonly type: 'time_is_up'; readonly timer: TransactionTimer }
  | { readonly type: 'terminal_reports'; readonly sequence: number; readonly reports: readonly TerminalReport[] }
  | { readonly type: 'acquirer_reports'; readonly reports: readonly AcquirerReport[] }
  /** The terminal has no memory of this transaction: it was restarted or has lost it. */
  | { readonly type: 'terminal_forgot' }
  | ({ readonly type: 'close' } & Closing)

export type TransactionTimer = 'signature' | 'limit'

/** Facts for the decision of a start. */
export interface StartFacts {
  /** Null when the terminal is unknown, not connected, or not in counter mode. */
  readonly terminal: { readonly authorisedBy: 'gateway' | 'terminal'; readonly paperOut: boolean } | null
  /** The transaction that runs on this terminal now. */
  readonly live: { readonly requestId: RequestId; readonly awaitsSignature: boolean } | null
  readonly limits: Limits
}

export type TransactionEffect =
  | { readonly type: 'terminal.start' }
  | { readonly type: 'terminal.cancel' }
  | { readonly type: 'terminal.answer_signature'; readonly accepted: boolean; readonly timedOut: boolean }
  | { readonly type: 'terminal.answer_authorisation' }
  | {
      readonly type: 'acquirer.authorise'
      readonly cardToken: string
      readonly amountMinor: number
      readonly cardData?: CardDataOnRecord
    }
  /** The outcome is known: delete the chip data. */
  | { readonly type: 'transaction.forget_card_data'; readonly cardData: CardDataOnRecord }
  | { readonly type: 'acquirer.reverse' }
  /** The approval may or may not have reached the customer: ask the terminal, then confirm or reverse. */
  | { readonly type: 'transaction.reconcile' }
  /** The outcome of the payment is certain: record it on the table. */
  | { readonly type: 'table.settle_payment' }

type TransactionDecision = Decision<TransactionEvent, Refusal>

const NOTHING: TransactionDecision = { events: [] }

/** Decides a command on the current record. Events are in the order in which they happen. Pure. */
export function decide(
  record: TerminalTransaction | null,
  command: TransactionCommand,
  facts: StartFacts | null,
): TransactionDecision {
  if (command.type === 'start') return decideStart(record, command, facts)
  if (record === null) return { refused: { code: 'transaction_unknown' } }
  switch (command.type) {
    case 'cancel':
      return { events: cancelled(record) }
    case 'decide_signature':
      // Too late or too early is not an error in the latest version: nothing changes, and the record shows why.
      return { events: signatureDecided(record, command.accepted) }
    case 'time_is_up':
      return { events: timeIsUp(record, command.timer) }
    case 'terminal_reports':
      if (command.sequence <= record.lastReport) return NOTHING
      return { events: takeAll(record, command.reports, takeTerminalReport) }
    case 'acquirer_reports':
      return { events: takeAll(record, command.reports, takeAcquirerReport) }
    case 'close': {
      const { type: _, ...closing } = command
      return closedBy(record, closing)
    }
    case 'terminal_forgot':
      return { events: follow(record, 'terminal_forgot', timedOut(record)) }
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
        ...(command.rpcId === undefined ? {} : { rpcId: command.rpcId }),
        limits: facts.limits,
        authorisedBy: facts.terminal.authorisedBy,
        paperOut: facts.terminal.paperOut,
      },
    ],
  }
}

function cancelled(record: TerminalTransaction): readonly TransactionEvent[] {
  const requested: TransactionEvent = { type: 'cancel_requested' }
  const early = follow(record, 'cancelled_before_card', requested)
  if (early.length > 0) return early
  const occasion = record.progress === 'awaiting_signature' ? 'cancelled_at_signature' : 'cancelled_after_card'
  return follow(record, occasion, requested, { type: 'cancel_refused', atEnd: false })
}

function signatureDecided(record: TerminalTransaction, accepted: boolean): readonly TransactionEvent[] {
  return follow(record, accepted ? 'signature_accepted' : 'signature_refused', { type: 'signature_decided', accepted })
}

function timeIsUp(record: TerminalTransaction, timer: TransactionTimer): readonly TransactionEvent[] {
  switch (timer) {
    case 'signature':
      return follow(record, 'signature_timed_out', { type: 'signature_timed_out' })
    case 'limit':
      return follow(record, 'limit_reached', timedOut(record))
  }
}

function timedOut(record: TerminalTransaction): TransactionEvent {
  return { type: 'timed_out', ...markOf(record, { result: 'TIMED_OUT', card: record.card }) }
}

type Take<Report> = (record: TerminalTransaction, report: Report) => readonly TransactionEvent[]

/** Takes reports one after the other; each is decided on the states after the ones before it. */
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

/** The three states after an event, which is all that the next decision needs. */
function foreseen(record: TerminalTransaction, event: TransactionEvent): TerminalTransaction {
  return { ...record, ...moved<TransactionStates, TransactionEvent['type']>(TRANSITIONS, record, event.type) }
}

/** A report that no rule and no machine accepts is late or repeated and gives no events. */
function takeTerminalReport(record: TerminalTransaction, report: TerminalReport): readonly TransactionEvent[] {
  if (report.type === 'authorisation_requested' && isAbandoned(record)) return [{ type: 'asked_too_late' }]
  if (record.progress === 'finished')
    return report.type === 'ended'
      ? foundAfterLimit(record, report.ending).filter(event => mayHappen(record, event))
      : []
  switch (report.type) {
    case 'authorisation_requested':
    case 'signature_requested':
      return follow(record, report.type, report)
    case 'outcome_shown':
      if (report.outcome === 'APPROVED') return follow(record, 'approval_shown', report)
      return mayHappen(record, report) ? [report] : []
    case 'ended':
      return ended(record, report)
    case 'prompted':
    case 'paper_ran_out':
    case 'card_read':
    case 'pin_requested':
    case 'linking':
    case 'signature_applied':
    case 'signature_not_applied':
    case 'card_removal_prompted':
    case 'cancel_accepted':
    case 'cancel_refused':
      return mayHappen(record, report) ? [report] : []
  }
}

function ended(
  record: TerminalTransaction,
  report: Extract<TerminalReport, { type: 'ended' }>,
): readonly TransactionEvent[] {
  const { result } = report.ending
  const isBelieved = moneyStepOf(record, OCCASION_OF_END[result]) !== 'disbelieve'
  const ending = isBelieved ? report.ending : ({ ...report.ending, result: 'UNSUCCESSFUL' } as const)
  return follow(record, OCCASION_OF_END[ending.result], { type: 'ended', ending, ...markOf(record, ending) })
}

function takeAcquirerReport(record: TerminalTransaction, report: AcquirerReport): readonly TransactionEvent[] {
  // A late confirmation is only for a transaction that ended without a known outcome.
  if (report.type === 'authorisation_confirmed' && record.result !== 'TIMED_OUT') return []
  return mayHappen(record, report) ? [report] : []
}

/** The effects of an event. `record` is the record after it. */
export function effectsOf(event: TransactionEvent, record: TerminalTransaction): readonly Effect<TransactionEffect>[] {
  // First in the queue, so that the table does not wait for an acquirer that does not answer.
  const settles = SETTLING.has(event.type) && settlementOf(record) !== null
  return [...(settles ? [effectOf(record, { type: 'table.settle_payment' })] : []), ...effectsAfter(event, record)]
}

function effectOf({ requestId, version }: TerminalTransaction, payload: TransactionEffect): Effect<TransactionEffect> {
  return { id: effectIdOf(requestId, version, payload.type), type: payload.type, payload }
}

/** Events after which the outcome of a table's payment may be certain. */
const SETTLING: ReadonlySet<TransactionEvent['type']> = new Set([
  'ended',
  'timed_out',
  'authorisation_confirmed',
  'reversal_requested',
  'found_successful',
  'found_unsuccessful',
  'closed_as_taken',
  'closed_as_not_taken',
])

function effectsAfter(event: TransactionEvent, record: TerminalTransaction): readonly Effect<TransactionEffect>[] {
  const effect = (payload: TransactionEffect) => effectOf(record, payload)
  const { cardData } = record
  const forgotten =
    cardData === undefined || cardData.chip === null ? [] : [effect({ type: 'transaction.forget_card_data', cardData })]
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
      return [effect(orderOf(event))]
    case 'authorisation_approved':
    case 'authorisation_declined':
      return [
        ...forgotten,
        ...(record.progress === 'finished' ? [] : [effect({ type: 'terminal.answer_authorisation' })]),
      ]
    case 'reversal_requested':
      return event.why === 'card_data_gone' && record.progress !== 'finished'
        ? // The terminal waits for an answer, and none will come: send it the state of the money.
          [...forgotten, effect({ type: 'acquirer.reverse' }), effect({ type: 'terminal.answer_authorisation' })]
        : [...forgotten, effect({ type: 'acquirer.reverse' })]
    case 'timed_out':
      return atTimeLimit(record).map(effect)
    case 'asked_too_late':
      return [effect({ type: 'terminal.answer_authorisation' })]
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
    case 'found_successful':
    case 'found_unsuccessful':
    case 'closed_as_taken':
    case 'closed_as_not_taken':
    case 'found_after_closing':
      return []
  }
}

function orderOf({
  cardToken,
  amounts,
  cardData,
}: Extract<TransactionEvent, { type: 'authorisation_requested' }>): TransactionEffect {
  const order = { type: 'acquirer.authorise', cardToken, amountMinor: totalOf(amounts) } as const
  return cardData === undefined ? order : { ...order, cardData }
}

function atTimeLimit(record: TerminalTransaction): readonly TransactionEffect[] {
  // The terminal waits for its answer. It is told before the reversal, which may take long.
  if (awaitsAcquirer(record)) return [{ type: 'terminal.answer_authorisation' }]
  return moneyStepOf(record, 'limit_reached') === 'ask_terminal' ? [{ type: 'transaction.reconcile' }] : []
}

/** The timers of a record. Each waiting state has one. */
export function timersOf(record: TerminalTransaction): readonly Timer[] {
  if (record.progress === 'finished') return []
  const { signature, limits } = record
  if (record.progress === 'awaiting_signature' && signature !== null)
    return [{ name: 'signature', dueAt: signature.askedAt + limits.signatureMs }]
  // The signature stage has its own limit; its time does not count against the terminal.
  const waitedMs = signature === null || signature.answeredAt === null ? 0 : signature.answeredAt - signature.askedAt
  return [{ name: 'limit', dueAt: record.startedAt + limits.transactionMs + waitedMs }]
}

/** Whether the acquirer was asked and has not answered. */
export function awaitsAcquirer({ authorisation }: Pick<TerminalTransaction, 'authorisation'>): boolean {
  return authorisation === 'requested' || authorisation === 'unknown'
}

/**
 * What to tell the terminal that waits for its authorisation. A terminal that has had its answer ignores it, so a transaction
 * that has ended is always too late: the terminal's own word decides whether it was completed.
 */
export function authorisationAnswerTo({
  progress,
  authorisation,
  authCode,
  declineReason,
}: TerminalTransaction): AuthorisationAnswer {
  if (progress === 'finished') return { answer: 'too_late' }
  if (authorisation === 'approved') return { answer: 'approved', authCode }
  if (authorisation === 'declined') return { answer: 'declined', reason: declineReason ?? 'do_not_honour' }
  return { answer: 'too_late' }
}

/** Whether an effect is still needed. One that is obsolete when its transaction has ended is dropped. */
export function stillWanted(type: TransactionEffect['type'], record: TerminalTransaction): boolean {
  switch (type) {
    case 'terminal.start':
    case 'terminal.cancel':
    case 'terminal.answer_signature':
      return record.progress !== 'finished'
    case 'terminal.answer_authorisation':
      return record.progress !== 'finished' || isAbandoned(record)
    case 'acquirer.authorise':
      return awaitsAcquirer(record)
    case 'transaction.forget_card_data':
      return record.cardData !== undefined && !awaitsAcquirer(record)
    case 'acquirer.reverse':
      return record.authorisation === 'reversing'
    case 'transaction.reconcile':
      return record.authorisation === 'approved'
    case 'table.settle_payment':
      return settlementOf(record) !== null
  }
}
