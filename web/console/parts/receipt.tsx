// web/console/parts/receipt.tsx — receipts as paper.
import type { ReceiptLine, ReceiptLines } from './receipt-lines.ts'
import { Text } from './scrolling.tsx'

export function Receipts({ of }: { readonly of: ReceiptLines | undefined }) {
  const { CUSTOMER = [], MERCHANT = [] } = of ?? {}
  return (
    <div class="receipts">
      {CUSTOMER.length > 0 && <Receipt title="For the customer" lines={CUSTOMER} />}
      {MERCHANT.length > 0 && <Receipt title="For the merchant" lines={MERCHANT} />}
    </div>
  )
}

function Receipt({ title, lines }: { readonly title: string; readonly lines: readonly ReceiptLine[] }) {
  return (
    <figure class="receipt">
      <figcaption>{title}</figcaption>
      <Text>
        {lines.map((line, index) => (
          <span
            key={`${index} ${line.value}`}
            class={(line.format ?? []).map(format => format.toLowerCase()).join(' ')}
          >
            {textOf(line)}
            {'\n'}
          </span>
        ))}
      </Text>
    </figure>
  )
}

function textOf({ value, type }: ReceiptLine): string {
  if (type === 'LINE_SEPARATOR_SINGLE') return '-'.repeat(24)
  if (type === 'LINE_SEPARATOR_DOUBLE') return '='.repeat(24)
  return value
}
