// src/engine/recovery.ts — resumes after a start: terminal backlogs, open effects, then timers.
import type { TerminalId } from '../domain/ids.ts'
import { decodeAnyRecord } from './all-machines.ts'
import type { Effects } from './effects.ts'
import { REPORT, TERMINAL_TRANSACTION } from './machines.ts'
import { pagesOfKind } from './pages.ts'
import type { Clock } from './ports/clock.ts'
import type { Log } from './ports/log.ts'
import type { Store, StoredRecord } from './ports/store.ts'
import type { TerminalDriver, TerminalSink } from './ports/terminal.ts'
import type { Timers } from './timers.ts'
import type { LaneChanges, WorkLeases } from './work-leases.ts'

/** Effects that start something on a terminal. Until they are performed, the terminal does not know of it. */
const STARTS: ReadonlySet<string> = new Set(['terminal.start', 'terminal.run_report'])

/** Upper bound of open effects; a gateway stays far below it, because each live record has a few. */
const ALL_EFFECTS = 1_000_000

/** How long a start waits for the backlogs of terminals, in milliseconds. One bad connection must not stop a shop. */
const PATIENCE_MS = 2_000

export interface RecoveryParts {
  readonly store: Store
  readonly clock: Clock
  readonly sink: TerminalSink
  readonly effects: Effects
  readonly timers: Timers
  readonly drivers: readonly TerminalDriver[]
  /** Lanes whose work this process performs. */
  readonly lanes: readonly number[]
  readonly log: Log
}

/**
 * Resumes work in this order: terminals deliver their backlogs; each live transaction is looked up at its terminal; open
 * effects are enqueued; overdue timers fire. So the result of a sale counts before its time limit.
 */
export async function recover(parts: RecoveryParts): Promise<void> {
  const { store, effects, timers, log } = parts
  const undone = await store.undoneEffects(ALL_EFFECTS, parts.lanes)
  await listenToAll(parts)
  const notStarted = new Set(undone.filter(effect => STARTS.has(effect.type)).map(effect => effect.id))
  const live = await askTerminals(parts, notStarted)
  effects.takeUp(undone)
  await timers.start()
  if (live > 0 || undone.length > 0) log.info({ live, effects: undone.length }, 'unfinished work resumed')
}

/** Waits up to `PATIENCE_MS` for the backlogs; the rest arrives later. */
async function listenToAll({ clock, sink, drivers }: RecoveryParts): Promise<void> {
  const listening = Promise.all(drivers.map(driver => driver.listen(sink)))
  await new Promise<void>((resolve, reject) => {
    const patience = clock.alarm(clock.now() + PATIENCE_MS, resolve)
    listening.then(() => resolve(), reject).finally(() => patience.cancel())
  })
}

/** Looks up every live record at its terminal; a forgotten one ends. Returns the number of live records. */
async function askTerminals(parts: RecoveryParts, notStarted: ReadonlySet<string>): Promise<number> {
  let count = 0
  for (const kind of [TERMINAL_TRANSACTION.kind, REPORT.kind])
    for await (const page of pagesOfKind(parts.store, kind, { live: true })) {
      count += page.length
      for (const stored of page) if (!notStarted.has(stored.id)) await askTerminal(parts, stored)
    }
  return count
}

/** Asks one terminal. If it cannot be reached, it is asked when it reconnects. */
async function askTerminal({ sink, log }: RecoveryParts, stored: StoredRecord): Promise<void> {
  const { id, account } = stored
  const { tid } = decodeAnyRecord(stored) as { readonly tid: TerminalId }
  try {
    await sink.reconnected(account, tid)
  } catch (error) {
    log.warn({ requestId: id, tid, error: String(error) }, 'lookup at terminal failed')
  }
}

/** Resumes work when lanes change hands, and when another process has committed effects or timers. */
export function takingOver({
  store,
  effects,
  timers,
  leases,
}: Pick<RecoveryParts, 'store' | 'effects' | 'timers'> & {
  readonly leases: Pick<WorkLeases, 'of' | 'lanes'>
}): LaneChanges & { committed(): Promise<void> } {
  async function gained(lanes: readonly number[]): Promise<void> {
    effects.takeUp(await store.undoneEffects(ALL_EFFECTS, lanes))
    await timers.lookAtAll()
  }
  return {
    gained,
    lost: () => effects.forgetUnless(account => leases.of(account) !== null),
    committed: () => gained(leases.lanes),
  }
}
