// src/domain/counter/transaction-verdict.ts — the verdict on a transaction: is it over, did money move, is a retry safe?
import { resultKnownOf } from './late-outcome.ts'
import type { TerminalTransaction } from './transaction.ts'
import { directionOf, type TransactionType } from './transaction-events.ts'

/** Every next step with its meaning, for the descriptions. */
export const NEXT_STEPS = {
  wait: 'It still runs: wait for the end.',
  decide_signature: 'Accept or refuse the signature.',
  settle_bill: 'A SALE or COMPLETION took the money: close the bill.',
  record_refund: 'A REFUND gave the money back: record it.',
  complete_pre_authorisation:
    'A PRE_AUTH holds the money, and nothing is paid yet: keep `authCode`, and take the money with a COMPLETION.',
  accept_card: 'An ACCOUNT_VERIFICATION found the card valid: nothing was taken or held, so there is no bill to close.',
  try_again: 'No money moved and none will: offer another try.',
  await_reconciliation:
    'The gateway is finding out whether money moved: wait for the verdict, or look at the terminal.',
  check_terminal: 'Only the terminal knows whether money moved: look at it, or send a DUPLICATE.',
  compare_repeated: 'A DUPLICATE: compare the repeated transaction with the request.',
} as const
export type NextStep = keyof typeof NEXT_STEPS

/** Next step after a success. */
const AFTER_SUCCESS: Readonly<Record<Exclude<TransactionType, 'DUPLICATE'>, NextStep>> = {
  SALE: 'settle_bill',
  COMPLETION: 'settle_bill',
  REFUND: 'record_refund',
  PRE_AUTH: 'complete_pre_authorisation',
  ACCOUNT_VERIFICATION: 'accept_card',
}

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
  const { transactionType } = record.request
  if (transactionType === 'DUPLICATE') return verdictOfDuplicate(record, finished)
  const moneyTaken = moneyTakenBy(record)
  const final = finished && moneyTaken !== 'unknown'
  const safeToRetry = final && moneyTaken === 'no' && !stands(record)
  return {
    final,
    moneyTaken,
    safeToRetry,
    nextStep: nextStepOf(record, final, safeToRetry ? 'try_again' : AFTER_SUCCESS[transactionType]),
  }
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

/** Only a terminal that authorises itself knows the outcome, until it has reported the end, be it after the time limit. */
function moneyTakenByTerminal(record: TerminalTransaction): Verdict['moneyTaken'] {
  const known = resultKnownOf(record)
  if (known === null || known === 'TIMED_OUT') return 'unknown'
  return known === 'SUCCESSFUL' && movesMoney(record.request.transactionType) ? 'yes' : 'no'
}

function movesMoney(type: TransactionType): boolean {
  return directionOf(type) !== null
}

function nextStepOf(record: TerminalTransaction, final: boolean, afterwards: NextStep): NextStep {
  if (record.progress === 'awaiting_signature') return 'decide_signature'
  if (record.progress !== 'finished') return 'wait'
  if (!final) return record.authorisedBy === 'terminal' ? 'check_terminal' : 'await_reconciliation'
  return afterwards
}
