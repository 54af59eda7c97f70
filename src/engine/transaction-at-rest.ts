// src/engine/transaction-at-rest.ts — how a transaction at the counter lies in the store, and its first event.
import { NO_CARD } from '../domain/card.ts'
import { JUST_STARTED } from '../domain/notifications.ts'
import { NO_RECEIPTS } from '../domain/receipt.ts'
import { NO_MESSAGES, type TerminalTransaction } from '../domain/terminal-transaction.ts'
import type { Partner, TransactionEvent, TransactionRequest } from '../domain/terminal-transaction-events.ts'
import { type AtRest, type Shortened, unless } from './bodies.ts'

type Started = Extract<TransactionEvent, { readonly type: 'started' }>

const REQUEST = {
  cashbackMinor: 0,
  cardholderNotPresent: false,
  authCode: null,
  preAuthorisedTotalMinor: null,
} as const
const NO_PARTNER: Partner = { softwareHouseId: null, installerId: null }
const BEGINS = {
  request: REQUEST,
  partner: NO_PARTNER,
  progress: 'accepted',
  cancel: 'none',
  authorisation: 'none',
  finishedAt: null,
  notifications: JUST_STARTED,
  lastReport: 0,
  signature: null,
  authorisationId: null,
  acquirerReference: '',
  declineReason: null,
  card: NO_CARD,
  amounts: { cashbackMinor: 0, gratuityMinor: 0 },
  authCode: '',
  transactionId: '',
  transactionNumber: '',
  receipts: NO_RECEIPTS,
  result: null,
  messages: NO_MESSAGES,
  repeated: null,
} as const

export const TRANSACTION_AT_REST: AtRest<TerminalTransaction> = {
  begins: BEGINS,
  shorten: record => ({
    requestId: record.requestId,
    merchantAccount: record.merchantAccount,
    tid: record.tid,
    request: shortRequest(record.request),
    partner: shortPartner(record.partner),
    limits: record.limits,
    authorisedBy: record.authorisedBy,
    progress: unless(record.progress, BEGINS.progress),
    cancel: unless(record.cancel, BEGINS.cancel),
    authorisation: unless(record.authorisation, BEGINS.authorisation),
    version: record.version,
    startedAt: record.startedAt,
    finishedAt: unless(record.finishedAt, BEGINS.finishedAt),
    notifications: unless(record.notifications, BEGINS.notifications),
    lastReport: unless(record.lastReport, BEGINS.lastReport),
    signature: unless(record.signature, BEGINS.signature),
    authorisationId: unless(record.authorisationId, BEGINS.authorisationId),
    acquirerReference: unless(record.acquirerReference, BEGINS.acquirerReference),
    declineReason: unless(record.declineReason, BEGINS.declineReason),
    card: unless(record.card, BEGINS.card),
    amounts: {
      baseMinor: record.amounts.baseMinor,
      cashbackMinor: unless(record.amounts.cashbackMinor, BEGINS.amounts.cashbackMinor),
      gratuityMinor: unless(record.amounts.gratuityMinor, BEGINS.amounts.gratuityMinor),
    },
    authCode: unless(record.authCode, BEGINS.authCode),
    transactionId: unless(record.transactionId, BEGINS.transactionId),
    transactionNumber: unless(record.transactionNumber, BEGINS.transactionNumber),
    receipts: unless(record.receipts, BEGINS.receipts),
    result: unless(record.result, BEGINS.result),
    messages: unless(record.messages, BEGINS.messages),
    repeated: unless(record.repeated, BEGINS.repeated),
  }),
}

export const START_AT_REST: AtRest<Started> = {
  begins: { request: REQUEST, partner: NO_PARTNER, paperOut: false },
  shorten: event => ({
    type: event.type,
    requestId: event.requestId,
    merchantAccount: event.merchantAccount,
    tid: event.tid,
    request: shortRequest(event.request),
    partner: shortPartner(event.partner),
    limits: event.limits,
    authorisedBy: event.authorisedBy,
    paperOut: unless(event.paperOut, false),
  }),
}

function shortRequest(request: TransactionRequest): Shortened<TransactionRequest> {
  return {
    transactionType: request.transactionType,
    amountMinor: request.amountMinor,
    currency: request.currency,
    cashbackMinor: unless(request.cashbackMinor, REQUEST.cashbackMinor),
    cardholderNotPresent: unless(request.cardholderNotPresent, REQUEST.cardholderNotPresent),
    authCode: unless(request.authCode, REQUEST.authCode),
    preAuthorisedTotalMinor: unless(request.preAuthorisedTotalMinor, REQUEST.preAuthorisedTotalMinor),
    table: request.table,
  }
}

function shortPartner({ softwareHouseId, installerId }: Partner): Partner | undefined {
  return softwareHouseId === null && installerId === null ? undefined : { softwareHouseId, installerId }
}
