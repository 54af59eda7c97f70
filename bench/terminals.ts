// bench/terminals.ts — adds many terminals, because a sale occupies one until a card is presented. Their ids name no script,
// so no card is presented automatically.

import type { TerminalSettings } from '../src/domain/accounts/terminal.ts'
import type { Store } from '../src/engine/ports/store.ts'
import type { Provisioning } from '../src/services/provisioning/provisioning.ts'
import { built } from './built.ts'
import { SILENT } from './silent-driver.ts'

/** Account of the sandbox that owns the terminals. */
const ACCOUNT = 'demo'
export const API_KEY = 'demo-api-key'
const TIME_ZONE = 'Europe/London'

/** Terminals added at a time, so that they share a sync to disk. */
const BATCH = 1_000

/** Id of terminal number `index`. */
export function terminalId(index: number): string {
  return `T${String(index).padStart(7, '0')}`
}

/** Id of a scripted terminal: chip and PIN as soon as a sale starts. */
export function scriptedId(index: number): string {
  return `VCM${String(index).padStart(5, '0')}SIP0`
}

/** Adds terminals to the account of a sandbox. */
export async function addTerminals(
  provisioning: Provisioning,
  count: number,
  { idOf = terminalId, settings: special }: Pick<Contents, 'idOf' | 'settings'> = {},
): Promise<void> {
  const { freshSettings } = await built()
  const settings = { ...freshSettings('GBP'), ...special }
  for (let from = 0; from < count; from += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => idOf(from + index))
    const added = await Promise.all(ids.map(tid => provisioning.addTerminal({ account: ACCOUNT, tid, settings })))
    for (const each of added) if ('refused' in each) throw new Error(`a terminal was refused: ${each.refused.code}`)
  }
}

export interface Contents {
  /** Ids of the terminals. */
  readonly idOf?: typeof terminalId
  /** Settings that differ from those of a new terminal. */
  readonly settings?: Partial<TerminalSettings>
  /** Called with the store before it is closed. */
  readonly fill?: (store: Store) => Promise<void>
}

/** Creates a data directory of a sandbox with this number of terminals. */
export async function prepareDirectory(directory: string, terminals: number, contents: Contents = {}): Promise<void> {
  const { openSqliteStore, seedSandbox } = await built()
  const store = await openSqliteStore({ directory })
  try {
    const provisioning = await provisioningOver(store)
    await seedSandbox(provisioning, TIME_ZONE)
    await addTerminals(provisioning, terminals, contents)
    await contents.fill?.(store)
  } finally {
    await store.close()
  }
}

async function provisioningOver(store: Store): Promise<Provisioning> {
  const { wire, systemClock, systemRandom } = await built()
  const nothing = (): void => {}
  const unused = (): Promise<never> => Promise.reject(new Error('terminals are added without vault and webhooks'))
  return wire({
    store,
    vault: {
      ...{ storeCard: unused, openCard: unused, storeText: unused, openText: unused },
      ...{ forget: unused, lookupOf: unused, tagOf: unused, entries: unused, forgetUnused: unused },
    },
    webhookSender: { post: unused },
    clock: systemClock(),
    random: systemRandom(),
    log: { info: nothing, warn: nothing, error: nothing },
    meters: {
      committed: nothing,
      effectRetried: nothing,
      transactionStarted: nothing,
      transactionFinished: nothing,
      paymentStarted: nothing,
      paymentFinished: nothing,
    },
    simulated: null,
    drivers: [SILENT],
    limits: { transactionMs: 200_000, keyedMs: 400_000, signatureMs: 80_000, reportMs: 100_000 },
    cachedRecords: 0,
  }).provisioning
}
