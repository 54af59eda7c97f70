// src/engine/ports/terminal.ts — reaches the terminals of one make.

import type { TObject } from 'typebox'
import type { Terminal } from '../../domain/accounts/terminal.ts'
import type { CardholderVerificationMethod, PaymentMethod } from '../../domain/card.ts'
import type { ChipData, PinBlock } from '../../domain/chip-data.ts'
import type { TerminalTransaction } from '../../domain/counter/transaction.ts'
import type { TerminalReport } from '../../domain/counter/transaction-events.ts'
import type { EffectId, MerchantAccountId, RequestId, TerminalId } from '../../domain/ids.ts'
import type { Report, ReportReport } from '../../domain/reports/report.ts'
import type { PayAtTableReply, PayAtTableRequest } from './pay-at-table.ts'

/** What every call to a terminal bears. The same `effectId` may come twice and must then have no second effect. */
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

/** What terminals of a make can read and how they can tell that the cardholder is the right one. */
export interface TerminalCapabilities {
  readonly reads: readonly Exclude<PaymentMethod, 'UNKNOWN'>[]
  readonly verifies: readonly Exclude<CardholderVerificationMethod, 'UNKNOWN'>[]
}

/** What is known of a make without opening it. */
export interface TerminalMake {
  readonly name: string
  /** Told to acquirers. Absent: nothing is said of them. */
  readonly capabilities?: TerminalCapabilities
  /**
   * What it must know of each terminal: an object of texts, numbers and booleans. A text with `writeOnly: true` is a secret:
   * it is sealed in the vault and never shown. Absent: nothing. `openDriverSettings` reads them.
   */
  readonly settings?: TObject
}

/**
 * Reaches the terminals of one make. Each call resolves once the terminal has taken it and rejects when it could not be
 * reached; all else comes as reports.
 */
export interface TerminalDriver extends TerminalMake {
  /** Who talks to the acquirer. */
  readonly authorisedBy: 'gateway' | 'terminal'
  /** What is known of the line now, without asking. Null: not connected. */
  presence(terminal: Terminal): TerminalPresence | null
  start(call: TerminalCall): Promise<void>
  cancel(call: TerminalCall): Promise<void>
  answerSignature(call: TerminalCall, answer: { readonly accepted: boolean; readonly timedOut: boolean }): Promise<void>
  /**
   * Tells the terminal what has become of its request: `transaction.authorisation` is approved, declined, or neither (it is
   * being reversed or is reversed), and then no approval will come.
   */
  answerAuthorisation(call: TerminalCall): Promise<void>
  runReport(call: ReportCall): Promise<void>
  /** What the terminal remembers of this transaction or report. Rejects when it cannot be reached. */
  lastTransaction(terminal: Terminal, requestId: RequestId): Promise<TerminalMemory>
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
  reconnected(account: MerchantAccountId, tid: TerminalId): Promise<void>
  /** A waiter at the terminal asks. Asked again, it is the same question. */
  atTable(
    account: MerchantAccountId,
    by: { readonly tid: TerminalId; readonly waiterId: string },
    question: PayAtTableRequest,
  ): Promise<PayAtTableReply>
}

/** What only the acquirer may see of a card. It travels beside the reports, which are stored. ADR 47. */
export interface CardData {
  readonly chip: ChipData | null
  readonly pin: PinBlock | null
}

export interface TerminalDelivery {
  readonly account: MerchantAccountId
  readonly requestId: RequestId
  /** Counts the deliveries of one transaction from 1. A number that was seen before is a repetition. */
  readonly sequence: number
  /** What happened, in order; taken together. */
  readonly reports: readonly TerminalReport[]
  /** With the report `authorisation_requested`, where the gateway asks the acquirer. A repetition bears it too. */
  readonly cardData?: CardData
}

/** As `TerminalDelivery`, about a report. */
export interface ReportDelivery {
  readonly account: MerchantAccountId
  readonly requestId: RequestId
  readonly sequence: number
  readonly reports: readonly ReportReport[]
}
