// src/api/operations/index.ts — everything the gateway can be asked over HTTP. An endpoint is one object and one line.
import type { Operation } from '../operation.ts'
import { listEvents } from './events.ts'
import { getAccount, listOwnTerminals } from './own-account.ts'
import { getOwnTransaction, listOwnTransactions, listTransactionEvents } from './own-transactions.ts'
import { getAsset, getLandingPage, getReference, getReferenceFile } from './pages.ts'
import { configureTerminal, getScreen, listScreens, listTestCards, pressKey } from './sandbox.ts'
import { startTransaction } from './start-transaction.ts'
import { getMetrics, getOpenApi, isLive, isReady } from './system.ts'
import { getTerminal, listTerminals } from './terminals.ts'
import { openTestAccount } from './test-accounts.ts'
import { answerSignature, cancelTransaction, getTransaction } from './transactions.ts'

export const OPERATIONS: readonly Operation[] = [
  // Pay at counter
  listTerminals,
  getTerminal,
  startTransaction,
  getTransaction,
  cancelTransaction,
  answerSignature,
  // Tollgate's own
  getAccount,
  listOwnTerminals,
  listOwnTransactions,
  getOwnTransaction,
  listTransactionEvents,
  listEvents,
  // Sandbox
  openTestAccount,
  listTestCards,
  listScreens,
  getScreen,
  pressKey,
  configureTerminal,
  // System and pages
  isLive,
  isReady,
  getMetrics,
  getOpenApi,
  getLandingPage,
  getReference,
  getReferenceFile,
  getAsset,
]
