// test/recorded/receipts.ts — leaves the lines of receipts out where they were recorded before.

const RECEIPTS = /^receipt(?:s|Lines)$/

/** A body with the number of lines instead of the lines. */
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
