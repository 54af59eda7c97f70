// src/domain/counter/repetition.ts — the answer to a DUPLICATE: the terminal's memory, corrected by the gateway's record.
// ADR 40.

import { NO_RECEIPTS } from '../receipt.ts'
import { resultKnownOf } from './late-outcome.ts'
import { paymentKnownOf, type TerminalTransaction } from './transaction.ts'
import type { Ending, TransactionResult } from './transaction-events.ts'
import type { TransactionMessage } from './user-messages.ts'

/** The gateway's records of a terminal that answers a DUPLICATE. */
export interface OnRecord {
  /** The transaction that the terminal repeats; null when the gateway has no record of it. */
  readonly repeated: TerminalTransaction | null
  /** The last transaction that a till has started there, without DUPLICATEs. */
  readonly latest: TerminalTransaction | null
}

/** Whether this is the ending of a DUPLICATE that the terminal has answered. */
export function isRepetition({ repeated, messages }: Ending): boolean {
  return repeated !== null || messages.includes('nothing_to_repeat')
}

/**
 * The ending of a DUPLICATE as the till gets it. A terminal that has lost its last transaction repeats the one before. A till
 * that sends DUPLICATE after TIMED_OUT would mistake that for its own transaction.
 */
export function truthOf(ending: Ending, { repeated, latest }: OnRecord): Ending {
  if (latest?.result === 'TIMED_OUT' && isOlder(ending, repeated, latest)) return endingOfForgotten(latest)
  return repeated === null || repeated.progress !== 'finished' ? ending : asRecorded(ending, repeated)
}

/** Whether the repeated transaction ended before the last one began. */
function isOlder({ repeated }: Ending, known: TerminalTransaction | null, latest: TerminalTransaction): boolean {
  if (repeated === null) return true
  if (repeated.requestId === latest.requestId) return false
  // A transaction on record that is not the last one is older. Times are compared only for those not on record.
  return known !== null || repeated.endedAt <= latest.startedAt
}

/** The authorised amount is what moved, whatever the terminal prints. A reversed one has not moved. */
function asRecorded(ending: Ending, record: TerminalTransaction): Ending {
  // A terminal that authorises itself has the only reliable result.
  if (record.authorisedBy === 'terminal') return ending
  const amounts = record.authorisationId === null ? ending.amounts : record.amounts
  const result = resultOf(record, ending.result)
  if (result === ending.result) return { ...ending, amounts }
  const authCode = result === 'SUCCESSFUL' ? record.authCode : ''
  return { ...ending, amounts, result, authCode, receipts: NO_RECEIPTS, messages: MESSAGES[result] ?? [] }
}

/** A known result stands. TIMED_OUT is replaced by what has been found out since. */
function resultOf({ result, authorisation }: TerminalTransaction, remembered: TransactionResult): TransactionResult {
  if (result !== null && result !== 'TIMED_OUT') return result
  switch (authorisation) {
    case 'confirmed':
      return 'SUCCESSFUL'
    case 'approved':
      // The gateway will ask the terminal and get what it remembers.
      return remembered
    case 'requested':
    case 'unknown':
    case 'reversing':
      return remembered === 'SUCCESSFUL' ? 'TIMED_OUT' : remembered
    case 'none':
    case 'declined':
    case 'reversed':
      return remembered === 'SUCCESSFUL' ? 'UNSUCCESSFUL' : remembered
  }
}

/** The ending, from the gateway's record, of a transaction that the terminal has lost; TIMED_OUT while it is not known. */
function endingOfForgotten(record: TerminalTransaction): Ending {
  const { requestId, request } = record
  const { amounts, card, authCode } = paymentKnownOf(record)
  const { transactionId, transactionNumber } = record.found ?? record
  const { transactionType } = request
  // `latest` is never a DUPLICATE.
  if (transactionType === 'DUPLICATE') throw new Error('a DUPLICATE repeats no DUPLICATE')
  const isKnown = record.authorisedBy === 'gateway' || resultKnownOf(record) !== 'TIMED_OUT'
  const result = isKnown ? FORGOTTEN[record.authorisation] : 'TIMED_OUT'
  return {
    ...{ result, amounts, card, transactionId, transactionNumber },
    authCode: result === 'SUCCESSFUL' ? authCode : '',
    receipts: NO_RECEIPTS,
    messages: result === 'UNSUCCESSFUL' ? ['forgotten'] : isKnown ? (MESSAGES[result] ?? []) : ['timed_out'],
    repeated: { requestId, transactionType, endedAt: record.finishedAt ?? record.startedAt },
  }
}

/** Messages for the cashier, for results that need an explanation. */
const MESSAGES: Readonly<Partial<Record<TransactionResult, readonly TransactionMessage[]>>> = {
  TIMED_OUT: ['not_known_yet'],
}

/** Result of a transaction of which only the authorisation is known. */
const FORGOTTEN: Readonly<Record<TerminalTransaction['authorisation'], TransactionResult>> = {
  none: 'UNSUCCESSFUL',
  declined: 'UNSUCCESSFUL',
  reversed: 'UNSUCCESSFUL',
  confirmed: 'SUCCESSFUL',
  requested: 'TIMED_OUT',
  unknown: 'TIMED_OUT',
  approved: 'TIMED_OUT',
  reversing: 'TIMED_OUT',
}
