// test/support/records.ts — complete, valid records to start a test from.
import { NO_CARD } from '../../src/domain/card.ts'
import type { TerminalTransaction } from '../../src/domain/counter/transaction.ts'
import type { Ending, TransactionRequest } from '../../src/domain/counter/transaction-events.ts'
import { NO_RECEIPTS } from '../../src/domain/receipt.ts'

export const SALE: TransactionRequest = {
  transactionType: 'SALE',
  amountMinor: 2599,
  currency: 'GBP',
  cashbackMinor: 0,
  cardholderNotPresent: false,
  authCode: null,
  preAuthorisedTotalMinor: null,
}

/** A sale of 25.99 started at time 0, with the given changes. */
export function aTransaction(changes: Partial<TerminalTransaction> = {}): TerminalTransaction {
  return {
    requestId: 'r1',
    merchantAccount: 'demo',
    tid: '22160001',
    request: SALE,
    partner: { softwareHouseId: null, installerId: null },
    limits: { transactionMs: 200_000, signatureMs: 80_000 },
    authorisedBy: 'gateway',
    progress: 'accepted',
    cancel: 'none',
    authorisation: 'none',
    version: 1,
    startedAt: 0,
    finishedAt: null,
    notifications: ['TRANSACTION_STARTED'],
    lastReport: 0,
    signature: null,
    authorisationId: null,
    acquirerReference: '',
    declineReason: null,
    card: NO_CARD,
    amounts: { baseMinor: 2599, cashbackMinor: 0, gratuityMinor: 0 },
    authCode: '',
    transactionId: '',
    transactionNumber: '',
    receipts: NO_RECEIPTS,
    result: null,
    messages: [],
    repeated: null,
    ...changes,
  }
}

/** An ending as a terminal reports it. */
export function anEnding(changes: Partial<Ending> = {}): Ending {
  return {
    result: 'SUCCESSFUL',
    amounts: { baseMinor: 2599, cashbackMinor: 0, gratuityMinor: 0 },
    card: NO_CARD,
    authCode: 'AB12C3',
    transactionId: '4100231',
    transactionNumber: '0031',
    receipts: NO_RECEIPTS,
    messages: [],
    repeated: null,
    ...changes,
  }
}
