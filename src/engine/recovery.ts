// src/engine/recovery.ts — after a start: hear what terminals have to say, finish what was asked for, then let time run.
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

/** Effects by which a terminal first hears of what it is to do. Until then it cannot know of it. */
const STARTS: ReadonlySet<string> = new Set(['terminal.start', 'terminal.run_report'])

/** More undone effects than a gateway can have: each live record has a few. */
const ALL_EFFECTS = 1_000_000

/** How long a start waits for terminals to deliver what piled up, in milliseconds. One bad line must not stop a shop. */
const PATIENCE_MS = 2_000

export interface RecoveryParts {
  readonly store: Store
  readonly clock: Clock
  readonly sink: TerminalSink
  readonly effects: Effects
  readonly timers: Timers
  readonly drivers: readonly TerminalDriver[]
  /** Lanes whose work this process does. */
  readonly lanes: readonly number[]
  readonly log: Log
}

/**
 * Brings a gateway back to work, in this order: terminals deliver what piled up while nobody listened; each live
 * transaction's terminal is asked whether it still knows of it; undone effects are taken up; overdue timers fire.
 * A terminal that has ended a sale is thus heard before its time limit is.
 */
export async function recover(parts: RecoveryParts): Promise<void> {
  const { store, effects, timers, log } = parts
  const undone = await store.undoneEffects(ALL_EFFECTS, parts.lanes)
  await listenToAll(parts)
  const notStarted = new Set(undone.filter(effect => STARTS.has(effect.type)).map(effect => effect.id))
  const live = await askTerminals(parts, notStarted)
  effects.takeUp(undone)
  await timers.start()
  if (live > 0 || undone.length > 0) log.info({ live, effects: undone.length }, 'took up what was running')
}

/** Hears what piled up, as far as it comes within the patience; the rest comes later. */
async function listenToAll({ clock, sink, drivers }: RecoveryParts): Promise<void> {
  const heard = Promise.all(drivers.map(driver => driver.listen(sink)))
  await new Promise<void>((resolve, reject) => {
    const patience = clock.alarm(clock.now() + PATIENCE_MS, resolve)
    heard.then(() => resolve(), reject).finally(() => patience.cancel())
  })
}

/** Asks about all that is live; what its terminal has forgotten, ends. Returns how much is live. */
async function askTerminals(parts: RecoveryParts, notStarted: ReadonlySet<string>): Promise<number> {
  let count = 0
  for (const kind of [TERMINAL_TRANSACTION.kind, REPORT.kind])
    for await (const page of pagesOfKind(parts.store, kind, { live: true })) {
      count += page.length
      for (const stored of page) if (!notStarted.has(stored.id)) await askTerminal(parts, stored)
    }
  return count
}

/** A terminal that cannot be reached now is asked when its line is back. */
async function askTerminal({ sink, log }: RecoveryParts, stored: StoredRecord): Promise<void> {
  const { id, account } = stored
  const { tid } = decodeAnyRecord(stored) as { readonly tid: TerminalId }
  try {
    await sink.reconnected(account, tid)
  } catch (error) {
    log.warn({ requestId: id, tid, error: String(error) }, 'terminal could not be asked')
  }
}

/** What happens when lanes change hands, and when another process has committed something that leads to work. */
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
