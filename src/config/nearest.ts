// src/config/nearest.ts — finds the word most similar to a misspelt one.

/** Returns the word with the smallest edit distance, the first of several. Empty text without words. */
export function nearestOf(written: string, words: readonly string[]): string {
  const [first = '', ...others] = words
  return others.reduce((best, word) => (distance(written, word) < distance(written, best) ? word : best), first)
}

/** Levenshtein distance: insertions, deletions and substitutions. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const above = row
    row = [index + 1]
    for (const [column, otherLetter] of [...other].entries()) {
      const exchanged = (above[column] ?? 0) + (letter === otherLetter ? 0 : 1)
      row.push(Math.min(exchanged, (above[column + 1] ?? 0) + 1, (row[column] ?? 0) + 1))
    }
  }
  return row[other.length] ?? 0
}
