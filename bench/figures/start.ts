// bench/figures/start.ts — time from the command to the first accepted sale.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import { type Figure, plainRow, type Row } from '../figure.ts'
import { startedSale } from '../requests.ts'
import { spreadOf } from '../rounds.ts'
import { spawnProgram } from '../server-process.ts'

const STARTS = { full: 9, quick: 3 }
/** Two terminals of the sandbox, because the first one is still busy at the second start. */
const [FIRST, SECOND] = ['22160001', '22160002'] as const
/** Pause between two attempts, in milliseconds. */
const RETRY_MS = 2

export const start: Figure = {
  name: 'start',
  conditions: 'start: from the command to the answer to the first sale, asked for every 2 ms.',
  async run({ quick, directory }) {
    const starts = quick ? STARTS.quick : STARTS.full
    const fresh: number[] = []
    const again: number[] = []
    for (let count = 0; count < starts; count += 1) {
      const dataDirectory = join(directory, `start-${count}`)
      mkdirSync(dataDirectory)
      fresh.push(await timed(dataDirectory, FIRST))
      again.push(await timed(dataDirectory, SECOND))
    }
    return [
      rowOf('Start to first accepted sale, in a new directory', fresh),
      rowOf('the same, in one that is there', again),
    ]
  },
}

async function timed(dataDirectory: string, terminal: string): Promise<number> {
  const port = await freePort()
  const startedAt = performance.now()
  const program = spawnProgram({ dataDirectory, port, environment: {} })
  for (;;) {
    try {
      await startedSale(port, terminal)
      break
    } catch (error) {
      // Connection refused: the gateway does not listen yet.
      if (!(error instanceof TypeError)) throw error
      await new Promise(resolve => setTimeout(resolve, RETRY_MS))
    }
  }
  const elapsedMs = performance.now() - startedAt
  await program.stop()
  return elapsedMs
}

function rowOf(what: string, times: readonly number[]): Row {
  const { low, median, high } = spreadOf(times)
  return plainRow(
    what,
    `${Math.round(median)} ms`,
    `${times.length} starts, ${Math.round(low)} to ${Math.round(high)} ms`,
  )
}
