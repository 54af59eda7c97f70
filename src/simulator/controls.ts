// src/simulator/controls.ts — interfaces of the simulator's controls, which the operations under `/sandbox` call. Sandbox
// mode only.
import type { RecordedExchange } from '../api/interceptor.ts'
import type { Terminal } from '../domain/accounts/terminal.ts'
import type { Expiry } from '../domain/card-number.ts'
import type { StoredEvent } from '../engine/ports/store.ts'
import type { WalletName } from '../engine/ports/wallets.ts'
import type { Fault, FaultTarget } from './faults/catalogue.ts'
import type { WebhookFaults } from './faults/webhook-faults.ts'
import type { ScenarioDocument } from './scenarios/document.ts'
import type { OnlineQueue } from './scenarios/online-scenarios.ts'
import type { WaiterScript } from './scenarios/waiter-script.ts'
import type { ScreenKey, ScreenView, TestCardView } from './terminals/screens.ts'
import type { TerminalLinks } from './terminals/terminal-links.ts'
import type { ChallengePages, IssuerPages, OnlineTestCardView } from './three-d-secure/issuer-pages.ts'

/** Reason why a document cannot be played. */
export interface RefusalReason {
  /** Path of the faulty part: `plans.approved[1].do`. Empty for the whole document. */
  readonly at: string
  /** Full sentences. */
  readonly says: string
}

export type Unplayable = { readonly refusal: RefusalReason }

export interface ScenarioListing {
  readonly name: string
  readonly title: string
  /** `library`: built in. `files`: from the directory of the installation. `account`: the account's own. */
  readonly from: 'library' | 'files' | 'account'
  /** Rows of the published table of sequences that it plays (docs/scenarios.md); empty for none. */
  readonly rows: string
}

/** Scenarios of the next transactions on a terminal. */
export interface ScenarioQueue {
  readonly next: readonly { readonly scenario: string; readonly times: number }[]
  /** Scenario after those; null when the terminal's id decides. */
  readonly afterwards: string | null
}

/** A fault that is armed for requests. */
export interface ArmedFault {
  /** `name`, or `name:number`. */
  readonly fault: string
  /** Null for any method. */
  readonly method: string | null
  /** `*` matches one part of the path, `**` any number of parts. */
  readonly path: string
  /** Number of requests still to be hit. */
  readonly times: number
}

/** Faults for the next requests to an address. */
export interface SandboxFaults {
  /** Armed faults, oldest first. */
  armed(account: string): readonly ArmedFault[]
  arm(account: string, document: unknown): ArmedFault | Unplayable
  disarm(account: string): void
  /** Whether a fault of any account may be armed. */
  isArmed(): boolean
  /** Whether `meet` would find a fault. */
  wouldMeet(account: string, request: FaultyRequest): boolean
  /** Takes the faults that hit this request, and counts each of them down. */
  meet(account: string, request: FaultyRequest): MetFaults
}

/** A request that may meet faults. `reach`: what they can hit in it. */
export interface FaultyRequest {
  readonly method: string
  readonly url: string
  readonly reach: readonly FaultTarget[]
}

export interface MetFaults {
  readonly faults: readonly Fault[]
  /** Arms faults again that had no effect on the request. */
  giveBack(isUnused: (fault: Fault) => boolean): void
}

/** A stored event of a transaction. */
export type StoredEnvelope = Pick<StoredEvent, 'at' | 'body'>

/** Named scenarios, and which of them terminals play. */
export interface SandboxScenarios {
  /** All scenarios that an account can name. */
  list(account: string): readonly ScenarioListing[]
  documentOf(account: string, name: string): ScenarioDocument | null
  /** Stores a scenario of the account, replacing one of the same name. */
  define(account: string, document: unknown): { readonly name: string } | Unplayable
  /** False when the account has no scenario of that name. Refused while a terminal has yet to play it. */
  forget(account: string, name: string): boolean | Unplayable
  /** Writes a scenario that repeats what terminal and acquirer did in a transaction. */
  replayOf(requestId: string, events: readonly StoredEnvelope[]): ScenarioDocument
  queueOf(terminal: Terminal): ScenarioQueue
  /** Sets the queue of a terminal, replacing the previous one. */
  setQueue(terminal: Terminal, document: unknown): ScenarioQueue | Unplayable
  /** Sets the scenario of one transaction that is about to start. The queue does not advance. */
  reserve(terminal: Terminal, requestId: string, name: string): Unplayable | null
  /**
   * The faults that hit the request which starts a transaction here.
   * @param name scenario that the request names, or null
   */
  requestFaults(terminal: Terminal, name: string | null): readonly Fault[]
  /** Counts the next queued scenario as played: its fault prevents the start. */
  skip(terminal: Terminal): void
  /** Drops the reservation of a transaction that did not start. */
  release(terminal: Terminal, requestId: string): void
}

/** State of an account's clock. */
export interface AccountTime {
  /** Epoch milliseconds. */
  readonly now: number
  readonly frozen: boolean
  /** Milliseconds ahead of the system clock. */
  readonly offsetMs: number
}

