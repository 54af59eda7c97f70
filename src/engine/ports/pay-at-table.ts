// src/engine/ports/pay-at-table.ts — what a terminal with a waiter asks the gateway, and what it hears. Each step may be asked
// again after a crash of either side, and is then the same step. Terminal reference 10.7.
import type { RequestId, TableId, TablePaymentId } from '../../domain/ids.ts'
import type { TerminalCurrency } from '../../domain/money.ts'
import type { ReportType } from '../../domain/reports/report.ts'
import type { BillLine, DropReason } from '../../domain/tables/table.ts'

/** A table that the terminal holds. */
export interface HeldTable {
  readonly tableId: TableId
  readonly name: string
  readonly currency: TerminalCurrency
  /** What is neither paid nor being paid, minor units. */
  readonly openMinor: number
  /** The bill as far as it is known here. */
  readonly bill: readonly BillLine[]
}

/** A share that is to be paid, or was paid by other means. Amounts are minor units. */
export interface Share {
  /** Given by the terminal, unguessable: the same again is the same share. */
  readonly paymentId: TablePaymentId
  readonly amountMinor: number
  readonly gratuityMinor: number
}

export type PayAtTableRequest =
  | { readonly ask: 'tables' }
  | { readonly ask: 'hold'; readonly table: string }
  | { readonly ask: 'bill'; readonly tableId: TableId; readonly which: 'before' | 'final' }
  | ({ readonly ask: 'pay'; readonly tableId: TableId } & Share)
  | ({ readonly ask: 'pay_other'; readonly tableId: TableId } & Share)
  /** What has become of a share. */
  | { readonly ask: 'look'; readonly tableId: TableId; readonly paymentId: TablePaymentId }
  /** The waiter has looked at the signature of a payment. */
  | { readonly ask: 'sign'; readonly tableId: TableId; readonly requestId: RequestId; readonly accepted: boolean }
  | { readonly ask: 'let_go'; readonly tableId: TableId }
  | { readonly ask: 'report'; readonly reportId: string; readonly reportType: ReportType }

export type PayAtTableReply =
  | { readonly reply: 'tables'; readonly names: readonly string[] }
  | { readonly reply: 'held'; readonly held: HeldTable }
  | { readonly reply: 'bill'; readonly lines: readonly BillLine[] }
  /** A transaction with this id comes to the terminal. */
  | { readonly reply: 'started'; readonly requestId: RequestId }
  | { readonly reply: 'settled'; readonly taken: boolean; readonly why: DropReason | null; readonly openMinor: number }
  | { readonly reply: 'done' }
  /** It does not go: the sentence is for the display. */
  | { readonly reply: 'refused'; readonly says: string }
  /** It is not known yet: ask again in a moment. */
  | { readonly reply: 'later' }
