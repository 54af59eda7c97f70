// src/simulator/controls.ts — what the simulator lets itself be told, as interfaces. Plugged in in sandbox mode only.
import type { RecordedExchange } from '../api/interceptor.ts'
import type { Terminal } from '../domain/accounts/terminal.ts'
import type { Expiry } from '../domain/card-number.ts'
import type { StoredEvent } from '../engine/ports/store.ts'
import type { WalletName } from '../engine/ports/wallets.ts'
import type { Fault } from './faults/catalogue.ts'
import type { WebhookFaults } from './faults/webhook-faults.ts'
import type { ScenarioDocument } from './scenarios/document.ts'
import type { OnlineQueue } from './scenarios/online-scenarios.ts'
import type { WaiterScript } from './scenarios/waiter-script.ts'
import type { ScreenKey, ScreenView, TestCardView } from './terminals/screens.ts'
import type { IssuerPages, OnlineTestCardView } from './three-d-secure/issuer-pages.ts'

/** Why something cannot be done as it was written. */
export interface RefusalReason {
  /** Place in what was written: `plans.approved[1].do`; empty for the whole. */
  readonly at: string
  /** In sentences. */
  readonly says: string
}

export type Objected = { readonly objection: RefusalReason }

export interface ScenarioListing {
  readonly name: string
  readonly title: string
  /** Shipped with the program, read from the directory of the installation, or the account's own. */
  readonly from: 'library' | 'files' | 'account'
  /** Rows of the published sequences that it plays; empty when it plays none. */
  readonly rows: string
}

/** What the next transactions on a terminal play. */
export interface ScenarioQueue {
  readonly next: readonly { readonly scenario: string; readonly times: number }[]
  /** After those; null: the terminal's id decides. */
  readonly afterwards: string | null
}

/** A fault that waits for a request. */
export interface ArmedFault {
  /** Name, or `name:number`. */
  readonly fault: string
  /** Null: whatever the method. */
  readonly method: string | null
  /** `*` stands for a part of the path, `**` for any number of them. */
  readonly path: string
  /** Requests that will still meet it. */
  readonly times: number
}

/** Faults that hit the next requests to an address. */
export interface SandboxFaults {
  /** Those that wait, in the order in which they were armed. */
  armed(account: string): readonly ArmedFault[]
  arm(account: string, document: unknown): ArmedFault | Objected
  disarm(account: string): void
  /** The faults that this request meets; each of them is one request nearer to its end. */
  meet(account: string, method: string, url: string): readonly Fault[]
}

/** What happened in a transaction, as the store has it. */
export type StoredEnvelope = Pick<StoredEvent, 'at' | 'body'>

/** Ways a payment can go, by name. */
export interface SandboxScenarios {
  /** All that an account can name. */
  list(account: string): readonly ScenarioListing[]
  documentOf(account: string, name: string): ScenarioDocument | null
  /** Keeps a scenario of the account's own; one of the same name gives way. */
  define(account: string, document: unknown): { readonly name: string } | Objected
  /** False: the account has none of that name. */
  forget(account: string, name: string): boolean
  /** A scenario that plays what terminal and acquirer did in a transaction. */
  replayOf(requestId: string, events: readonly StoredEnvelope[]): ScenarioDocument
  queueOf(terminal: Terminal): ScenarioQueue
  /** Says what comes next on a terminal; what was said before is forgotten. */
  setQueue(terminal: Terminal, document: unknown): ScenarioQueue | Objected
  /** Says what one transaction plays that is about to start. It leaves the queue alone. */
  reserve(terminal: Terminal, requestId: string, name: string): Objected | null
  /**
   * The faults that the request meets which is about to start a transaction here. One that keeps it from starting counts
   * as played: the queue goes on.
   * @param name what the request names itself, or null
   */
  requestFaults(terminal: Terminal, name: string | null): readonly Fault[]
  /** Takes back what was reserved for a transaction that has not started after all. */
  release(terminal: Terminal, requestId: string): void
}

/** What an account's clock shows. */
export interface AccountTime {
  /** Epoch milliseconds. */
  readonly now: number
  readonly frozen: boolean
  /** How far it is before the clock of the system, milliseconds. */
  readonly offsetMs: number
}

export interface Moved extends AccountTime {
  /** Alarms that rang on the way. */
  readonly fired: number
  /** Everything that fell due is done, and the account is at rest. False: it took too long, and the clock stopped there. */
  readonly settled: boolean
}

