// bench/servers/gateway.ts — the built gateway with replaced parts, for which the program has no setting: an in-memory store,
// and terminals that send no reports.
import type { TerminalDriver } from '../../src/engine/ports/terminal.ts'
import type { Parts } from '../../src/wire.ts'
import { built } from '../built.ts'
import { SILENT } from '../silent-driver.ts'
import { addTerminals } from '../terminals.ts'

/** Start parameters of the process. */
export interface GatewayOrder {
  /** Settings, as in the environment. The data directory has the terminals, unless the store is in memory. */
  readonly environment: Readonly<Record<string, string>>
  readonly store: 'disk' | 'memory'
  /**
   * `silent`: terminals that accept a start and send no reports, like real ones until a card is presented; there is no
   * simulator. `simulated`: those of the sandbox, with their memory in a file.
   */
  readonly terminals: 'silent' | 'simulated'
  /** Whether the process sends `{ started: <request id> }` when a silent terminal accepts a start. */
  readonly tellsStarts?: boolean
  /** Number of terminals to add to an in-memory store. */
  readonly count: number
}

/** Silent terminals whose starts are told to the parent. */
const TELLING: TerminalDriver = {
  ...SILENT,
  start: async ({ transaction }) => void process.send?.({ started: transaction.requestId }),
}

process.once('message', (order: GatewayOrder) => void start(order))

async function start(order: GatewayOrder): Promise<void> {
  const { readConfig, openParts, openContext } = await built()
  const result = readConfig(order.environment)
  if ('problems' in result) throw new Error(result.problems.join('\n'))
  const open = await openParts(result.config, process.stderr, fault => {
    throw fault
  })
  const parts = await exchanged(open.parts, order)
  const { url, gateway } = await openContext(result.config, { ...open, parts })
  if (order.store === 'memory') await addTerminals(gateway.provisioning, order.count)
  process.send?.({ port: Number(new URL(url).port) })
}

async function exchanged(parts: Parts, { store, terminals, tellsStarts = false }: GatewayOrder): Promise<Parts> {
  const { openMemoryStore } = await built()
  const memory = store === 'memory' ? openMemoryStore() : null
  const simulated =
    memory === null || parts.simulated === null ? parts.simulated : { ...parts.simulated, images: memory }
  return {
    ...parts,
    store: memory ?? parts.store,
    ...(terminals === 'silent' ? { simulated: null, drivers: [tellsStarts ? TELLING : SILENT] } : { simulated }),
  }
}
