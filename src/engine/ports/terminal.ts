// src/engine/ports/terminal.ts — port: drives the terminals of one make and receives their reports.

import type { TObject } from 'typebox'
import type { Terminal } from '../../domain/accounts/terminal.ts'
import type { CardholderVerificationMethod, PaymentMethod } from '../../domain/card.ts'
import type { ChipData, PinBlock } from '../../domain/chip-data.ts'
import type { TerminalTransaction } from '../../domain/counter/transaction.ts'
import type { AuthorisationAnswer, TerminalReport } from '../../domain/counter/transaction-events.ts'
import type { EffectId, MerchantAccountId, RequestId, TerminalId } from '../../domain/ids.ts'
import type { Report, ReportReport } from '../../domain/reports/report.ts'
import type { PayAtTableReply, PayAtTableRequest } from './pay-at-table.ts'

/** Arguments of every call about a transaction. A call may repeat its `effectId`; the driver must then do nothing again. */
export interface TerminalCall {
  readonly effectId: EffectId
  readonly terminal: Terminal
  readonly transaction: TerminalTransaction
}

/** A call about a report. */
export interface ReportCall {
  readonly effectId: EffectId
  readonly terminal: Terminal
  readonly report: Report
}

/** State of a transaction or report on its terminal. `forgotten`: the terminal has no trace of it and will not act on it. */
export type TerminalMemory =
  | { readonly state: 'running' }
  | { readonly state: 'ended'; readonly successful: boolean }
  | { readonly state: 'forgotten' }

export interface TerminalPresence {
  readonly paperOut: boolean
  /** A waiter is using it: requests of a till have to wait. */
  readonly inUse?: boolean
}

/** How terminals of a make read cards and verify cardholders. */
export interface TerminalCapabilities {
  readonly reads: readonly Exclude<PaymentMethod, 'UNKNOWN'>[]
  readonly verifies: readonly Exclude<CardholderVerificationMethod, 'UNKNOWN'>[]
}

/** The facts about a make that are known without opening a driver. */
export interface TerminalMake {
  readonly name: string
  /** Sent to acquirers; absent when not known. */
  readonly capabilities?: TerminalCapabilities
  /**
   * How long a transaction may take there without a fault, in milliseconds: its time limit is never less. Absent when the
   * gateway's own limit is enough.
   */
  readonly longestTransactionMs?: number
  /**
   * Schema of its settings for each terminal: an object of strings, numbers and booleans. A string with `writeOnly: true` is
   * a secret: it is encrypted in the vault and never shown. A function chooses it by what is given, where there are several ways
   * to connect. Absent when it has no settings. Read with `openDriverSettings`.
   */
  readonly settings?: TObject | ((given: Readonly<Record<string, unknown>>) => TObject)
}

/** A notification that a terminal, or its provider, has posted to the gateway. */
export interface PostedNotification {
  /** The `Authorization` header; null when there is none. */
  readonly authorization: string | null
  /** The body. */
  readonly text: string
}

/**
 * Drives the terminals of one make. Each call resolves once the terminal has accepted it and rejects when the terminal
 * cannot be reached. Everything else arrives as reports.
 */
export interface TerminalDriver extends TerminalMake {
  /** Which side talks to the acquirer. */
  readonly authorisedBy: 'gateway' | 'terminal'
  /** The known state of the connection, without a call to the terminal. Null when not connected. */
  presence(terminal: Terminal): TerminalPresence | null
  start(call: TerminalCall): Promise<void>
  cancel(call: TerminalCall): Promise<void>
  /** Sends the decision on the signature. A terminal that does not wait for it ignores it. */
  answerSignature(call: TerminalCall, answer: { readonly accepted: boolean; readonly timedOut: boolean }): Promise<void>
  /**
   * Sends the terminal the answer to its authorisation. `too_late`: the gateway has given the transaction up, nothing was
   * charged, and no approval follows; the terminal says so and ends without success. A terminal that does not wait for the
   * answer ignores it: it had an earlier one, or has forgotten the transaction.
   */
  answerAuthorisation(call: TerminalCall, answer: AuthorisationAnswer): Promise<void>
  runReport(call: ReportCall): Promise<void>
  /**
   * Takes a notification that was posted for this terminal. `refused`: its sender has not proved who it is. Rejects when its reports were
   * not taken; the sender then repeats it. Absent when terminals of this make post nothing.
   */
  takeNotification?(terminal: Terminal, posted: PostedNotification): Promise<'taken' | 'refused'>
  /** Asks the terminal for the state of this transaction or report. Rejects when it cannot be reached. */
  lastTransaction(terminal: Terminal, requestId: RequestId): Promise<TerminalMemory>
  /**
   * Starts delivering reports of the terminals whose accounts this process serves. Called once; resolves when the backlog is
   * delivered.
   * @param serves absent for all accounts
   */
  listen(sink: TerminalSink, serves?: (account: MerchantAccountId) => boolean): Promise<void>
  /**
   * `serves` answers otherwise now: the driver connects to the terminals of new accounts, and leaves those that another node
   * serves. Resolves when the backlog of the new ones is delivered. Absent when one process serves all.
   */
  servesOthers?(): Promise<void>
  close(): Promise<void>
}

/** Receives a driver's reports. Resolves once the report is durable, or dropped as late or repeated. Retry until then. */
export interface TerminalSink {
  report(report: TerminalDelivery): Promise<void>
  /** Progress of a report (an end-of-day report, say) that runs on the terminal. */
  reportProgress(delivery: ReportDelivery): Promise<void>
  /** The terminal has reconnected or restarted: it may have lost what it was doing. */
  reconnected(account: MerchantAccountId, tid: TerminalId): Promise<void>
  /** A pay-at-table request of a waiter at the terminal. Idempotent. */
  atTable(
    account: MerchantAccountId,
    by: { readonly tid: TerminalId; readonly waiterId: string },
    question: PayAtTableRequest,
  ): Promise<PayAtTableReply>
}

/** Card data that only the acquirer may see. It is kept out of the reports, because those are stored. ADR 47. */
export interface CardData {
  readonly chip: ChipData | null
  readonly pin: PinBlock | null
}

export interface TerminalDelivery {
  readonly account: MerchantAccountId
  readonly requestId: RequestId
  /**
   * Rises with each delivery of one transaction, from 1. A number that is known, or lower than a known one, is a repetition. There are gaps
   * where a terminal does not report every step.
   */
  readonly sequence: number
  /** The reports in order; processed together. */
  readonly reports: readonly TerminalReport[]
  /** Present with the report `authorisation_requested` when the gateway asks the acquirer; in repetitions too. */
  readonly cardData?: CardData
}

/** Like `TerminalDelivery`, for a report that runs on the terminal. */
export interface ReportDelivery {
  readonly account: MerchantAccountId
  readonly requestId: RequestId
  readonly sequence: number
  readonly reports: readonly ReportReport[]
}

/**
 * Kinds of records in which drivers and acquirers note what they have asked of others. They have no events. Snapshots of a sandbox leave
 * them unchanged: what a real terminal or host was asked for does not unhappen.
 */
export const EXCHANGE_KINDS = ['nexo-exchange', 'nexo-report', 'iso8583-order'] as const
export type ExchangeKind = (typeof EXCHANGE_KINDS)[number]