/** The clocks of accounts. What moves one of them resolves when everything is done that fell due on the way. */
export interface SandboxClocks {
  read(account: string): AccountTime
  advance(account: string, ms: number): Promise<Moved>
  /** Back in time nothing rings. */
  set(account: string, at: number): Promise<Moved>
  freeze(account: string): Promise<AccountTime>
  /** Lets it run again from where it stands. */
  release(account: string): Promise<AccountTime>
  /** Back to the time of the system. */
  reset(account: string): Promise<AccountTime>
}

export interface SnapshotListing {
  readonly name: string
  /** By the account's clock, epoch milliseconds. */
  readonly takenAt: number
  /** Records in it: terminals, transactions, reports. */
  readonly records: number
}

/** What an account is, to be put back to: all but who it is and its keys. Each resolves when it is done. */
export interface SandboxStates {
  list(account: string): readonly SnapshotListing[]
  /** Keeps the state under a name; one of the same name gives way. */
  take(account: string, name: string): Promise<SnapshotListing | Objected>
  /** False: there is none of that name. */
  restore(account: string, name: string): Promise<boolean>
  forget(account: string, name: string): boolean
  /** Nothing has ever happened: no transactions, no reports, terminals fresh from the box, the time of the system. */
  reset(account: string): Promise<void>
}

/** Something one party said to another. */
export type RecordedMessage = Pick<RecordedExchange, 'from' | 'to' | 'what' | 'data'>

/** Listens to everything that is said about a transaction. What is secret is struck out before it is kept. */
export interface Recorder {
  /** Returns what to call with the answer, when there is one. */
  note(account: string, requestId: string, spoken: RecordedMessage): (answer: unknown) => void
  /** As `note`, for what has begun the transaction: it stands before everything else. `at`: epoch milliseconds. */
  noteBeginning(account: string, requestId: string, spoken: RecordedMessage, at: number): (answer: unknown) => void
  /** Counts what was just said with the same answer; false when something else was said last. */
  again(account: string, requestId: string, what: string, status: number): boolean
  /** An event has happened. */
  happened(account: string, requestId: string, version: number): void
  /** Oldest first. */
  of(account: string, requestId: string): readonly RecordedExchange[]
  forget(account: string): void
}

/** Waiters who do what a script says. */
export interface SandboxWaiters {
  list(): readonly WaiterScript[]
  /**
   * Sends a waiter to a terminal, as a document says. `refused`: the terminal is not free, or serves no waiters.
   */
  send(terminal: Terminal, order: unknown): Promise<'begun' | 'refused' | Objected>
}

/** The simulated terminals as the sandbox serves them. */
export interface SandboxTerminals {
  screenOf(terminal: Terminal): ScreenView
  /** Presses a key. `refused`: it does nothing now, and nothing has changed. */
  press(terminal: Terminal, key: ScreenKey): Promise<'pressed' | 'refused'>
  /** Makes a terminal one fresh from the box. What it was doing is forgotten, and the gateway is told so. */
  reset(terminal: Terminal): void
  readonly cards: readonly TestCardView[]
  readonly scenarios: SandboxScenarios
  readonly faults: SandboxFaults
  readonly waiters: SandboxWaiters
}

/** What a phone is asked for. */
export interface TestWalletRequest {
  readonly wallet: WalletName
  readonly account: string
  readonly number: string
  readonly expiry: Expiry
  readonly amountMinor: number
  readonly currencyNumeric: string
  /** `card`: a plain number behind the wallet; Google Pay only. */
  readonly authMethod: 'device' | 'card'
}

/** Phones and wallet accounts of nobody. */
export interface SandboxWallets {
  /** A token as the wallet gives it to a page. */
  make(requested: TestWalletRequest): object
}

/** What an account may say of its online payments. */
export interface SandboxOnlineScenarios {
  queueOf(account: string): OnlineQueue
  /** Says what the next payments meet; what was said before is forgotten. */
  setQueue(account: string, document: unknown): OnlineQueue | Objected
  /** Says what one payment meets, by its id. It leaves the queue alone. */
  reserve(account: string, payment: string, scenario: string): void
}

/** Everything the simulator lets itself be told. */
export interface Sandbox extends SandboxTerminals {
  readonly wallets: SandboxWallets
  readonly clocks: SandboxClocks
  readonly states: SandboxStates
  readonly recorder: Recorder
  readonly issuerPages: IssuerPages
  readonly onlineScenarios: SandboxOnlineScenarios
  readonly webhookFaults: WebhookFaults
  /** Public test data. */
  readonly onlineCards: readonly OnlineTestCardView[]
}
