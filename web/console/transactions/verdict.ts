// web/console/transactions/verdict.ts — what is known of the money, and what to do next, in words.
import type { ListedTransaction } from './listed-transaction.ts'

/** Next steps, as `/api` names them. */
const STEPS: Readonly<Record<string, string>> = {
  wait: 'Wait for the end.',
  decide_signature: 'Accept or refuse the signature.',
  settle_bill: 'Close the bill.',
  record_refund: 'Record the refund.',
  complete_pre_authorisation: 'The money is held; take it with a completion.',
  accept_card: 'The card is valid.',
  try_again: 'Try again if you like.',
  await_reconciliation: 'The gateway is finding out; wait for it, or look at the terminal.',
  check_terminal: 'Look at the terminal.',
  compare_repeated: 'Compare the repeated result with the request.',
}

export const MONEY = {
  yes: 'Money was taken.',
  no: 'No money was taken.',
  unknown: 'It is not known yet whether money was taken.',
} as const

const MONEY_OF_REFUND = {
  yes: 'Money was given back.',
  no: 'No money was given back.',
  unknown: 'It is not known yet whether money was given back.',
} as const

/** The result, or what a running transaction does. */
export function outcomeInWords({ result, progress }: Pick<ListedTransaction, 'result' | 'progress'>): string {
  return result ?? progress.replaceAll('_', ' ')
}

/** What is known of the money of a transaction. */
export function moneyInWords({
  verdict,
  transactionType,
}: Pick<ListedTransaction, 'verdict' | 'transactionType'>): string {
  return (transactionType === 'REFUND' ? MONEY_OF_REFUND : MONEY)[verdict.moneyTaken]
}

/** The verdict in a sentence or two. */
export function verdictInWords(transaction: Pick<ListedTransaction, 'verdict' | 'transactionType'>): string {
  return `${moneyInWords(transaction)} ${STEPS[transaction.verdict.nextStep] ?? ''}`.trim()
}
