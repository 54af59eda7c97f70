// src/cli/columns.ts — formats rows of text in aligned columns.

/** Formats headings and rows. Columns are as wide as their widest cell, two blanks apart. */
export function tableOf(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings.map(heading => heading.toUpperCase()), ...rows]
  const widths = headings.map((_, column) => Math.max(...all.map(row => (row[column] ?? '').length)))
  return all
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
