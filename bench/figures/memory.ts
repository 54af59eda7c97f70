// bench/figures/memory.ts — memory of a gateway, idle and with many running transactions.
import { join } from 'node:path'
import { type Figure, plainRow } from '../figure.ts'
import { openLoad } from '../load.ts'
import { saleOn } from '../requests.ts'
import { residentBytes, startProgram } from '../server-process.ts'
import { prepareDirectory, terminalId } from '../terminals.ts'

const RUNNING = { full: 10_000, quick: 2_000 }
const CONNECTIONS = 64
/** Wait before a measurement, so that garbage of the start or of the last answers is collected. */
const REST_MS = 3_000
/** Upper bound; the sales take less. */
const LIMIT_MS = 60_000

export const memory: Figure = {
  name: 'memory',
  conditions: `memory: resident memory of the program as it is shipped, ${REST_MS / 1_000} s after its start and after the last sale.`,
  async run({ quick, directory }) {
    const running = quick ? RUNNING.quick : RUNNING.full
    const dataDirectory = join(directory, 'memory')
    await prepareDirectory(dataDirectory, running)
    const gateway = await startProgram({ dataDirectory, environment: { TOLLGATE_PACE: '60000' } })
    await rest()
    const before = residentBytes(gateway.pid)
    let terminal = 0
    const next = (): string | null => {
      if (terminal >= running) return null
      terminal += 1
      return saleOn(gateway.port, terminalId(terminal - 1))
    }
    const load = await openLoad(gateway.port, CONNECTIONS, false)
    await load.run({ next, status: 201, limitMs: LIMIT_MS })
    load.close()
    await rest()
    const after = residentBytes(gateway.pid)
    await gateway.stop()
    const each = `${((after - before) / running / 1e3).toFixed(1)} kB for each transaction on its simulated terminal`
    return [
      plainRow('Memory at rest', megabytes(before), 'resident'),
      plainRow(
        `Memory with ${running.toLocaleString('en')} running transactions`,
        megabytes(after),
        `resident; ${each}`,
      ),
    ]
  },
}

function rest(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, REST_MS))
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}
