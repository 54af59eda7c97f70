// test/support/transaction-states.ts — counter transactions in each combination of states, and one event of each type.
import { NO_CARD } from '../../src/domain/card.ts'
import {
  type Authorisation,
  type Cancel,
  type Progress,
  type TerminalTransaction,
  TRANSITIONS,
} from '../../src/domain/counter/transaction.ts'
import {
  TRANSACTION_TYPES,
  type TransactionEvent,
  type TransactionResult,
  type TransactionType,
} from '../../src/domain/counter/transaction-events.ts'
import { NO_RECEIPTS } from '../../src/domain/receipt.ts'
import { anEnding, aTransaction, SALE } from './records.ts'

const PROGRESSES = Object.keys(TRANSITIONS.progress) as Progress[]
const CANCELS = Object.keys(TRANSITIONS.cancel) as Cancel[]
export const AUTHORISATIONS = Object.keys(TRANSITIONS.authorisation) as Authorisation[]
const IS_RESULT: Readonly<Record<TransactionResult, true>> = {
  ...{ SUCCESSFUL: true, DECLINED: true, VOID: true, UNSUCCESSFUL: true, CANCELLED: true, TIMED_OUT: true },
}
export const RESULTS = Object.keys(IS_RESULT) as readonly TransactionResult[]
export const AUTHORISERS = ['gateway', 'terminal'] as const

export interface Selection {
  readonly progress?: readonly Progress[]
  readonly cancel?: readonly Cancel[]
  readonly authorisation?: readonly Authorisation[]
  readonly authorisedBy?: readonly (typeof AUTHORISERS)[number][]
  readonly transactionType?: readonly TransactionType[]
  /** Results of finished transactions. */
  readonly result?: readonly TransactionResult[]
}

/** Each combination of states, restricted by the selection. */
export function everyTransaction(selection: Selection = {}): readonly TerminalTransaction[] {
  built ??= combinations()
  const { progress, cancel, authorisation, authorisedBy, transactionType, result } = selection
  return built.filter(
    record =>
      (progress?.includes(record.progress) ?? true) &&
      (cancel?.includes(record.cancel) ?? true) &&
      (authorisation?.includes(record.authorisation) ?? true) &&
      (authorisedBy?.includes(record.authorisedBy) ?? true) &&
      (transactionType?.includes(record.request.transactionType) ?? true) &&
      (record.result === null || (result?.includes(record.result) ?? true)),
  )
}

let built: readonly TerminalTransaction[] | undefined

function combinations(): readonly TerminalTransaction[] {
  const records: TerminalTransaction[] = []
  for (const progress of PROGRESSES)
    for (const cancel of CANCELS)
      for (const authorisation of AUTHORISATIONS)
        for (const authorisedBy of AUTHORISERS)
          for (const transactionType of TRANSACTION_TYPES)
            for (const result of progress === 'finished' ? RESULTS : [null])
              records.push(
                aTransaction({
                  ...{ progress, cancel, authorisation, authorisedBy, result },
                  request: { ...SALE, transactionType },
                  signature: progress === 'awaiting_signature' ? { askedAt: 0, answeredAt: null } : null,
                }),
              )
  return records
}

export const UNFINISHED = PROGRESSES.filter(progress => progress !== 'finished')

export const AMOUNTS = { baseMinor: 2599, cashbackMinor: 1000, gratuityMinor: 250 }

const BY = { operator: 'Ann', reason: 'Seen on the terminal.' }

/** One event of each type except `started`. A new type must be added here, or this does not compile. */
const EVENT_OF: {
  readonly [Type in Exclude<TransactionEvent['type'], 'started'>]: Extract<TransactionEvent, { type: Type }>
} = {
  prompted: { type: 'prompted', prompt: 'PRESENT_CARD' },
  paper_ran_out: { type: 'paper_ran_out' },
  card_read: { type: 'card_read', card: { ...NO_CARD, paymentMethod: 'ICC_CHIP' } },
  pin_requested: { type: 'pin_requested' },
  linking: { type: 'linking', stage: 'CONNECTING' },
  authorisation_requested: { type: 'authorisation_requested', cardToken: 'card', amounts: AMOUNTS, card: NO_CARD },
  signature_requested: { type: 'signature_requested', authCode: 'AB12C3', card: NO_CARD, receipts: NO_RECEIPTS },
  signature_applied: { type: 'signature_applied' },
  signature_not_applied: { type: 'signature_not_applied' },
  outcome_shown: { type: 'outcome_shown', outcome: 'APPROVED' },
  card_removal_prompted: { type: 'card_removal_prompted' },
  cancel_accepted: { type: 'cancel_accepted' },
  cancel_refused: { type: 'cancel_refused', atEnd: false },
  ended: { type: 'ended', ending: anEnding() },
  authorisation_approved: { type: 'authorisation_approved', authCode: 'AB12C3', reference: 'ref' },
  authorisation_declined: { type: 'authorisation_declined', reason: 'do_not_honour', responseCode: '05' },
  authorisation_unanswered: { type: 'authorisation_unanswered' },
  authorisation_confirmed: { type: 'authorisation_confirmed' },
  reversal_requested: { type: 'reversal_requested', why: 'not_delivered' },
  reversed: { type: 'reversed' },
  cancel_requested: { type: 'cancel_requested' },
  cancel_done: { type: 'cancel_done' },
  asked_too_late: { type: 'asked_too_late' },
  signature_decided: { type: 'signature_decided', accepted: true },
  signature_timed_out: { type: 'signature_timed_out' },
  timed_out: { type: 'timed_out' },
  found_successful: { type: 'found_successful', ending: anEnding() },
  found_unsuccessful: { type: 'found_unsuccessful', ending: anEnding({ result: 'DECLINED' }) },
  closed_as_taken: { type: 'closed_as_taken', ...BY, authCode: '' },
  closed_as_not_taken: { type: 'closed_as_not_taken', ...BY, authCode: '' },
  found_after_closing: { type: 'found_after_closing', ending: anEnding(), agrees: true },
}
export const EVENTS = Object.values(EVENT_OF)

/** Short form of an event, with the fields that money depends on. */
export function inShort(event: TransactionEvent): string {
  switch (event.type) {
    case 'ended':
      return `ended ${event.ending.result}`
    case 'reversal_requested':
      return `reverse ${event.why}`
    case 'authorisation_confirmed':
      return 'confirm'
    case 'signature_decided':
      return event.accepted ? 'signature accepted' : 'signature refused'
    default:
      return event.type
  }
}

/** Name of a record in failed assertions: its states, type and result. */
export function nameOf(record: TerminalTransaction): string {
  const { progress, cancel, authorisation, authorisedBy, request, result } = record
  return [progress, cancel, authorisation, authorisedBy, request.transactionType, result].join(' ')
}
