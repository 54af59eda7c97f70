// src/simulator/terminals/device.ts — state of a simulated terminal.
import type { AccountProfile } from '../../domain/accounts/merchant-account.ts'
import type { TerminalSettings } from '../../domain/accounts/terminal.ts'
import type { Notification } from '../../domain/counter/notifications.ts'
import type { Ending, TransactionRequest, TransactionType } from '../../domain/counter/transaction-events.ts'
import type { TransactionMessage } from '../../domain/counter/user-messages.ts'
import type { Amounts } from '../../domain/money.ts'
import type { ReportType } from '../../domain/reports/report.ts'
import { NO_TOTALS, type TerminalTotals } from '../../domain/reports/totals.ts'
import type { BillLine } from '../../domain/tables/table.ts'
import type { LockedTable, PayAtTableRequest } from '../../engine/ports/pay-at-table.ts'
import type { ReportDelivery, TerminalDelivery } from '../../engine/ports/terminal.ts'
import type { Check, Reading, Scenario } from '../scenarios/scenario.ts'
import type { WaiterStep } from '../scenarios/waiter-script.ts'
import { type FaultProfile, withFaults } from './fault-profile.ts'
import type { Plan, Wait } from './flow.ts'

/** Head of a receipt. */
export type Shop = Pick<AccountProfile, 'name' | 'address' | 'merchantNumber' | 'timeZone'>

/** Settings of shop and terminal at the start of a transaction. */
export interface Setup {
  readonly settings: TerminalSettings
  readonly shop: Shop
  /** Milliseconds per step. */
  readonly paceMs: number
  /** The gateway's time limit, milliseconds from the start. */
  readonly limitMs: number
}

/** A presented card. */
export interface Presented {
  readonly token: string
  readonly reading: Reading
  readonly check: Check
}

export interface Running {
  readonly requestId: string
  readonly request: TransactionRequest
  readonly setup: Setup
  readonly scenario: Scenario
  readonly faults: FaultProfile
  readonly startedAt: number
  /** Remaining steps, next one first. */
  readonly plan: Plan
  readonly waitsFor: Wait | null
  /** When the next step is due or the wait ends, epoch milliseconds. */
  readonly dueAt: number
  /** Number of deliveries so far. */
  readonly sequence: number
  /** Effect ids already performed, so that a repeated call has no second effect. */
  readonly performed: readonly string[]
  /** Text on the display, as a notification. */
  readonly showing: Notification | null
  readonly presented: Presented | null
  readonly cardRead: boolean
  readonly cardInSlot: boolean
  readonly pinAsked: boolean
  readonly wrongPins: number
  /** The card or its issuer has refused the PIN. */
  readonly pinRefused?: true
  readonly failedInserts: number
  readonly amounts: Amounts
  readonly messages: readonly TransactionMessage[]
  readonly authCode: string
  /** The customer has seen APPROVED; from here on the terminal counts the payment as taken. */
  readonly approvedShown: boolean
  readonly transactionId: string
  readonly transactionNumber: string
}

/** A report running on the terminal. */
export interface RunningReport {
  readonly requestId: string
  readonly reportType: ReportType
  readonly setup: Setup
  readonly started: boolean
  readonly sequence: number
  /** When the next step is due, epoch milliseconds; null when there is none. */
  readonly dueAt: number | null
}

/** A past transaction or report. `forgotten`: the terminal lost it and will not resume it. */
export interface Past {
  readonly requestId: string
  readonly state: 'successful' | 'unsuccessful' | 'forgotten'
}

/** The last transaction, for a DUPLICATE. */
export interface LastTransaction {
  readonly requestId: string
  readonly transactionType: Exclude<TransactionType, 'DUPLICATE'>
  readonly endedAt: number
  readonly ending: Ending
}

/** A delivery, sent once or twice. */
export interface Outgoing extends TerminalDelivery {
  readonly twice?: true
}

/** A delayed delivery. `dueAt`: epoch milliseconds. */
export interface Late {
  readonly dueAt: number
  readonly delivery: TerminalDelivery
}

/** A scenario for the next `times` transactions. */
export interface QueuedScenario {
  readonly scenario: string
  readonly times: number
}

/** A scenario for one transaction. */
export interface ReservedScenario {
  readonly requestId: string
  readonly scenario: string
}

/** Payment of a share in progress. */
export interface Paying {
  readonly how: 'card' | 'other'
  readonly amountMinor: number
  /** Null until the guest has given it. */
  readonly gratuityMinor: number | null
  readonly paymentId: string
  /** Its transaction; null until the gateway has named it. */
  readonly requestId: string | null
}

/** A pending request to the gateway, repeated until it is answered. */
export interface OpenRequest {
  /** Matches an answer to its request. */
  readonly number: number
  readonly question: PayAtTableRequest
  /** When to repeat it, epoch milliseconds; null for now. */
  readonly retryAt: number | null
}

