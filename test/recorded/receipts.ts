// test/recorded/receipts.ts — leaves out receipt lines that another exchange records.

const RECEIPTS = /^receipt(?:s|Lines)$/

/** The body with the number of receipt lines instead of the lines. */
export function withoutReceipts(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withoutReceipts)
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, RECEIPTS.test(name) ? counted(value) : withoutReceipts(value)]),
  )
}

function counted(receipt: unknown): unknown {
  if (Array.isArray(receipt)) return `${receipt.length} lines`
  if (typeof receipt !== 'object' || receipt === null) return receipt
  return Object.fromEntries(Object.entries(receipt).map(([copy, lines]) => [copy, counted(lines)]))
}
