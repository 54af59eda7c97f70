// bench/results.ts — formats the results as a Markdown table.
import type { Row } from './figure.ts'

export interface Occasion {
  readonly date: Date
  readonly machine: string
  /** How each figure was measured. */
  readonly conditions: readonly string[]
}

const HEAD = ['Figure', 'Median (quartiles)', 'Bar', '', 'How'] as const

/** The table with its explanations, as Markdown. */
export function resultsText(rows: readonly Row[], { date, machine, conditions }: Occasion): string {
  const cells = rows.map(({ what, reached, bar, verdict, detail }) => [what, reached, bar, verdict, detail])
  const lines = [HEAD, HEAD.map(() => '---'), ...cells].map(line => `| ${line.join(' | ')} |`)
  return [
    '# Benchmark results',
    '',
    `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${machine}.`,
    '',
    'Made by `npm run bench`. Each server runs in a process of its own and the load in another, all on 127.0.0.1 and on the',
    'same processors, none of them pinned. The sides of a comparison take turns, round by round; a ratio is the median of',
    'those within a round (a quarter and three quarters of them in brackets). `31,000/s at 22 µs` is requests a second and',
    'processor time a request, of the whole process.',
    '',
    ...conditions.map(condition => `- ${condition}`),
    '',
    ...lines,
    '',
  ].join('\n')
}
