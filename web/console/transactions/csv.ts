// web/console/transactions/csv.ts — rows as CSV that spreadsheets read, and do not run.

export interface Column<Row> {
  readonly name: string
  /** A cell; null is an empty one. */
  of(row: Row): string | number | null
}

/** What a spreadsheet takes for a formula at the start of a cell; with wide forms and line breaks, which some skip. */
const FORMULA = /^\s*[=+\-@＝＋－＠\t\r]/

/** CSV by RFC 4180, with a byte order mark: without it spreadsheets guess the encoding. */
export function csvOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = [columns.map(({ name }) => name), ...rows.map(row => columns.map(column => column.of(row)))]
  return `\uFEFF${lines.map(cells => `${cells.map(cellOf).join(',')}\r\n`).join('')}`
}

/** One cell. A text that begins like a formula gets an apostrophe before it, which spreadsheets take for "this is text". */
export function cellOf(value: string | number | null): string {
  if (value === null) return ''
  const text = typeof value === 'string' && isFormula(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A negative amount is a number, not a formula. */
function isFormula(text: string): boolean {
  return FORMULA.test(text) && !/^-?\d+(\.\d+)?$/.test(text)
}
