// web/console/actions/available.ts — what can be done with a transaction, as far as the public API offers it.
import type { ListedTransaction } from '../transactions/listed-transaction.ts'

export type Action = 'cancel' | 'accept_signature' | 'refuse_signature' | 'refund' | 'complete' | 'repeat' | 'close'

/** Actions on a transaction as it is now, in the order of their buttons. */
export function actionsOn({
  transactionType,
  verdict,
  progress,
  authorisation,
}: Pick<ListedTransaction, 'transactionType' | 'verdict' | 'progress' | 'authorisation'>): readonly Action[] {
  if (verdict.nextStep === 'decide_signature') return ['accept_signature', 'refuse_signature', 'cancel']
  if (progress !== 'finished') return ['cancel']
  if (verdict.moneyTaken === 'unknown' && transactionType !== 'DUPLICATE')
    return isLeftToTerminal(verdict, authorisation) ? ['repeat', 'close'] : ['repeat']
  if (verdict.moneyTaken === 'yes' && (transactionType === 'SALE' || transactionType === 'COMPLETION'))
    return ['refund']
  if (verdict.nextStep === 'complete_pre_authorisation') return ['complete']
  return []
}

/** Whether a person may still say how it ended: nobody has, and the terminal has not reported it. */
function isLeftToTerminal({ nextStep }: ListedTransaction['verdict'], authorisation: string): boolean {
  return nextStep === 'check_terminal' && authorisation === 'none'
}

/** Money that other transactions have moved of this one since. In minor units. */
export interface Since {
  readonly movedMinor: number
  /** Still running, so that it may be moved. */
  readonly pendingMinor: number
}

/** What is left of an amount. Never below nothing. */
export function leftMinor(totalMinor: number, { movedMinor, pendingMinor }: Since): number {
  return Math.max(0, totalMinor - movedMinor - pendingMinor)
}

/** Adds up what the given transactions have moved or may still move. */
export function sumOf(transactions: readonly Pick<ListedTransaction, 'amountMinor' | 'verdict'>[]): Since {
  const sum = (isCounted: (each: Pick<ListedTransaction, 'verdict'>) => boolean) =>
    transactions.filter(isCounted).reduce((before, { amountMinor }) => before + amountMinor, 0)
  return {
    movedMinor: sum(({ verdict }) => verdict.moneyTaken === 'yes'),
    pendingMinor: sum(({ verdict }) => verdict.moneyTaken === 'unknown'),
  }
}
