// bench/report.ts — the printed table.
import type { Plan } from './run.ts'

export interface Row {
  readonly figure: string
  readonly reached: number
  /** How to read it: a ratio, megabytes, milliseconds. */
  readonly unit: 'ratio' | 'times slower' | 'MB' | 'kB' | 'ms'
  readonly bar: number | null
  readonly goal: number | null
  readonly detail: string
}

/** Figures of which less is better. */
const LESS: ReadonlySet<Row['unit']> = new Set(['times slower', 'MB', 'kB', 'ms'])

export function tableOf(
  rows: readonly Row[],
  { machine, date, plan }: { readonly machine: string; readonly date: Date; readonly plan: Plan },
): string {
  const lines = rows.map(row => {
    const { figure, reached, unit, bar, goal, detail } = row
    return `| ${figure} | ${shown(reached, unit)} | ${shown(bar, unit)} | ${shown(goal, unit)} | ${verdictOf(row)} | ${detail} |`
  })
  return `# Benchmark results

${date.toISOString().slice(0, 10)}, ${machine}. \`npm run bench\`: ${plan.rounds} interleaved rounds of ${plan.roundMs} ms over
${plan.connections} connections on 127.0.0.1, medians of the ratios of each round. Each server runs in a process of its own from
the built program, the load in another; all share the processors. Logs of the gateway go to a file at their default level
(one line a state change, none for reads); the others log nothing.

| Figure | Reached | Bar | Goal | | Detail |
|---|---|---|---|---|---|
${lines.join('\n')}
`
}

function shown(value: number | null, unit: Row['unit']): string {
  if (value === null) return ''
  return unit === 'ratio'
    ? value.toFixed(2)
    : unit === 'times slower'
      ? `${value.toFixed(2)}×`
      : `${Math.round(value)} ${unit}`
}

function verdictOf({ reached, unit, bar, goal }: Row): string {
  const meets = (wanted: number) => (LESS.has(unit) ? reached <= wanted : reached >= wanted)
  if (goal !== null && meets(goal)) return 'goal'
  if (bar !== null) return meets(bar) ? 'bar' : 'not reached'
  return ''
}
