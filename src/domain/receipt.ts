// src/domain/receipt.ts — a receipt is a list of lines that a till can print as they are.

export type LineType =
  | 'TEXT'
  | 'BOX_DECLINE'
  | 'BOX_VOID'
  | 'CARRIAGE_RETURN'
  | 'LINE_SEPARATOR_SINGLE'
  | 'LINE_SEPARATOR_DOUBLE'
  | 'TICKET_FEED'
export type LineFormat = 'BOLD' | 'DOUBLE_HEIGHT' | 'DOUBLE_WIDTH'

export interface ReceiptLine {
  readonly value: string
  readonly type: LineType
  readonly format?: readonly LineFormat[]
}

/** Both copies. A copy that was not printed is an empty list. */
export interface Receipts {
  readonly MERCHANT: readonly ReceiptLine[]
  readonly CUSTOMER: readonly ReceiptLine[]
}

export const NO_RECEIPTS: Receipts = { MERCHANT: [], CUSTOMER: [] }

/** Characters in a line; half of it for DOUBLE_WIDTH. */
export const RECEIPT_COLUMNS = 24
