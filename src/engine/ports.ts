// src/engine/ports.ts — everything the engine needs from outside, as interfaces. The composition root plugs in the real
// ones; the simulation plugs in its own. Each port has one contract suite under test/contract.
import type { Card, SecurityCode } from '../domain/card-number.ts'
import type { Report, ReportReport } from '../domain/report.ts'
import type { Terminal } from '../domain/terminal.ts'
import type { TerminalTransaction } from '../domain/terminal-transaction.ts'
import type { DeclineReason, TerminalReport } from '../domain/terminal-transaction-events.ts'
import type { AuthenticationProof } from '../domain/three-d-secure.ts'
import type { WaiterAsk, WaiterReply } from './waiter-steps.ts'

/** Time. The store never tells it, and nothing else reads the machine's clock. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Calls back once at or after `at` (epoch milliseconds), never before this call has returned. */
  alarm(at: number, callback: () => void): Alarm
}
export interface Alarm {
  cancel(): void
}

/** Which clock an account lives by. */
export interface Clocks {
  of(account: string): Clock
  /** All accounts live by the same one. */
  readonly shared: boolean
}

/** Chance. */
export interface Random {
  /** `count` unguessable bytes. */
  bytes(count: number): Uint8Array
  /** A UUID. It may begin with the time: who wants a short name cuts it from the end. */
  uuid(): string
}

/** Facts with fields, one line a state change; never a card number, a key or a query string. */
export interface Log {
  info(fields: Record<string, unknown>, message: string): void
  warn(fields: Record<string, unknown>, message: string): void
  error(fields: Record<string, unknown>, message: string): void
}

/** Figures about the engine's work. */
export interface Meters {
  committed(groupSize: number): void
  effectRetried(type: string): void
  transactionStarted(type: string): void
  transactionFinished(type: string, result: string): void
}

// ---------------------------------------------------------------- store

/** Names one record. Every read of a merchant's data begins with the merchant account. */
export interface Key {
  readonly account: string
  readonly kind: string
  readonly id: string
}

export interface StoredRecord extends Key {
  readonly version: number
  /** The record as JSON. */
  readonly body: string
}

export interface StoredEvent {
  /** Place in the feed over all records; given by the store, growing in commit order. */
  readonly cursor: number
  readonly account: string
  readonly kind: string
  readonly id: string
  /** Version of the record that this event made. */
  readonly version: number
  readonly at: number
  readonly type: string
  /** The happening as JSON. */
  readonly body: string
}

export interface StoredEffect extends Key {
  readonly effectId: string
  readonly type: string
  /** The payload as JSON. */
  readonly body: string
}

export interface StoredTimer extends Key {
  readonly name: string
  readonly dueAt: number
}

/** The first answer to a request that bears an Idempotency-Key. */
export interface Idempotency {
  readonly key: string
  /** Hash of what was asked. */
  readonly fingerprint: string
  /** What was answered, as JSON. */
  readonly answer: string
  readonly expiresAt: number
}

/** One change of one record and all that goes with it: written whole or not at all. */
export interface Commit extends Key {
  /** The version the change was decided on; 0: the record must not exist yet. */
  readonly expectedVersion: number
  readonly version: number
  readonly body: string
  /** What the record belongs to inside its account (a transaction's terminal), for lists. */
  readonly parent: string
  /** Whether the record is still going on. Only live records hold their exclusive key. */
  readonly live: boolean
  /** A key only one live record in the whole store may hold, or null. */
  readonly exclusive: string | null
  /** Keys that this record takes for good, alive or not: no other record in the whole store may ever take them. */
  readonly claims?: readonly string[]
  readonly at: number
  readonly events: readonly {
    readonly version: number
    readonly at: number
    readonly type: string
    readonly body: string
  }[]
  readonly effects: readonly { readonly effectId: string; readonly type: string; readonly body: string }[]
  /** Effects that this commit shows to be performed. */
  readonly effectsDone: readonly string[]
  /** All timers of the record from now on; null: they stay as they are. */
  readonly timers: readonly { readonly name: string; readonly dueAt: number }[] | null
  readonly idempotency: Idempotency | null
}

/** Written, or the reason why nothing was. */
export type CommitResult = 'written' | 'version_moved' | 'exclusive_taken' | 'claim_taken' | 'idempotency_key_taken'

export interface ListQuery {
  readonly kind: string
  readonly parent?: string
  readonly live?: boolean
  /** Only records created before this position (from an earlier answer), newest first. */
  readonly before?: number
  readonly limit: number
}

