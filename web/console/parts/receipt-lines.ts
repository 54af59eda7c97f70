// web/console/parts/receipt-lines.ts — receipts as `/pac` has them.

export interface ReceiptLine {
  readonly value: string
  readonly type: string
  readonly format?: readonly string[]
}

/** Both copies, as `/pac` has them; a copy that was not printed is absent. */
export interface ReceiptLines {
  readonly CUSTOMER?: readonly ReceiptLine[]
  readonly MERCHANT?: readonly ReceiptLine[]
}
