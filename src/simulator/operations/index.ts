// src/simulator/operations/index.ts — all HTTP operations of the simulator, in sandbox mode only.
import type { Operation } from '../../api/operation.ts'
import { getClock, moveClock } from './clock.ts'
import { armFault, disarmFaults, listFaults } from './faults.ts'
import { addTerminal, removeTerminal, resetTerminal } from './fleet.ts'
import { answerChallenge, openChallenge, receiveDeviceData } from './issuer-pages.ts'
import { getAuthentications, listOnlineTestCards, setAuthentications } from './online.ts'
import { getOnlineScenarios, setOnlineScenarios } from './online-scenarios.ts'
import {
  defineScenario,
  exportScenario,
  forgetScenario,
  getScenario,
  getScenarioQueue,
  getScenarioSchema,
  listScenarios,
  setScenarioQueue,
} from './scenarios.ts'
import { configureTerminal, getScreen, listScreens, listTestCards, pressKey } from './screens.ts'
import { seedAccount } from './seed.ts'
import { forgetSnapshot, listSnapshots, resetAccount, restoreSnapshot, takeSnapshot } from './snapshots.ts'
import { endTerminalLinks, openTerminalLink } from './terminal-links.ts'
import { getTerminalPage } from './terminal-page.ts'
import { closeTestAccount, openTestAccount } from './test-accounts.ts'
import { getTestCardsPage } from './test-cards-page.ts'
import { listWaiterScripts, sendWaiter } from './waiters.ts'
import { getWalletSheet, signInWalletSheet } from './wallet-sheet.ts'
import { makeWalletToken } from './wallets.ts'
import { armWebhookFault, disarmWebhookFaults, listWebhookFaults } from './webhooks.ts'

export const SIMULATOR_OPERATIONS: readonly Operation[] = [
  openTestAccount,
  closeTestAccount,
  listTestCards,
  listScreens,
  getScreen,
  pressKey,
  configureTerminal,
  addTerminal,
  removeTerminal,
  resetTerminal,
  openTerminalLink,
  endTerminalLinks,
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
  listWebhookFaults,
  armWebhookFault,
  disarmWebhookFaults,
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
  getTestCardsPage,
  getTerminalPage,
  getWalletSheet,
  signInWalletSheet,
]
