// src/simulator/terminals/screens.ts — types of a simulated terminal's screen and keys.
import type { ReportType } from '../../domain/reports/report.ts'
import type { BillLine } from '../../domain/tables/table.ts'

/** A key press at a simulated terminal. */
export type ScreenKey =
  | { readonly key: 'present_card'; readonly card: string; readonly how: 'tap' | 'insert' | 'swipe' | 'keyed' }
  | { readonly key: 'pin'; readonly digits: string }
  | { readonly key: 'gratuity'; readonly amountMinor: number }
  | { readonly key: 'remove_card' }
  | { readonly key: 'cancel' }
  | { readonly key: 'unplug' }
  | { readonly key: 'plug_in' }
  | { readonly key: 'take_paper_out' }
  | { readonly key: 'put_paper_in' }
  | WaiterKey

/** A waiter's key press. */
export type WaiterKey =
  /** Starts a session. `waiterId` is empty when the terminal does not ask for it. */
  | { readonly key: 'waiter'; readonly waiterId: string }
  | { readonly key: 'choose_table'; readonly table: string }
  | { readonly key: 'print_bill' }
  | { readonly key: 'split_equally'; readonly shares: number }
  /** The rest is the last share. */
  | { readonly key: 'split_amounts'; readonly amountsMinor: readonly number[] }
  /** For each item of the bill, the guests (from 0) who share it. */
  | { readonly key: 'split_items'; readonly guests: number; readonly items: readonly (readonly number[])[] }
  /** By card. Without an amount: the next share, or the open amount. */
  | { readonly key: 'pay'; readonly amountMinor?: number }
  /** By other means, which is only recorded. */
  | { readonly key: 'pay_other'; readonly amountMinor?: number }
  /** Whether the signature on the slip matches the card. */
  | { readonly key: 'signature'; readonly accepted: boolean }
  | { readonly key: 'leave' }
  | { readonly key: 'run_report'; readonly reportType: ReportType }

/** The screen of a simulated terminal. */
export interface ScreenView {
  readonly connected: boolean
  /** Lines of the display, top first. */
  readonly lines: readonly string[]
  /** Keys that have an effect now. */
  readonly keys: readonly ScreenKey['key'][]
  readonly cardInSlot: boolean
  readonly paper: boolean
  /** The running transaction or report, or null. */
  readonly requestId: string | null
  /** The waiter's session, or null. */
  readonly waiter: WaiterView | null
  /** Why the last waiter script stopped before its end. Absent when it did not. */
  readonly scriptStopped?: string
}

/** State of a waiter's session. Amounts in minor units. */
export interface WaiterView {
  readonly waiterId: string
  /** Tables to choose from. */
  readonly tables: readonly string[]
  readonly table: string | null
  readonly openMinor: number
  /** Unpaid shares; empty when the bill is not split. */
  readonly shares: readonly number[]
  /** Items of the bill, for a split by item. */
  readonly items: readonly { readonly text: string; readonly amountMinor: number }[]
  /** Last print. */
  readonly printed: readonly BillLine[]
  readonly message: string
}

/** A test card of the sandbox. Public test data. */
export interface TestCardView {
  readonly card: string
  readonly name: string
  readonly scheme: string
  readonly maskedNumber: string
  readonly how: readonly ('tap' | 'insert' | 'swipe' | 'keyed')[]
  /** The correct PIN; empty for a card without one. */
  readonly pin: string
  /** The issuer's answer. */
  readonly answer: string
}
