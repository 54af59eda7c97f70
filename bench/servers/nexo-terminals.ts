// bench/servers/nexo-terminals.ts — many simulated nexo terminals in one process, each with its own port, certificate and ledger.
import { writeFileSync } from 'node:fs'
import { built } from '../built.ts'

/** Start parameters of the process. */
export interface TerminalsOrder {
  readonly count: number
  /** Where their addresses are written to, as JSON. */
  readonly file: string
  readonly key: { readonly identifier: string; readonly version: number; readonly passphrase: string }
}

/** What a gateway needs to know of one. */
export interface OpenTerminal {
  readonly poiId: string
  readonly port: number
  /** PEM. */
  readonly root: string
}

process.once('message', (order: TerminalsOrder) => void start(order))

async function start({ count, key, file }: TerminalsOrder): Promise<void> {
  const { openNexoTerminal, systemClock, systemRandom } = await built()
  const terminals: OpenTerminal[] = []
  for (let index = 0; index < count; index += 1) {
    const poiId = `V400m-${String(100_000_000 + index)}`
    const open = await openNexoTerminal({
      ...{ poiId, key, host: '127.0.0.1', port: 0, controlPort: 0, cloud: null, tls: null },
      ...{ time: systemClock(), random: systemRandom().bytes, onLine: () => {} },
    })
    terminals.push({ poiId, port: open.port, root: open.root ?? '' })
  }
  writeFileSync(file, JSON.stringify(terminals))
  process.send?.({ port: terminals[0]?.port ?? 0 })
}
