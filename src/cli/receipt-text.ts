// src/cli/receipt-text.ts — renders a receipt as framed text.
import { RECEIPT_COLUMNS, type ReceiptLine } from '../domain/receipt.ts'

const BOLD = ['\u001b[1m', '\u001b[22m'] as const

/** Renders the lines of a receipt. Empty without lines. @param colourful show bold lines by escape sequences */
export function receiptText(lines: readonly ReceiptLine[], colourful = false): string {
  if (lines.length === 0) return ''
  const rule = '─'.repeat(RECEIPT_COLUMNS + 2)
  const rows = lines.flatMap(rowsOf).map(({ text, bold }) => {
    const [on, off] = bold && colourful ? BOLD : (['', ''] as const)
    return `│ ${on}${text.padEnd(RECEIPT_COLUMNS)}${off} │`
  })
  return [`┌${rule}┐`, ...rows, `└${rule}┘`].join('\n')
}

interface Row {
  readonly text: string
  readonly bold: boolean
}

function rowsOf({ value, type, format = [] }: ReceiptLine): readonly Row[] {
  switch (type) {
    case 'TEXT': {
      // A double-width character takes two columns.
      const text = format.includes('DOUBLE_WIDTH') ? [...value].join(' ') : value
      return [{ text, bold: format.length > 0 }]
    }
    case 'CARRIAGE_RETURN':
      return [{ text: '', bold: false }]
    case 'LINE_SEPARATOR_SINGLE':
      return [{ text: '─'.repeat(RECEIPT_COLUMNS), bold: false }]
    case 'LINE_SEPARATOR_DOUBLE':
      return [{ text: '═'.repeat(RECEIPT_COLUMNS), bold: false }]
    case 'BOX_DECLINE':
      return boxed(value || 'DECLINED')
    case 'BOX_VOID':
      return boxed(value || 'VOID')
    case 'TICKET_FEED':
      return [{ text: '- '.repeat(RECEIPT_COLUMNS / 2), bold: false }]
  }
}

function boxed(words: string): readonly Row[] {
  const width = RECEIPT_COLUMNS - 2
  const left = Math.floor((width + words.length) / 2)
  return [`╔${'═'.repeat(width)}╗`, `║${words.padStart(left).padEnd(width)}║`, `╚${'═'.repeat(width)}╝`].map(text => ({
    text,
    bold: true,
  }))
}