/** Rest of a waiter's script. */
export interface Playing {
  /** Null for the first table in the list. */
  readonly table: string | null
  readonly steps: readonly WaiterStep[]
}

export interface Session {
  readonly waiterId: string
  readonly setup: Setup
  /** Tables to choose from. */
  readonly names: readonly string[]
  readonly table: LockedTable | null
  /** Unpaid shares in minor units, next one first; empty when the bill is not split. */
  readonly shares: readonly number[]
  readonly paying: Paying | null
  readonly ask: OpenRequest | null
  readonly asked: number
  /** Request id of the last transaction whose signature the waiter compared. */
  readonly signed: string | null
  /** Last line of the display. */
  readonly message: string
  /** Last print. */
  readonly printed: readonly BillLine[]
  /** Null when a person presses the keys. */
  readonly script: Playing | null
  /** When the script goes on, or an idle person's session ends; epoch milliseconds. */
  readonly dueAt: number
}

export interface DeviceState {
  readonly account: string
  readonly tid: string
  /** Plugged in. */
  readonly connected: boolean
  /** When the connection to the gateway is back, epoch milliseconds; null while it is up. */
  readonly linkDownUntil: number | null
  readonly paperOut: boolean
  /** Scenarios of the next transactions, next one first. */
  readonly scenarios: readonly QueuedScenario[]
  /** Scenario after those; null when the terminal's id decides. */
  readonly afterwards: string | null
  /** Scenarios of transactions that are about to start, newest last. */
  readonly reserved: readonly ReservedScenario[]
  /** Number of cards read; numbers the next transaction. */
  readonly counted: number
  readonly running: Running | null
  /** The waiter's session; null without one. */
  readonly session: Session | null
  /** Why the last waiter script stopped before its end. Absent when it did not. */
  readonly scriptStopped?: string
  /** Newest first. */
  readonly past: readonly Past[]
  readonly last: LastTransaction | null
  /** Deliveries that the gateway has not confirmed, oldest first. */
  readonly outbox: readonly Outgoing[]
  /** Delayed deliveries about ended transactions, soonest first. */
  readonly late: readonly Late[]
  readonly report: RunningReport | null
  readonly totals: TerminalTotals
  /** As `outbox`, for reports. */
  readonly reportOutbox: readonly ReportDelivery[]
}

/** Upper bound of remembered transactions. Tens of them pass between a crash and the gateway's queries. */
const MOST_PAST = 50

/** State of a new terminal. */
export function freshDevice(account: string, tid: string): DeviceState {
  return {
    account,
    tid,
    connected: true,
    linkDownUntil: null,
    paperOut: false,
    scenarios: [],
    afterwards: null,
    reserved: [],
    counted: 0,
    running: null,
    session: null,
    past: [],
    last: null,
    outbox: [],
    late: [],
    report: null,
    totals: NO_TOTALS,
    reportOutbox: [],
  }
}

/** State of a transaction at its start. */
export function freshRunning(
  requestId: string,
  request: TransactionRequest,
  setup: Setup,
  scenario: Scenario,
  effectId: string,
  at: number,
): Omit<Running, 'plan' | 'dueAt'> {
  const { faults, scenario: played } = withFaults(scenario)
  return {
    requestId,
    request,
    setup: { ...setup, paceMs: (scenario.paceMs ?? setup.paceMs) + faults.slowerMs },
    scenario: played,
    faults,
    startedAt: at,
    waitsFor: null,
    sequence: 0,
    performed: [effectId],
    showing: null,
    presented: null,
    cardRead: false,
    cardInSlot: false,
    pinAsked: false,
    wrongPins: 0,
    failedInserts: 0,
    amounts: { baseMinor: request.amountMinor, cashbackMinor: 0, gratuityMinor: request.table?.gratuityMinor ?? 0 },
    messages: [],
    authCode: '',
    approvedShown: false,
    transactionId: '',
    transactionNumber: '',
  }
}

/** Whether calls and deliveries get through. */
export function isReachable({ connected, linkDownUntil }: DeviceState): boolean {
  return connected && linkDownUntil === null
}

/** Drops the running transaction and its deliveries, and remembers it as forgotten. */
export function forgotten(state: DeviceState): DeviceState {
  const { running } = state
  if (running === null) return state
  const outbox = state.outbox.filter(delivery => delivery.requestId !== running.requestId)
  return withPast({ ...state, running: null, outbox }, { requestId: running.requestId, state: 'forgotten' })
}

/** Adds a past transaction or report. */
export function withPast(state: DeviceState, past: Past): DeviceState {
  return { ...state, past: [past, ...state.past].slice(0, MOST_PAST) }
}
