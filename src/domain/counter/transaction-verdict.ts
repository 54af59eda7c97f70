// src/domain/counter/transaction-verdict.ts — what a till may conclude from a transaction: is it over, did money move, may it try again?
import type { TerminalTransaction } from './transaction.ts'
import { directionOf, type TransactionType } from './transaction-events.ts'

export type NextStep =
  /** It still runs: wait for the end. */
  | 'wait'
  /** Accept or refuse the signature. */
  | 'decide_signature'
  /** The money moved, or a hold stands: close the bill. */
  | 'settle_bill'
  /** No money moved: offer another try. */
  | 'try_again'
  /** The gateway is finding out whether the money moved: wait for the verdict, or look at the terminal. */
  | 'await_reconciliation'
  /** Nobody but the terminal knows: look at it, or ask for a DUPLICATE. */
  | 'check_terminal'
  /** A DUPLICATE: compare what it repeats with what was asked. */
  | 'compare_repeated'

export interface Verdict {
  /** Nothing about the outcome or the money can change any more. */
  readonly final: boolean
  /** Whether money moved on the card. A pre-authorisation or verification that succeeded moves none. */
  readonly moneyTaken: 'yes' | 'no' | 'unknown'
  /** Whether asking for the same again can lead to a second charge: true means that it cannot. */
  readonly safeToRetry: boolean
  readonly nextStep: NextStep
}

/** Derives the verdict from a record. Pure, for every record there can be. */
export function verdictOf(record: TerminalTransaction): Verdict {
  const finished = record.progress === 'finished'
  if (record.request.transactionType === 'DUPLICATE') return verdictOfDuplicate(record, finished)
  const moneyTaken = moneyTakenBy(record)
  const final = finished && moneyTaken !== 'unknown'
  const safeToRetry = final && moneyTaken === 'no' && !stands(record)
  return { final, moneyTaken, safeToRetry, nextStep: nextStepOf(record, final, safeToRetry) }
}

/** Whether it has come to something, though no money may have moved: a hold that stands is not to be asked for again. */
function stands({ result, authorisation, request }: TerminalTransaction): boolean {
  // Found out after the time limit, it stands as well. A check of a card holds nothing.
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
  // Named, it is one whose outcome the gateway is finding out.
  const unknownStep =
    repeated !== null && record.messages.includes('not_known_yet') ? 'await_reconciliation' : 'check_terminal'
  // It speaks of another transaction, so it never says by itself that this other one may be repeated.
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

/** A terminal that authorises by itself is the only one who knows until it has said how it ended. */
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
