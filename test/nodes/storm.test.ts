// test/nodes/storm.test.ts — three nodes under sales and faults. STORM=100 breaks them a hundred times in each way
// (`npm run test:storm`); the usual run does it once.
import { ok } from 'node:assert/strict'
import { test } from 'vitest'
import { storm } from './storm.ts'

const TIMES = Number(process.env['STORM'] ?? 1)
const SEED = Number(process.env['STORM_SEED'] ?? 1)
/** Of one round of faults, on a busy machine. */
const ROUND_MS = 150_000

test(
  `nothing is lost or charged twice while nodes fail, ${TIMES} times in each way (seed ${SEED})`,
  async () => {
    const report = await storm(TIMES, SEED)
    process.stdout.write(`storm: ${JSON.stringify(report)}\n`)
    ok(report.sales > 20)
  },
  180_000 + TIMES * ROUND_MS,
)