export interface ListedRecord extends StoredRecord {
  /** Grows in order of creation. */
  readonly position: number
}

/** How far a rewrite of stored bodies has got: everything up to `after` is done. */
export interface RewriteProgress {
  readonly after: number
  readonly finished: boolean
}

/** A body in a new form. It is written where the old one still stands. */
export interface BodyChange {
  /** Position of a record or cursor of an event. */
  readonly place: number
  readonly before: string
  readonly body: string
}

/** A part of a rewrite, written whole or not at all, with how far it has got. */
export interface RewriteBatch {
  readonly name: string
  readonly progress: RewriteProgress
  readonly records: readonly BodyChange[]
  readonly events: readonly BodyChange[]
}

export interface Store {
  load(key: Key): Promise<StoredRecord | null>
  /** Resolves when the change is durable on disk, or refused. @throws Fault `store_busy` when its queue is full. */
  commit(commit: Commit): Promise<CommitResult>
  /** Marks effects as performed. Need not be durable at once: an effect may be performed twice. */
  effectsDone(effectIds: readonly string[]): Promise<void>

  list(account: string, query: ListQuery): Promise<readonly ListedRecord[]>
  /** Who holds an exclusive key. */
  holderOf(exclusive: string): Promise<StoredRecord | null>
  /** Who has taken a key for good. */
  claimantOf(claim: string): Promise<StoredRecord | null>
  eventsOf(key: Key): Promise<readonly StoredEvent[]>
  eventsAfter(account: string, cursor: number, limit: number): Promise<readonly StoredEvent[]>
  idempotencyOf(account: string, key: string): Promise<Idempotency | null>

  // For the gateway itself, over all accounts.
  /** All records of a kind, in order of creation; for accounts and for recovery (`live`), not for merchants' requests. */
  all(
    kind: string,
    options: { readonly live?: boolean; readonly after?: number; readonly limit: number },
  ): Promise<readonly ListedRecord[]>
  /** Events over all records, in the order of their cursors. */
  allEvents(after: number, limit: number): Promise<readonly StoredEvent[]>
  /** Null: it has not begun. */
  rewriteProgress(name: string): Promise<RewriteProgress | null>
  /** Rewrites bodies; one that has changed since it was read is left alone. Returns how many were written. */
  rewrite(batch: RewriteBatch): Promise<number>
  undoneEffects(limit: number): Promise<readonly StoredEffect[]>
  /** Timers due at or before `until`, earliest first; of one account, or of all. */
  dueTimers(until: number, limit: number, account?: string): Promise<readonly StoredTimer[]>
  /** When the earliest timer is due, or null. */
  nextTimerAt(): Promise<number | null>
  /**
   * A number that changes when another program (the command line) changes what is stored. At once and cheap: it is asked
   * whenever a copy of what others may change is used.
   */
  outsideChanges(): number
  /**
   * Erases records that are still at this version, with their events, effects and timers; returns how many went. What
   * they had claimed stays taken for good, by nobody.
   */
  erase(records: readonly (Key & { readonly version: number })[]): Promise<number>
  /** Forgets what has expired by `now`; returns how many rows went. */
  forgetExpired(now: number): Promise<number>
  close(): Promise<void>
}

// ---------------------------------------------------------------- online: see online/ports.ts
export type { Courier, ProviderLine, Vault, Wallets } from './online/ports.ts'

// ---------------------------------------------------------------- terminals

/** What every call to a terminal bears. The same `effectId` may come twice and must then have no second effect. */
export interface TerminalCall {
  readonly effectId: string
  readonly terminal: Terminal
  readonly transaction: TerminalTransaction
}

/** A call about a report. */
export interface ReportCall {
  readonly effectId: string
  readonly terminal: Terminal
  readonly report: Report
}

/** How a terminal remembers a transaction or report. `forgotten`: it has no trace of it and will not act on it any more. */
export type TerminalMemory =
  | { readonly state: 'running' }
  | { readonly state: 'ended'; readonly successful: boolean }
  | { readonly state: 'forgotten' }

export interface TerminalPresence {
  readonly paperOut: boolean
  /** A waiter is at work on it: what a till wants has to wait. */
  readonly inUse?: boolean
}

/**
 * Reaches the terminals of one make. Each call resolves once the terminal has taken it and rejects when it could not be
 * reached; all else comes as reports.
 */
