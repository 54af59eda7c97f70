// bench/run.ts — every figure the README speaks of, measured against something honest in the same run. `npm run bench`
// writes the table to bench/RESULTS.md; `npm run bench -- --quick` is a short look and writes nothing.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryRows, startRow } from './at-rest.ts'
import { readRows, writeRows } from './figures.ts'
import { type Row, tableOf } from './report.ts'
import { storedRows } from './stored.ts'

export interface Plan {
  readonly rounds: number
  readonly roundMs: number
  readonly connections: number
  /** Terminals for sales: one each, for all rounds. */
  readonly terminals: number
  /** Transactions in the full store. */
  readonly stored: number
  readonly directory: () => string
}

const quick = process.argv.includes('--quick')
const root = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
let made = 0

const plan: Plan = {
  rounds: quick ? 3 : 9,
  roundMs: quick ? 300 : 600,
  connections: 32,
  terminals: quick ? 12_000 : 45_000,
  stored: Number(process.env['BENCH_STORED'] ?? (quick ? 20_000 : 1_000_000)),
  directory: () => join(root, String(made++)),
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

try {
  const rows: Row[] = []
  for (const [name, measure] of [
    ['reads', readRows],
    ['sales', writeRows],
    ['full store', storedRows],
    ['memory', memoryRows],
    ['start', startRow],
  ] as const) {
    say(`measuring ${name} …`)
    rows.push(...(await measure(plan)))
  }
  const [cpu] = cpus()
  const machine = `${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, Node ${process.version}`
  const text = tableOf(rows, { machine, date: new Date(), plan })
  say(text)
  if (!quick) writeFileSync(new URL('RESULTS.md', import.meta.url), text)
} finally {
  rmSync(root, { recursive: true, force: true })
}
