// src/api/operations/index.ts — everything the gateway can be asked over HTTP. An endpoint is one object and one line. The
// simulator and the demo shop have lists of their own.

import type { Operation } from '../operation.ts'
import { createAccessToken, revokeAccessToken } from './access-tokens.ts'
import { gatherDeviceData, payByCard, payBySavedCard } from './browser-payments.ts'
import { listEvents } from './events.ts'
import { getFormToken, getPaymentForm, getScript, getThreeDsPage, listScripts } from './hosted-form.ts'
import { callJsonRpc, connectTableTill, connectTill } from './json-rpc.ts'
import { listJwtKeys, registerJwtKey, revokeJwtKey } from './jwt-keys.ts'
import { getPayment, listPaymentMethods, payByCrossReference, resumePayment } from './online-payments.ts'
import { getAccount, listOwnTerminals } from './own-account.ts'
import { closePayment, getOwnPayment, getPaymentTimeline, listOwnPayments } from './own-payments.ts'
import { getOwnReport, listOwnReports } from './own-reports.ts'
import { getOwnTable, getTableTimeline, listOwnTables, listTableEvents } from './own-tables.ts'
import { getOwnTransaction, getTimeline, listOwnTransactions, listTransactionEvents } from './own-transactions.ts'
import { getAsset, getLandingPage, getReference, getReferenceFile, getTestCardsPage } from './pages.ts'
import { getReport, startReport } from './reports.ts'
import { getAsyncApi, getSchema, getSocketReference, getSocketReferenceOf, listSchemas } from './socket-reference.ts'
import { startTransaction } from './start-transaction.ts'
import { getMetrics, getOpenApi, isLive, isReady } from './system.ts'
import { deleteTable, setTableAmount, setTableLock, setTableReceipt, setTableWaiterIds } from './table-changes.ts'
import { getTableReport, listTableReports } from './table-reports.ts'
import { createTable, createTableByPost, getTable, listTables } from './tables.ts'
import { getTerminal, listTerminals } from './terminals.ts'
import { completeChallenge, returnFromIssuer } from './three-d-secure.ts'
import { answerSignature, cancelTransaction, getTransaction } from './transactions.ts'
import {
  inspectGooglePay,
  openApplePaySession,
  payByApplePay,
  payByApplePayAnywhere,
  payByGooglePay,
} from './wallet-payments.ts'
import { getDelivery, getWebhookSecret, listDeliveries, resendDelivery, rotateWebhookSecret } from './webhooks.ts'

export const OPERATIONS: readonly Operation[] = [
  // Pay at counter
  listTerminals,
  getTerminal,
  startTransaction,
  getTransaction,
  cancelTransaction,
  answerSignature,
  startReport,
  getReport,
  connectTill,
  callJsonRpc,
  connectTableTill,
  // Pay at table
  listTables,
  createTable,
  createTableByPost,
  getTable,
  deleteTable,
  setTableAmount,
  setTableLock,
  setTableReceipt,
  setTableWaiterIds,
  listTableReports,
  getTableReport,
  // Online payments
  createAccessToken,
  revokeAccessToken,
  getPayment,
  resumePayment,
  payByCrossReference,
  listPaymentMethods,
  gatherDeviceData,
  payByCard,
  payBySavedCard,
  payByApplePay,
  payByApplePayAnywhere,
  payByGooglePay,
  inspectGooglePay,
  openApplePaySession,
  completeChallenge,
  returnFromIssuer,
  // Tollgate's own
  getAccount,
  listOwnTerminals,
  listOwnTransactions,
  getOwnTransaction,
  listTransactionEvents,
  getTimeline,
  listOwnPayments,
  getOwnPayment,
  getPaymentTimeline,
  closePayment,
  listJwtKeys,
  registerJwtKey,
  revokeJwtKey,
  listOwnReports,
  getOwnReport,
  listOwnTables,
  getOwnTable,
  listTableEvents,
  getTableTimeline,
  listEvents,
  listDeliveries,
  getDelivery,
  resendDelivery,
  getWebhookSecret,
  rotateWebhookSecret,
  // System and pages
  isLive,
  isReady,
  getMetrics,
  getOpenApi,
  getAsyncApi,
  listSchemas,
  getSchema,
  getLandingPage,
  getReference,
  getReferenceFile,
  getSocketReference,
  getSocketReferenceOf,
  getTestCardsPage,
  getAsset,
  // Hosted form
  getScript,
  listScripts,
  getPaymentForm,
  getFormToken,
  getThreeDsPage,
]

/** These and others; one of the same name takes the place of the gateway's own. */
export function operationsWith(others: readonly Operation[]): readonly Operation[] {
  return [...new Map([...OPERATIONS, ...others].map(operation => [operation.name, operation])).values()]
}
