// bench/filled-pair.ts — starts two gateways on copies of one data directory, filled with much and with little.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { startedSale } from './requests.ts'
import { type ServerProcess, startScript } from './server-process.ts'
import type { GatewayOrder } from './servers/gateway.ts'
import { prepareDirectory } from './terminals.ts'

/** The data directories of the two gateways. */
interface Directories {
  readonly many: string
  readonly few: string
}

export interface FilledPair {
  readonly many: ServerProcess
  readonly few: ServerProcess
}

/**
 * @param directory where the two data directories are created
 * @param sale id of the terminal with the one sale in both, which `fill` copies
 * @param fill writes into the directories while no gateway runs on them
 */
export async function startFilledPair(
  directory: string,
  { terminals, sale }: { readonly terminals: number; readonly sale: string },
  fill: (directories: Directories) => void,
): Promise<FilledPair> {
  const directories = { many: join(directory, 'many'), few: join(directory, 'few') }
  await prepareDirectory(directories.few, terminals)
  // Its gateway leaves nothing to enter into the indexes or to rewrite.
  const gateway = await gatewayOn(directories.few)
  await startedSale(gateway.port, sale)
  await gateway.stop()
  cpSync(directories.few, directories.many, { recursive: true })
  fill(directories)
  return { many: await gatewayOn(directories.many), few: await gatewayOn(directories.few) }
}

function gatewayOn(directory: string): Promise<ServerProcess> {
  const environment = { PORT: '0', TOLLGATE_DATA: directory, TOLLGATE_LOG_LEVEL: 'warn' }
  return startScript('gateway', { environment, store: 'disk', terminals: 'silent', count: 0 } satisfies GatewayOrder)
}
