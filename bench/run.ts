// bench/run.ts — measures every figure of the README against a reference in the same run. `npm run bench` prints the table
// and writes it to bench/RESULTS.md. `npm run bench -- --quick` is a short run that is not written; names (`npm run bench --
// sales`) choose figures. BENCH_STORED is the size of the large database.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { buildParts } from './build-parts.ts'
import type { Bench, Row } from './figure.ts'
import { connectors } from './figures/connectors.ts'
import { lists } from './figures/lists.ts'
import { memory } from './figures/memory.ts'
import { nexo } from './figures/nexo.ts'
import { nodes } from './figures/nodes.ts'
import { online } from './figures/online.ts'
import { polling } from './figures/polling.ts'
import { sales } from './figures/sales.ts'
import { sockets } from './figures/sockets.ts'
import { start } from './figures/start.ts'
import { stored } from './figures/stored.ts'
import { tills } from './figures/tills.ts'
import { resultsText } from './results.ts'
import { stopAll } from './server-process.ts'

const FIGURES = [polling, sales, stored, lists, sockets, tills, online, memory, start, connectors, nexo, nodes]
const RESULTS = new URL('RESULTS.md', import.meta.url)

const wanted = process.argv.slice(2).filter(argument => !argument.startsWith('-'))
const unknown = wanted.filter(name => !FIGURES.some(figure => figure.name === name))
if (unknown.length > 0) throw new Error(`no figure is called ${unknown.join(' or ')}`)
const figures = FIGURES.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
const quick = process.argv.includes('--quick')
const bench: Bench = {
  quick,
  directory: mkdtempSync(join(tmpdir(), 'tollgate-bench-')),
  stored: Number(process.env['BENCH_STORED'] ?? (quick ? 20_000 : 1_000_000)),
  say: text => void process.stderr.write(`${Math.round(performance.now() / 1_000)} s  ${text}\n`),
}

try {
  await buildParts()
  const rows: Row[] = []
  for (const figure of figures) {
    bench.say(`measuring ${figure.name}`)
    rows.push(...(await figure.run(bench)))
  }
  const conditions = figures.map(figure => figure.conditions)
  const text = resultsText(rows, { date: new Date(), machine: machine(), conditions })
  process.stdout.write(text)
  if (!quick && figures.length === FIGURES.length) writeFileSync(RESULTS, text)
} finally {
  await stopAll()
  rmSync(bench.directory, { recursive: true, force: true })
}

function machine(): string {
  const [cpu] = cpus()
  const memoryGb = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${memoryGb} GB, Node ${process.version}`
}