export interface Moved extends AccountTime {
  /** Number of alarms that fired. */
  readonly fired: number
  /** True when all due work is done and the account is idle. False on a time-out; the clock then stops short of the target. */
  readonly settled: boolean
}

/** Virtual clocks of accounts. A move resolves when all work that fell due is done. */
export interface SandboxClocks {
  read(account: string): AccountTime
  advance(account: string, ms: number): Promise<Moved>
  /** Moving back fires nothing. */
  set(account: string, at: number): Promise<Moved>
  freeze(account: string): Promise<AccountTime>
  /** Lets the clock run on from its present time. */
  release(account: string): Promise<AccountTime>
  /** Returns to system time. */
  reset(account: string): Promise<AccountTime>
}

export interface SnapshotListing {
  readonly name: string
  /** Time on the account's clock, epoch milliseconds. */
  readonly takenAt: number
  /** Number of records: terminals, transactions, reports. */
  readonly records: number
}

/** Snapshots of an account: everything but its identity and keys. Each call resolves when it is done. */
export interface SandboxStates {
  list(account: string): readonly SnapshotListing[]
  /** Stores the state under a name, replacing one of the same name. */
  take(account: string, name: string): Promise<SnapshotListing | Unplayable>
  /** False when there is no such snapshot. */
  restore(account: string, name: string): Promise<boolean>
  forget(account: string, name: string): boolean
  /** Clears the account: no transactions, no reports, new terminals, system time. */
  reset(account: string): Promise<void>
}

/** A message between two parties. */
export type RecordedMessage = Pick<RecordedExchange, 'from' | 'to' | 'what' | 'data'>

/** Records all messages about a transaction. Secrets are redacted first. */
export interface Recorder {
  /** Records a message. Call the returned function with the answer, if there is one. */
  note(account: string, requestId: string, message: RecordedMessage): (answer: unknown) => void
  /** As `note`, for the message that started the transaction: it comes before all others. `at`: epoch milliseconds. */
  noteBeginning(account: string, requestId: string, message: RecordedMessage, at: number): (answer: unknown) => void
  /** Counts a repetition of the last exchange with the same answer; false when the last exchange was another one. */
  again(account: string, requestId: string, what: string, status: number): boolean
  /** Records the position of an event among the messages. */
  happened(account: string, requestId: string, version: number): void
  /** Oldest first. */
  of(account: string, requestId: string): readonly RecordedExchange[]
  forget(account: string): void
}

/** Scripted waiters. */
export interface SandboxWaiters {
  list(): readonly WaiterScript[]
  /** Starts a waiter on a terminal, as the document says. `refused`: the terminal is busy, or serves no tables. */
  send(terminal: Terminal, order: unknown): Promise<'begun' | 'refused' | Unplayable>
}

/** The simulated terminals, as the sandbox operations use them. */
export interface SandboxTerminals {
  screenOf(terminal: Terminal): ScreenView
  /** Presses a key. `refused`: the key does nothing now, and nothing has changed. */
  press(terminal: Terminal, key: ScreenKey): Promise<'pressed' | 'refused'>
  /** Resets a terminal to new. It forgets what it was doing, and the gateway learns that by its reconnection. */
  reset(terminal: Terminal): void
  readonly cards: readonly TestCardView[]
  readonly scenarios: SandboxScenarios
  readonly faults: SandboxFaults
  readonly waiters: SandboxWaiters
}

/** Request for a test wallet token. */
export interface TestWalletRequest {
  readonly wallet: WalletName
  readonly account: string
  readonly number: string
  readonly expiry: Expiry
  readonly amountMinor: number
  readonly currencyNumeric: string
  /** `card`: a plain card number behind the wallet; Google Pay only. */
  readonly authMethod: 'device' | 'card'
}

/** Test wallets. */
export interface SandboxWallets {
  /** Makes a token in the form in which the wallet hands it to a page. */
  make(requested: TestWalletRequest): object
}

/** Scenarios of an account's online payments. */
export interface SandboxOnlineScenarios {
  queueOf(account: string): OnlineQueue
  /** Sets the scenarios of the next payments, replacing the previous ones. */
  setQueue(account: string, document: unknown): OnlineQueue | Unplayable
  /** Sets the scenario of one payment, by its id. The queue does not advance. */
  reserve(account: string, payment: string, scenario: string): void
  /** Adds faults, as text, to the scenario of one payment. */
  addFaults(account: string, payment: string, faults: readonly string[]): void
}

/** All controls of the simulator. */
export interface Sandbox extends SandboxTerminals {
  readonly links: TerminalLinks
  readonly wallets: SandboxWallets
  readonly clocks: SandboxClocks
  readonly states: SandboxStates
  readonly recorder: Recorder
  readonly issuerPages: IssuerPages
  /** The issuers' pages as a browser finds them on any node. */
  readonly challengePages: ChallengePages
  readonly onlineScenarios: SandboxOnlineScenarios
  readonly webhookFaults: WebhookFaults
  /** Public test data. */
  readonly onlineCards: readonly OnlineTestCardView[]
}
