// src/api/operations/index.ts — the list of all HTTP operations of the gateway.
// The simulator and the demo shop have lists of their own.

import type { Operation } from '../operation.ts'
import { getAccount, listOwnTerminals } from './management/managed-account.ts'
import { listAudit } from './management/managed-audit.ts'
import { listEvents } from './management/managed-events.ts'
import { getOneTimeCodes, removeFactors, removeOneTimeCodes, setOneTimeCodes } from './management/managed-factors.ts'
import { setMerchantHosts } from './management/managed-hosts.ts'
import { listJwtKeys, registerJwtKey, revokeJwtKey } from './management/managed-jwt-keys.ts'
import { createKey, createTillKey, listKeys, revokeKey } from './management/managed-keys.ts'
import {
  addPasskey,
  getPasskeyCreation,
  getPasskeyRequest,
  listPasskeys,
  removePasskey,
  signInByPasskey,
} from './management/managed-passkeys.ts'
import { closePayment, getOwnPayment, getPaymentTimeline, listOwnPayments } from './management/managed-payments.ts'
import { getOwnReport, listOwnReports } from './management/managed-reports.ts'
import { listRequests } from './management/managed-requests.ts'
import { endSession, getSession, listSessions, setOwnPassword, signIn, signOut } from './management/managed-sessions.ts'
import { getOwnTable, getTableTimeline, listOwnTables, listTableEvents } from './management/managed-tables.ts'
import {
  closeTransaction,
  getOwnTransaction,
  getTimeline,
  listOwnTransactions,
  listTransactionEvents,
} from './management/managed-transactions.ts'
import { addUser, changeUser, endUser, listUsers, setUserPassword } from './management/managed-users.ts'
import {
  getDelivery,
  getWebhookSecret,
  listDeliveries,
  resendDelivery,
  rotateWebhookSecret,
} from './management/managed-webhooks.ts'
import { addPaymentOperation } from './management/payment-operations.ts'
import { createAccessToken, revokeAccessToken } from './online/access-tokens.ts'
import { gatherDeviceData, payByCard, payBySavedCard } from './online/browser-payments.ts'
import { endDeviceData, sendDeviceData } from './online/device-data.ts'
import {
  getFormToken,
  getPaymentForm,
  getScript,
  getThreeDsPage,
  getThreeDsState,
  getTwinScript,
  getTwinTestScript,
  listScripts,
} from './online/hosted-form.ts'
import { getPayment, listPaymentMethods, payByCrossReference, resumePayment } from './online/online-payments.ts'
import { completeChallenge, goToIssuer, returnFromIssuer } from './online/three-d-secure-operations.ts'
import {
  inspectGooglePay,
  openApplePaySession,
  payByApplePay,
  payByApplePayAnywhere,
  payByGooglePay,
} from './online/wallet-payments.ts'
import { getDecision, getGuide, getGuideFile, getGuides } from './system/guide-operations.ts'
import { getAsset, getLandingPage, getReference, getReferenceFile, getTestCardsPage } from './system/page-operations.ts'
import {
  getAsyncApi,
  getSchema,
  getSocketReference,
  getSocketReferenceOf,
  listSchemas,
} from './system/socket-reference-operations.ts'
import { getMetrics, getOpenApi, isLive, isReady } from './system/system-operations.ts'
import { takeTerminalNotification } from './system/terminal-notifications.ts'
import {
  deleteTable,
  setTableAmount,
  setTableLock,
  setTableReceipt,
  setTableWaiterIds,
} from './tables/table-changes.ts'
import { createTable, createTableByPost, getTable, listTables } from './tables/table-operations.ts'
import { getTableReport, listTableReports } from './tables/table-reports.ts'
import { callJsonRpc, connectTableTill, connectTill } from './till/json-rpc.ts'
import { getReport, startReport } from './till/report-operations.ts'
import { startTransaction } from './till/start.ts'
import { getTerminal, listTerminals } from './till/terminal-operations.ts'
import { answerSignature, cancelTransaction, getTransaction } from './till/transaction-operations.ts'

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
  sendDeviceData,
  endDeviceData,
  completeChallenge,
  goToIssuer,
  returnFromIssuer,
  // Management API
  getAccount,
  setMerchantHosts,
  listOwnTerminals,
  listOwnTransactions,
  getOwnTransaction,
  listTransactionEvents,
  getTimeline,
  closeTransaction,
  listOwnPayments,
  getOwnPayment,
  getPaymentTimeline,
  addPaymentOperation,
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
  listRequests,
  listDeliveries,
  getDelivery,
  resendDelivery,
  getWebhookSecret,
  rotateWebhookSecret,
  // People
  signIn,
  getSession,
  signOut,
  setOwnPassword,
  listSessions,
  endSession,
  getOneTimeCodes,
  setOneTimeCodes,
  removeOneTimeCodes,
  listPasskeys,
  getPasskeyCreation,
  addPasskey,
  removePasskey,
  getPasskeyRequest,
  signInByPasskey,
  listUsers,
  addUser,
  changeUser,
  setUserPassword,
  endUser,
  removeFactors,
  listAudit,
  listKeys,
  createKey,
  createTillKey,
  revokeKey,
  // System and pages
  isLive,
  isReady,
  getMetrics,
  takeTerminalNotification,
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
  getGuides,
  getGuide,
  getDecision,
  getGuideFile,
  // Hosted form
  getScript,
  getTwinScript,
  getTwinTestScript,
  listScripts,
  getPaymentForm,
  getFormToken,
  getThreeDsPage,
  getThreeDsState,
]

/** Adds other operations to the gateway's own. One with the same name replaces the gateway's. */
export function operationsWith(others: readonly Operation[]): readonly Operation[] {
  return [...new Map([...OPERATIONS, ...others].map(operation => [operation.name, operation])).values()]
}
