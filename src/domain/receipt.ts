// src/domain/receipt.ts — receipts: lists of lines that a till can print unchanged.

export const LINE_TYPES = [
  'TEXT',
  'BOX_DECLINE',
  'BOX_VOID',
  'CARRIAGE_RETURN',
  'LINE_SEPARATOR_SINGLE',
  'LINE_SEPARATOR_DOUBLE',
  'TICKET_FEED',
] as const
export type LineType = (typeof LINE_TYPES)[number]

export const LINE_FORMATS = ['BOLD', 'DOUBLE_HEIGHT', 'DOUBLE_WIDTH'] as const
export type LineFormat = (typeof LINE_FORMATS)[number]

export interface ReceiptLine {
  readonly value: string
  readonly type: LineType
  readonly format?: readonly LineFormat[]
}

/** Both copies. A missing copy is an empty list. */
export interface Receipts {
  readonly MERCHANT: readonly ReceiptLine[]
  readonly CUSTOMER: readonly ReceiptLine[]
}

export const NO_RECEIPTS: Receipts = { MERCHANT: [], CUSTOMER: [] }

/** Characters per line; half as many for DOUBLE_WIDTH. */
export const RECEIPT_COLUMNS = 24
