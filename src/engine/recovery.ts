// src/engine/recovery.ts — resumes the work of lanes, after a start or from another node: terminal backlogs, open effects,
// lookups at terminals, then timers.
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
import { type LaneMemory, laneOf, type WorkLeases } from './work-leases.ts'

/** Effects that start something on a terminal. Until they are performed, the terminal does not know of it. */
const STARTS: ReadonlySet<string> = new Set(['terminal.start', 'terminal.run_report'])

/** Upper bound of open effects; a gateway stays far below it, because each live record has a few. */
const ALL_EFFECTS = 1_000_000

/** How long a start waits for the backlogs of terminals, in milliseconds. One bad connection must not stop a shop. */
const PATIENCE_MS = 2_000

/** Terminals asked at the same time. A node that takes over a busy account has thousands to ask. */
const ASKED_AT_ONCE = 32

export interface RecoveryParts {
  readonly store: Store
  readonly clock: Clock
  readonly sink: TerminalSink
  readonly effects: Effects
  readonly timers: Timers
  readonly drivers: readonly TerminalDriver[]
  /** The lanes whose work this process performs. */
  readonly leases: Pick<WorkLeases, 'isOurs' | 'lanes'>
  /** Null, the default, when nothing in memory belongs to lanes. */
  readonly memory?: LaneMemory | null
  readonly log: Log
}

/** Starts listening to terminals, and resumes the work of all lanes of this process. */
export async function recover(parts: RecoveryParts): Promise<void> {
  const { sink, drivers, leases, timers } = parts
  await resumeAfter(parts, leases.lanes, () => drivers.map(driver => driver.listen(sink, leases.isOurs)))
  await timers.start()
}

/** Resumes the work of lanes that this process has gained. The caller then lets their timers fire. */
export function resume(parts: RecoveryParts, lanes: readonly number[]): Promise<void> {
  return resumeAfter(parts, lanes, () => parts.drivers.map(driver => driver.servesOthers?.()))
}

/**
 * Resumes work in this order: what belongs to the lanes is loaded; terminals deliver their backlogs; open effects are
 * enqueued, because somebody waits for them; each live transaction is looked up at its terminal; the caller lets overdue
 * timers fire. So the result of a sale counts before its time limit.
 */
async function resumeAfter(
  parts: RecoveryParts,
  lanes: readonly number[],
  listen: () => readonly (Promise<void> | undefined)[],
): Promise<void> {
  const { store, effects, log } = parts
  await parts.memory?.gained(lanes)
  const undone = await store.undoneEffects(ALL_EFFECTS, lanes)
  await backlogsOf(parts, listen())
  const notStarted = new Set(undone.filter(effect => STARTS.has(effect.type)).map(effect => effect.id))
  effects.takeUp(undone)
  const live = await askTerminals(parts, new Set(lanes), notStarted)
  if (live > 0 || undone.length > 0) log.info({ live, effects: undone.length }, 'unfinished work resumed')
}

/** Waits up to `PATIENCE_MS` for the backlogs; the rest arrives later. */
async function backlogsOf({ clock }: RecoveryParts, listening: readonly (Promise<void> | undefined)[]): Promise<void> {
  const all = Promise.all(listening)
  await new Promise<void>((resolve, reject) => {
    const patience = clock.alarm(clock.now() + PATIENCE_MS, resolve)
    all.then(() => resolve(), reject).finally(() => patience.cancel())
  })
}

/** Looks up every live record of these lanes at its terminal; a forgotten one ends. Returns the number of live records. */
async function askTerminals(
  parts: RecoveryParts,
  lanes: ReadonlySet<number>,
  notStarted: ReadonlySet<string>,
): Promise<number> {
  const { store } = parts
  let count = 0
  for (const kind of [TERMINAL_TRANSACTION.kind, REPORT.kind])
    for await (const page of pagesOfKind(store, kind, { live: true })) {
      const ours = page.filter(({ account }) => lanes.has(laneOf(account, store.lanes.count)))
      count += ours.length
      const asked = ours.filter(({ id }) => !notStarted.has(id))
      for (let from = 0; from < asked.length; from += ASKED_AT_ONCE)
        await Promise.all(asked.slice(from, from + ASKED_AT_ONCE).map(stored => askTerminal(parts, stored)))
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
