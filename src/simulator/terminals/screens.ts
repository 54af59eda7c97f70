// src/simulator/terminals/screens.ts — simulated terminals as people see them, and what people do at them.
import type { ReportType } from '../../domain/reports/report.ts'
import type { BillLine } from '../../domain/tables/table.ts'

/** What a person can do at a simulated terminal. */
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

/** What a waiter does at it. Terminal reference 10.7. */
export type WaiterKey =
  /** Begins: who is it? Empty where the terminal does not ask. */
  | { readonly key: 'waiter'; readonly waiterId: string }
  | { readonly key: 'choose_table'; readonly table: string }
  | { readonly key: 'print_bill' }
  | { readonly key: 'split_equally'; readonly shares: number }
  /** The rest is the last share. */
  | { readonly key: 'split_amounts'; readonly amountsMinor: readonly number[] }
  /** For each item of the bill, the guests (from 0) who share it. */
  | { readonly key: 'split_items'; readonly guests: number; readonly items: readonly (readonly number[])[] }
  /** By card; without an amount the next share, or all of it. */
  | { readonly key: 'pay'; readonly amountMinor?: number }
  /** By other means: it is only recorded. */
  | { readonly key: 'pay_other'; readonly amountMinor?: number }
  /** Whether the signature on the slip is that on the card. */
  | { readonly key: 'signature'; readonly accepted: boolean }
  | { readonly key: 'leave' }
  | { readonly key: 'run_report'; readonly reportType: ReportType }

/** What a person sees on a simulated terminal. */
export interface ScreenView {
  readonly connected: boolean
  /** The text on the display, top line first. */
  readonly lines: readonly string[]
  /** The keys that do something now. */
  readonly keys: readonly ScreenKey['key'][]
  readonly cardInSlot: boolean
  readonly paper: boolean
  /** The transaction on the terminal, or null. */
  readonly requestId: string | null
  /** The waiter at it, or null. */
  readonly waiter: WaiterView | null
}

/** Where a waiter stands. Amounts are minor units. */
export interface WaiterView {
  readonly waiterId: string
  /** To choose from. */
  readonly tables: readonly string[]
  readonly table: string | null
  readonly openMinor: number
  /** What the guests have still to pay; empty when it is not split. */
  readonly shares: readonly number[]
  /** The items of the bill, for a split by them. */
  readonly items: readonly { readonly text: string; readonly amountMinor: number }[]
  /** What came out of the printer last. */
  readonly printed: readonly BillLine[]
  readonly message: string
}

/** A card in the drawer of the sandbox. Public test data. */
export interface TestCardView {
  readonly card: string
  readonly name: string
  readonly scheme: string
  readonly maskedNumber: string
  readonly how: readonly ('tap' | 'insert' | 'swipe' | 'keyed')[]
  /** The right PIN, or empty when the card has none. */
  readonly pin: string
  /** What its issuer says. */
  readonly answer: string
}
