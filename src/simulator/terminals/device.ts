// src/simulator/terminals/device.ts — everything a simulated terminal knows: one document, so that a step is remembered
// whole or not at all.
import type { AccountProfile } from '../../domain/accounts/merchant-account.ts'
import type { TerminalSettings } from '../../domain/accounts/terminal.ts'
import type { Notification } from '../../domain/counter/notifications.ts'
import type { Ending, TransactionRequest, TransactionType } from '../../domain/counter/transaction-events.ts'
import type { TransactionMessage } from '../../domain/counter/user-messages.ts'
import type { Amounts } from '../../domain/money.ts'
import type { ReportType } from '../../domain/reports/report.ts'
import { NO_TOTALS, type TerminalTotals } from '../../domain/reports/totals.ts'
import type { BillLine } from '../../domain/tables/table.ts'
import type { HeldTable, PayAtTableRequest } from '../../engine/ports/pay-at-table.ts'
import type { ReportDelivery, TerminalDelivery } from '../../engine/ports/terminal.ts'
import type { Check, Reading, Scenario } from '../scenarios/scenario.ts'
import type { WaiterStep } from '../scenarios/waiter-script.ts'
import { type FaultProfile, withFaults } from './fault-profile.ts'
import type { Plan, Wait } from './flow.ts'

/** What stands at the head of a receipt. */
export type Shop = Pick<AccountProfile, 'name' | 'address' | 'merchantNumber' | 'timeZone'>

/** What the gateway hands over with a start: how the shop and the terminal are set up at that moment. */
export interface Setup {
  readonly settings: TerminalSettings
  readonly shop: Shop
  /** Milliseconds a step takes. */
  readonly paceMs: number
  /** When the gateway gives up, milliseconds from the start. */
  readonly limitMs: number
}

/** A card as it lies before the terminal. */
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
  /** What comes next, first step first. */
  readonly plan: Plan
  readonly waitsFor: Wait | null
  /** When the next step is due, or the wait is over; epoch milliseconds. */
  readonly dueAt: number
  /** Deliveries made so far. */
  readonly sequence: number
  /** Effects that were performed, so that a repeated call has no second effect. */
  readonly performed: readonly string[]
  /** What the display says, in the words of the notifications. */
  readonly showing: Notification | null
  readonly presented: Presented | null
  readonly cardRead: boolean
  readonly cardInSlot: boolean
  readonly pinAsked: boolean
  readonly wrongPins: number
  readonly failedInserts: number
  readonly amounts: Amounts
  readonly messages: readonly TransactionMessage[]
  readonly authCode: string
  /** The customer has seen APPROVED: from here on the terminal counts it as paid. */
  readonly approvedShown: boolean
  readonly transactionId: string
  readonly transactionNumber: string
}

/** A report as it runs on the terminal. */
export interface RunningReport {
  readonly requestId: string
  readonly reportType: ReportType
  readonly setup: Setup
  readonly started: boolean
  readonly sequence: number
  /** When the next step is due, epoch milliseconds; null when there is none. */
  readonly dueAt: number | null
}

/** A transaction that the terminal is done with. `forgotten`: it lost it, and will not take it up again. */
export interface Past {
  readonly requestId: string
  readonly state: 'successful' | 'unsuccessful' | 'forgotten'
}

/** The last transaction, as a DUPLICATE repeats it. */
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

/** A delivery for later. `dueAt`: epoch milliseconds. */
export interface Late {
  readonly dueAt: number
  readonly delivery: TerminalDelivery
}

/** A scenario by its name, for so many transactions. */
export interface QueuedScenario {
  readonly scenario: string
  readonly times: number
}

/** A scenario for one transaction. */
export interface ReservedScenario {
  readonly requestId: string
  readonly scenario: string
}

/** A share that is being paid. */
export interface Paying {
  readonly how: 'card' | 'other'
  readonly amountMinor: number
  /** Null: it is still to be said. */
  readonly gratuityMinor: number | null
  readonly paymentId: string
  /** The transaction that takes it, as soon as the gateway has named it. */
  readonly requestId: string | null
}

/** A question to the gateway, asked until it is answered. */
export interface OpenAsk {
  /** Tells answers to it from those to an earlier one. */
  readonly number: number
  readonly question: PayAtTableRequest
  /** When it is to be asked again; null: now. Epoch milliseconds. */
  readonly retryAt: number | null
}

/** What a script has still to do. */
export interface Playing {
  /** Null: the first in the list. */
  readonly table: string | null
  readonly steps: readonly WaiterStep[]
}

export interface Session {
  readonly waiterId: string
  readonly setup: Setup
  /** The tables to choose from. */
  readonly names: readonly string[]
  readonly table: HeldTable | null
  /** What the guests have still to pay, the next one first; empty: it is not split. Minor units. */
  readonly shares: readonly number[]
  readonly paying: Paying | null
  readonly ask: OpenAsk | null
  readonly asked: number
  /** The last transaction whose signature was looked at. */
  readonly signed: string | null
  /** The last line of the display. */
  readonly message: string
  /** What came out of the printer last. */
  readonly printed: readonly BillLine[]
  /** Null: a person presses the keys. */
  readonly script: Playing | null
  /** When the script goes on, or a person has stood there too long; epoch milliseconds. */
  readonly dueAt: number
}

export interface DeviceState {
  readonly account: string
  readonly tid: string
  /** Plugged in. */
  readonly connected: boolean
  /** When the line to the gateway is back, epoch milliseconds; null: it is up. */
  readonly linkDownUntil: number | null
  readonly paperOut: boolean
  /** Scenarios for the next transactions, the next one first. */
  readonly scenarios: readonly QueuedScenario[]
  /** The scenario after those; null: the terminal's id decides. */
  readonly afterwards: string | null
  /** Scenarios for transactions that are about to start, the newest last. */
  readonly reserved: readonly ReservedScenario[]
  /** Cards read so far; numbers the next one. */
  readonly counted: number
  readonly running: Running | null
  /** The waiter at it; null: none. */
  readonly session: Session | null
  /** Newest first. */
  readonly past: readonly Past[]
  readonly last: LastTransaction | null
  /** What the gateway has not confirmed yet, oldest first. */
  readonly outbox: readonly Outgoing[]
  /** What it will say about transactions that are over, soonest first. */
  readonly late: readonly Late[]
  readonly report: RunningReport | null
  readonly totals: TerminalTotals
  /** As `outbox`, about reports. */
  readonly reportOutbox: readonly ReportDelivery[]
}

/** Transactions a terminal can still be asked about. Tens of them pass between a crash and the gateway's questions. */
const MOST_PAST = 50

/** A terminal fresh from the box. */
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

/** A transaction at its start. */
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

/** Forgets what was going on; that it has forgotten is all it remembers of it. */
export function forgotten(state: DeviceState): DeviceState {
  const { running } = state
  if (running === null) return state
  const outbox = state.outbox.filter(delivery => delivery.requestId !== running.requestId)
  return withPast({ ...state, running: null, outbox }, { requestId: running.requestId, state: 'forgotten' })
}

/** Adds a transaction to those the terminal is done with. */
export function withPast(state: DeviceState, past: Past): DeviceState {
  return { ...state, past: [past, ...state.past].slice(0, MOST_PAST) }
}
