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
export const RESULTS: readonly TransactionResult[] = [
  'SUCCESSFUL',
  'DECLINED',
  'VOID',
  'UNSUCCESSFUL',
  'CANCELLED',
  'TIMED_OUT',
]
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
  const records: TerminalTransaction[] = []
  for (const progress of selection.progress ?? PROGRESSES)
    for (const cancel of selection.cancel ?? CANCELS)
      for (const authorisation of selection.authorisation ?? AUTHORISATIONS)
        for (const authorisedBy of selection.authorisedBy ?? AUTHORISERS)
          for (const transactionType of selection.transactionType ?? TRANSACTION_TYPES)
            for (const result of progress === 'finished' ? (selection.result ?? RESULTS) : [null])
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

/** One event of each type except `started`. */
export const EVENTS: readonly Exclude<TransactionEvent, { type: 'started' }>[] = [
  { type: 'prompted', prompt: 'PRESENT_CARD' },
  { type: 'paper_ran_out' },
  { type: 'card_read', card: { ...NO_CARD, paymentMethod: 'ICC_CHIP' } },
  { type: 'pin_requested' },
  { type: 'linking', stage: 'CONNECTING' },
  { type: 'authorisation_requested', cardToken: 'card', amounts: AMOUNTS, card: NO_CARD },
  { type: 'signature_requested', authCode: 'AB12C3', card: NO_CARD, receipts: NO_RECEIPTS },
  { type: 'signature_applied' },
  { type: 'signature_not_applied' },
  { type: 'outcome_shown', outcome: 'APPROVED' },
  { type: 'card_removal_prompted' },
  { type: 'cancel_accepted' },
  { type: 'cancel_refused', atEnd: false },
  { type: 'ended', ending: anEnding() },
  { type: 'authorisation_approved', authCode: 'AB12C3', reference: 'ref' },
  { type: 'authorisation_declined', reason: 'do_not_honour', responseCode: '05' },
  { type: 'authorisation_unanswered' },
  { type: 'authorisation_confirmed' },
  { type: 'reversal_requested', why: 'not_delivered' },
  { type: 'reversed' },
  { type: 'cancel_requested' },
  { type: 'cancel_done' },
  { type: 'signature_decided', accepted: true },
  { type: 'signature_timed_out' },
  { type: 'timed_out' },
]

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
