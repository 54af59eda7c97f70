// src/domain/counter/transaction-verdict.ts — the verdict on a transaction: is it over, did money move, is a retry safe?
import type { TerminalTransaction } from './transaction.ts'
import { directionOf, type TransactionType } from './transaction-events.ts'

export type NextStep =
  /** Still running: wait for the end. */
  | 'wait'
  /** Accept or refuse the signature. */
  | 'decide_signature'
  /** The money moved, or a pre-authorisation is in force: close the bill. */
  | 'settle_bill'
  /** No money moved: offer another try. */
  | 'try_again'
  /** The gateway is finding out whether the money moved: wait for the verdict, or check the terminal. */
  | 'await_reconciliation'
  /** Only the terminal knows: check it, or send a DUPLICATE. */
  | 'check_terminal'
  /** A DUPLICATE: compare the repeated transaction with the request. */
  | 'compare_repeated'

export interface Verdict {
  /** Nothing about the outcome or the money can change any more. */
  readonly final: boolean
  /** Whether money moved on the card. A pre-authorisation or verification that succeeded moves none. */
  readonly moneyTaken: 'yes' | 'no' | 'unknown'
  /** True when the same request again cannot lead to a second charge. */
  readonly safeToRetry: boolean
  readonly nextStep: NextStep
}

/** Derives the verdict from any record. Pure. */
export function verdictOf(record: TerminalTransaction): Verdict {
  const finished = record.progress === 'finished'
  if (record.request.transactionType === 'DUPLICATE') return verdictOfDuplicate(record, finished)
  const moneyTaken = moneyTakenBy(record)
  const final = finished && moneyTaken !== 'unknown'
  const safeToRetry = final && moneyTaken === 'no' && !stands(record)
  return { final, moneyTaken, safeToRetry, nextStep: nextStepOf(record, final, safeToRetry) }
}

/** Whether it succeeded, even without moving money: a pre-authorisation in force must not be requested again. */
function stands({ result, authorisation, request }: TerminalTransaction): boolean {
  // A success found out after the time limit counts too. A card verification reserves nothing.
  return (
    result === 'SUCCESSFUL' || (authorisation === 'confirmed' && request.transactionType !== 'ACCOUNT_VERIFICATION')
  )
}

function verdictOfDuplicate(record: TerminalTransaction, finished: boolean): Verdict {
  if (!finished) return { final: false, moneyTaken: 'unknown', safeToRetry: false, nextStep: 'wait' }
  const { repeated } = record
  const known = repeated !== null && record.result !== 'TIMED_OUT'
  const moneyTaken = !known
    ? 'unknown'
    : record.result === 'SUCCESSFUL' && movesMoney(repeated.transactionType)
      ? 'yes'
      : 'no'
  // When the repeated transaction is on record, the gateway is finding out its outcome.
  const unknownStep =
    repeated !== null && record.messages.includes('not_known_yet') ? 'await_reconciliation' : 'check_terminal'
  // A DUPLICATE describes another transaction, so it never says that this other one is safe to retry.
  return { final: true, moneyTaken, safeToRetry: false, nextStep: known ? 'compare_repeated' : unknownStep }
}

function moneyTakenBy(record: TerminalTransaction): Verdict['moneyTaken'] {
  if (record.authorisedBy === 'terminal') return moneyTakenByTerminal(record)
  switch (record.authorisation) {
    case 'none':
    case 'declined':
    case 'reversed':
      return 'no'
    case 'confirmed':
      return movesMoney(record.request.transactionType) ? 'yes' : 'no'
    case 'requested':
    case 'unknown':
    case 'approved':
    case 'reversing':
      return 'unknown'
  }
}

/** Only a terminal that authorises itself knows the outcome, until it has reported the end. */
function moneyTakenByTerminal(record: TerminalTransaction): Verdict['moneyTaken'] {
  if (record.result === null || record.result === 'TIMED_OUT') return 'unknown'
  return record.result === 'SUCCESSFUL' && movesMoney(record.request.transactionType) ? 'yes' : 'no'
}

function movesMoney(type: TransactionType): boolean {
  return directionOf(type) !== null
}

function nextStepOf(record: TerminalTransaction, final: boolean, safeToRetry: boolean): NextStep {
  if (record.progress === 'awaiting_signature') return 'decide_signature'
  if (record.progress !== 'finished') return 'wait'
  if (!final) return record.authorisedBy === 'terminal' ? 'check_terminal' : 'await_reconciliation'
  return safeToRetry ? 'try_again' : 'settle_bill'
}
