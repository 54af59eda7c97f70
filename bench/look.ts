// bench/look.ts — reads every terminal once, as tills do when they start.
import { openLoad } from './load.ts'
import { lookAt } from './requests.ts'
import { terminalId } from './terminals.ts'

const CONNECTIONS = 64
const PATIENCE_MS = 120_000

/** Reads each terminal once, as a till does before it uses it. */
export async function lookAtTerminals(port: number, count: number): Promise<void> {
  const load = await openLoad(port, CONNECTIONS, false)
  let terminal = 0
  const next = (): string | null => {
    const asked = terminal < count ? lookAt(port, terminalId(terminal)) : null
    terminal += 1
    return asked
  }
  await load.run({ next, status: 200, limitMs: PATIENCE_MS })
  load.close()
}
