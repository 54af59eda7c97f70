// src/domain/counter/repetition.ts — what a DUPLICATE tells: what the terminal remembers, as far as the gateway does not know better.
// ADR 40.

import { NO_RECEIPTS } from '../receipt.ts'
import type { TerminalTransaction } from './transaction.ts'
import type { Ending, TransactionResult } from './transaction-events.ts'
import type { TransactionMessage } from './user-messages.ts'

/** What the gateway has on record of a terminal whose last transaction is told. */
export interface OnRecord {
  /** The transaction that the terminal repeats; null: not one of the gateway's. */
  readonly repeated: TerminalTransaction | null
  /** The last one that a till has asked for there, DUPLICATEs apart. */
  readonly latest: TerminalTransaction | null
}

/** Whether an ending is that of a DUPLICATE which the terminal has answered. */
export function isRepetition({ repeated, messages }: Ending): boolean {
  return repeated !== null || messages.includes('nothing_to_repeat')
}

/**
 * The ending of a DUPLICATE as the till is to hear it. A terminal that has forgotten the last transaction repeats the one
 * before; a till that asks because it was told TIMED_OUT would take that for the one it has asked for.
 */
export function truthOf(ending: Ending, { repeated, latest }: OnRecord): Ending {
  if (latest?.result === 'TIMED_OUT' && isOlder(ending, repeated, latest)) return endingOfForgotten(latest)
  return repeated === null || repeated.progress !== 'finished' ? ending : asRecorded(ending, repeated)
}

/** Whether what the terminal repeats was over before the last transaction began. */
function isOlder({ repeated }: Ending, known: TerminalTransaction | null, latest: TerminalTransaction): boolean {
  if (repeated === null) return true
  if (repeated.requestId === latest.requestId) return false
  // One of the gateway's that is not the last one is older. Clocks are asked only about those that are not.
  return known !== null || repeated.endedAt <= latest.startedAt
}

/** What was authorised is what moved, whatever the terminal prints; and what was reversed has not. */
function asRecorded(ending: Ending, record: TerminalTransaction): Ending {
  // A terminal that authorises by itself is the one who knows.
  if (record.authorisedBy === 'terminal') return ending
  const amounts = record.authorisationId === null ? ending.amounts : record.amounts
  const result = resultOf(record, ending.result)
  if (result === ending.result) return { ...ending, amounts }
  const authCode = result === 'SUCCESSFUL' ? record.authCode : ''
  return { ...ending, amounts, result, authCode, receipts: NO_RECEIPTS, messages: MESSAGES[result] ?? [] }
}

/** A result that was told stands. One that could not be told is what has been found out since. */
function resultOf({ result, authorisation }: TerminalTransaction, remembered: TransactionResult): TransactionResult {
  if (result !== null && result !== 'TIMED_OUT') return result
  switch (authorisation) {
    case 'confirmed':
      return 'SUCCESSFUL'
    case 'approved':
      // What the terminal remembers is what the gateway will find.
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

/** The gateway tells what it knows of a transaction of which the terminal has no trace; TIMED_OUT while it does not know. */
function endingOfForgotten(record: TerminalTransaction): Ending {
  const { requestId, request, amounts, card, authCode, transactionId, transactionNumber } = record
  const { transactionType } = request
  // It is the last one, DUPLICATEs apart.
  if (transactionType === 'DUPLICATE') throw new Error('a DUPLICATE repeats no DUPLICATE')
  const isKnown = record.authorisedBy === 'gateway'
  const result = isKnown ? FORGOTTEN[record.authorisation] : 'TIMED_OUT'
  return {
    ...{ result, amounts, card, transactionId, transactionNumber },
    authCode: result === 'SUCCESSFUL' ? authCode : '',
    receipts: NO_RECEIPTS,
    messages: result === 'UNSUCCESSFUL' ? ['forgotten'] : isKnown ? (MESSAGES[result] ?? []) : ['timed_out'],
    repeated: { requestId, transactionType, endedAt: record.finishedAt ?? record.startedAt },
  }
}

/** What the cashier is told where the result alone would leave him helpless. */
const MESSAGES: Readonly<Partial<Record<TransactionResult, readonly TransactionMessage[]>>> = {
  TIMED_OUT: ['not_known_yet'],
}

/** What can be said of a transaction of which only its authorisation is known. */
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
