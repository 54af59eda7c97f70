// src/api/operations/index.ts — everything the gateway can be asked over HTTP. An endpoint is one object and one line.
import type { Operation } from '../operation.ts'
import { createAccessToken, revokeAccessToken } from './access-tokens.ts'
import { gatherDeviceData, payByCard, payBySavedCard } from './browser-payments.ts'
import {
  confirmDemoOrder,
  finishDemoCheckout,
  getDemoCheckout,
  getDemoShop,
  getDemoState,
  goOnWithDemoOrder,
  hearDemoWebhook,
  orderInDemoShop,
} from './demo-shop.ts'
import { listEvents } from './events.ts'
import { getFormToken, getPaymentForm, getScript, getThreeDsPage, listScripts } from './hosted-form.ts'
import { answerChallenge, openChallenge, receiveDeviceData } from './issuer-pages.ts'
import { callJsonRpc, connectTableTill, connectTill } from './json-rpc.ts'
import { listJwtKeys, registerJwtKey, revokeJwtKey } from './jwt-keys.ts'
import { getPayment, listPaymentMethods, payByCrossReference, resumePayment } from './online-payments.ts'
import { getAccount, listOwnTerminals } from './own-account.ts'
import { closePayment, getOwnPayment, getPaymentTimeline, listOwnPayments } from './own-payments.ts'
import { getOwnReport, listOwnReports } from './own-reports.ts'
import { getOwnTable, getTableTimeline, listOwnTables, listTableEvents } from './own-tables.ts'
import { getOwnTransaction, getTimeline, listOwnTransactions, listTransactionEvents } from './own-transactions.ts'
import { getAsset, getLandingPage, getReference, getReferenceFile } from './pages.ts'
import { getReport, startReport } from './reports.ts'
import { configureTerminal, getScreen, listScreens, listTestCards, pressKey } from './sandbox.ts'
import { getClock, moveClock } from './sandbox-clock.ts'
import { armFault, disarmFaults, listFaults } from './sandbox-faults.ts'
import { addTerminal, removeTerminal, resetTerminal } from './sandbox-fleet.ts'
import { getAuthentications, listOnlineTestCards, setAuthentications } from './sandbox-online.ts'
import { getOnlineScenarios, setOnlineScenarios } from './sandbox-online-scenarios.ts'
import {
  defineScenario,
  exportScenario,
  forgetScenario,
  getScenario,
  getScenarioQueue,
  getScenarioSchema,
  listScenarios,
  setScenarioQueue,
} from './sandbox-scenarios.ts'
import { seedAccount } from './sandbox-seed.ts'
import { forgetSnapshot, listSnapshots, resetAccount, restoreSnapshot, takeSnapshot } from './sandbox-states.ts'
import { listWaiterScripts, sendWaiter } from './sandbox-waiters.ts'
import { makeWalletToken } from './sandbox-wallets.ts'
import { armDrill, disarmDrills, listDrills } from './sandbox-webhooks.ts'
import { getAsyncApi, getSchema, getSocketReference, getSocketReferenceOf, listSchemas } from './socket-reference.ts'
import { startTransaction } from './start-transaction.ts'
import { getMetrics, getOpenApi, isLive, isReady } from './system.ts'
import { deleteTable, setTableAmount, setTableLock, setTableReceipt, setTableWaiterIds } from './table-changes.ts'
import { getTableReport, listTableReports } from './table-reports.ts'
import { createTable, createTableByPost, getTable, listTables } from './tables.ts'
import { getTerminal, listTerminals } from './terminals.ts'
import { openTestAccount } from './test-accounts.ts'
import { getTestCardsPage } from './test-cards-page.ts'
import { completeChallenge, returnFromIssuer } from './three-d-secure.ts'
import { answerSignature, cancelTransaction, getTransaction } from './transactions.ts'
import {
  inspectGooglePay,
  openApplePaySession,
  payByApplePay,
  payByApplePayAnywhere,
  payByGooglePay,
} from './wallet-payments.ts'
import { getWalletSheet, signInWalletSheet } from './wallet-sheet.ts'
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
  // Sandbox
  openTestAccount,
  listTestCards,
  listScreens,
  getScreen,
  pressKey,
  configureTerminal,
  addTerminal,
  removeTerminal,
  resetTerminal,
  listWaiterScripts,
  sendWaiter,
  listScenarios,
  getScenario,
  defineScenario,
  forgetScenario,
  getScenarioQueue,
  setScenarioQueue,
  exportScenario,
  getScenarioSchema,
  listFaults,
  armFault,
  disarmFaults,
  listDrills,
  armDrill,
  disarmDrills,
  makeWalletToken,
  listOnlineTestCards,
  getAuthentications,
  setAuthentications,
  getOnlineScenarios,
  setOnlineScenarios,
  openChallenge,
  answerChallenge,
  receiveDeviceData,
  getClock,
  moveClock,
  resetAccount,
  seedAccount,
  listSnapshots,
  takeSnapshot,
  restoreSnapshot,
  forgetSnapshot,
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
  // Demo shop
  getDemoShop,
  getDemoState,
  orderInDemoShop,
  confirmDemoOrder,
  goOnWithDemoOrder,
  hearDemoWebhook,
  getDemoCheckout,
  finishDemoCheckout,
  getWalletSheet,
  signInWalletSheet,
]
