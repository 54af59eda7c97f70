// web/console/parts/receipt.tsx — a receipt as paper.
import { Text } from './scrolling.tsx'

export interface ReceiptLine {
  readonly value: string
  readonly type: string
  readonly format?: readonly string[]
}

export function Receipt({ title, lines }: { readonly title: string; readonly lines: readonly ReceiptLine[] }) {
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
