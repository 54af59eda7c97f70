// src/simulator/terminals/ending.ts — result and receipts of a transaction at its end. Pure.

import type { DeclineReason, Ending, TransactionResult } from '../../domain/counter/transaction-events.ts'
import type { TransactionMessage } from '../../domain/counter/user-messages.ts'
import { NO_AMOUNTS } from '../../domain/money.ts'
import { NO_RECEIPTS, type Receipts } from '../../domain/receipt.ts'
import { cardDetailsOf } from './card-reader.ts'
import type { LastTransaction, Running } from './device.ts'
import { markedDuplicate, receiptsOf } from './receipt-printer.ts'

/** Declines whose reason is shown to the cashier. */
export const MESSAGE_BY_DECLINE: Readonly<Partial<Record<DeclineReason, TransactionMessage>>> = {
  refer_to_issuer: 'referred',
  no_pre_authorisation: 'no_pre_authorisation',
  pre_authorisation_differs: 'pre_authorisation_differs',
}

/** The result of a transaction on this terminal. `at`: epoch milliseconds. */
export function endingOf(running: Running, tid: string, result: TransactionResult, at: number): Ending {
  const { request, amounts, cardRead } = running
  const approved = result === 'SUCCESSFUL' || result === 'VOID'
  return {
    result,
    // Without a card read, cashback and gratuity do not count.
    amounts: cardRead ? amounts : { ...NO_AMOUNTS, baseMinor: request.amountMinor },
    card: cardDetailsOf(running),
    authCode: approved ? running.authCode : '',
    transactionId: running.transactionId,
    transactionNumber: running.transactionNumber,
    receipts: printed(running, tid, result, at),
    messages: running.messages.filter(message => message !== 'cashback_refused' || result === 'SUCCESSFUL'),
    repeated: null,
  }
}

/** The receipts of a transaction. With `result` null: the slip to be signed. */
export function printed(running: Running, tid: string, result: TransactionResult | null, at: number): Receipts {
  const { request, setup, amounts, presented, pinRefused = false } = running
  if (request.transactionType === 'DUPLICATE') return NO_RECEIPTS
  return receiptsOf({
    shop: setup.shop,
    tid,
    transactionType: request.transactionType,
    currency: request.currency,
    amounts,
    card: cardDetailsOf(running),
    result,
    pinRefused,
    authCode: result === 'DECLINED' ? '' : running.authCode,
    transactionNumber: running.transactionNumber,
    at,
    customerCopy: presented?.reading !== 'CONTACTLESS' || setup.settings.contactlessCustomerCopy,
  })
}

/** The result of a DUPLICATE: that of the transaction before it (docs/scenarios.md, rows 24 and 25). */
export function endingOfRepeated(running: Running, tid: string, last: LastTransaction | null, at: number): Ending {
  if (last === null) return { ...endingOf(running, tid, 'UNSUCCESSFUL', at), messages: ['nothing_to_repeat'] }
  const { requestId, transactionType, endedAt } = last
  return {
    ...last.ending,
    receipts: markedDuplicate(last.ending.receipts),
    messages: [],
    repeated: { requestId, transactionType, endedAt },
  }
}