export interface TerminalDriver {
  readonly name: string
  /** Who talks to the acquirer. */
  readonly authorisedBy: 'gateway' | 'terminal'
  /** What is known of the line now, without asking. Null: not connected. */
  presence(terminal: Terminal): TerminalPresence | null
  start(call: TerminalCall): Promise<void>
  cancel(call: TerminalCall): Promise<void>
  answerSignature(call: TerminalCall, answer: { readonly accepted: boolean; readonly timedOut: boolean }): Promise<void>
  answerAuthorisation(call: TerminalCall): Promise<void>
  runReport(call: ReportCall): Promise<void>
  /** What the terminal remembers of this transaction or report. Rejects when it cannot be reached. */
  lastTransaction(terminal: Terminal, requestId: string): Promise<TerminalMemory>
  /** Begins to deliver reports. Called once; resolves when all that had piled up before is delivered. */
  listen(sink: TerminalSink): Promise<void>
  close(): Promise<void>
}

/** Where a driver delivers. It resolves once the report is durable (or found late or repeated); until then, deliver again. */
export interface TerminalSink {
  report(report: TerminalDelivery): Promise<void>
  /** The same for a report that runs on the terminal. */
  reportProgress(delivery: ReportDelivery): Promise<void>
  /** The line to a terminal is back, or the terminal was started again: it may have forgotten what it was doing. */
  reconnected(account: string, tid: string): Promise<void>
  /** A waiter at the terminal asks. Asked again, it is the same question. */
  atTable(
    account: string,
    by: { readonly tid: string; readonly waiterId: string },
    question: WaiterAsk,
  ): Promise<WaiterReply>
}

export interface TerminalDelivery {
  readonly account: string
  readonly requestId: string
  /** Counts the deliveries of one transaction from 1. A number that was seen before is a repetition. */
  readonly sequence: number
  /** What happened, in order; taken together. */
  readonly reports: readonly TerminalReport[]
}

/** As `TerminalDelivery`, about a report. */
export interface ReportDelivery {
  readonly account: string
  readonly requestId: string
  readonly sequence: number
  readonly reports: readonly ReportReport[]
}

// ---------------------------------------------------------------- acquirers

export interface AcquirerOrder {
  /** What the acquirer knows this order by. The same id again is the same order and gets the same answer. */
  readonly orderId: string
  readonly account: string
  readonly amountMinor: number
  readonly currency: string
  /** Stands for the card; means something to the acquirer only. */
  readonly cardToken: string
  /** The card itself, where the gateway knows it: online. */
  readonly online?: OnlineCard
}

/** A card that was typed in, saved or lent by a wallet, with what proves that its owner is there. */
export interface OnlineCard {
  readonly card: Card
  /** Null: none was given, or it has been asked about before. */
  readonly securityCode: SecurityCode | null
  readonly proof: AuthenticationProof | null
  /** Of a wallet's device. */
  readonly walletProof: { readonly value: string; readonly eci: string } | null
}

export interface CaptureOrder extends AcquirerOrder {
  /** The code of the first pre-authorisation on the card. */
  readonly authCode: string
  /** Sum of all pre-authorisations as the till knows it; null: not checked. */
  readonly preAuthorisedTotalMinor: number | null
  /** The one hold that is meant, by its order id. Absent at the counter, where one on the same card follows another. */
  readonly holdOrderId?: string
}

/** Approved, declined and unknown are three values. Unknown may be asked again with the same order id. */
export type AcquirerAnswer =
  | { readonly answer: 'approved'; readonly authCode: string; readonly reference: string }
  | { readonly answer: 'declined'; readonly reason: DeclineReason; readonly responseCode: string }
  | { readonly answer: 'unknown' }

export interface Acquirer {
  readonly name: string
  /** `charge` takes the money, `hold` reserves it for a capture. */
  authorise(order: AcquirerOrder, purpose: 'charge' | 'hold'): Promise<AcquirerAnswer>
  /** Takes money out of a hold and releases the rest of it. */
  capture(order: CaptureOrder): Promise<AcquirerAnswer>
  refund(order: AcquirerOrder): Promise<AcquirerAnswer>
  /** Checks a card; no money moves. */
  verify(order: AcquirerOrder): Promise<AcquirerAnswer>
  /**
   * Undoes an order, whether or not it ever arrived: after `reversed` it has no effect and never will, even if the
   * order itself comes later. Undoing twice is the same as once.
   */
  reverse(reversal: { readonly orderId: string; readonly account: string }): Promise<'reversed' | 'unknown'>
}
