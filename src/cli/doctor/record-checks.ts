// src/cli/doctor/record-checks.ts — checks records against their events, and looks for overdue work.
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Database } from 'better-sqlite3'
import { decodeAnyEvent, decodeAnyRecord, type Foldable, MACHINES } from '../../engine/all-machines.ts'
import type { Store, StoredEffect, StoredEvent, StoredRecord } from '../../engine/ports/store.ts'
import { type ClockState, SYSTEM_TIME } from '../../simulator/clocks/account-clock.ts'
import { prepareReads, type Reader } from '../../store/sqlite/reader.ts'
import { type Finding, fine, problem } from './finding.ts'

/** Clocks of sandbox accounts that do not follow the system clock. */
export type StoredClocks = ReadonlyMap<string, ClockState>

/** Records of each kind that are folded again: the newest ones, which the newest program version wrote. */
const SAMPLE = 200
/** A timer is overdue after this time; before, it may be about to fire. */
const LATE_MS = 10_000
/** Longest time of an effect at a running gateway. */
const LINGERING_MS = 2_000
/** Most timers and effects counted. */
const COUNTED = 10_000

/** What the checks assume about the gateway. */
export interface RecordsContext {
  /** Epoch milliseconds. */
  readonly now: number
  /** Whether a gateway runs on the database. */
  readonly running: boolean
  readonly clocks: StoredClocks
}

/** Checks a sample of records, and all timers and effects, on SQLite. */
export async function checkRecords(database: Database, context: RecordsContext): Promise<readonly Finding[]> {
  const reader = prepareReads(database)
  const work: StoredWork = {
    dueTimers: async (until, limit) => reader.dueTimers(until, limit),
    undoneEffects: async limit => reader.undoneEffects(limit),
  }
  return [foldsOf(database, reader), ...(await checkWork(work, context))]
}

/** What the checks of timers and effects read. */
type StoredWork = Pick<Store, 'dueTimers' | 'undoneEffects'>

/** Checks all timers and effects. */
export async function checkWork(work: StoredWork, context: RecordsContext): Promise<readonly Finding[]> {
  return [await overdueOf(work, context), await undoneOf(work, context)]
}

/** Checks a sample of records. @param newest reads the newest records of a kind */
export async function checkFolds(
  { eventsOf }: Pick<Store, 'eventsOf'>,
  newest: (kind: string, limit: number) => Promise<readonly StoredRecord[]>,
): Promise<Finding> {
  const differing: StoredRecord[] = []
  for (const machine of MACHINES)
    for (const stored of await newest(machine.kind, SAMPLE)) {
      // Events that came after the record was read do not count.
      const events = (await eventsOf(stored)).filter(({ version }) => version <= stored.version)
      if (!isItsFold(machine, events, stored)) differing.push(stored)
    }
  return foldFinding(differing)
}

function foldsOf(database: Database, reader: Reader): Finding {
  const newest = database.prepare<[string, number], StoredRecord>(
    'SELECT account, kind, id, version, body FROM records WHERE kind = ? ORDER BY position DESC LIMIT ?',
  )
  // In one transaction, so that concurrent changes do not make a record differ from its events.
  const differing = database.transaction(() =>
    MACHINES.flatMap(machine =>
      newest.all(machine.kind, SAMPLE).filter(stored => !isItsFold(machine, reader.eventsOf(stored), stored)),
    ),
  )()
  return foldFinding(differing)
}

function foldFinding(differing: readonly StoredRecord[]): Finding {
  const first = differing[0]
  return first === undefined
    ? fine('records', `The newest ${SAMPLE} of each kind match their events.`)
    : problem(
        'records',
        `${differing.length} differ from their events, among them ${first.kind} ${first.id}; ` +
          'keep the database as it is and report this with the output of `tollgate doctor --json`.',
      )
}

function isItsFold({ apply }: Foldable, events: readonly StoredEvent[], stored: StoredRecord): boolean {
  try {
    const folded = events.reduce<unknown>(
      (record, event) => apply(record as never, decodeAnyEvent(event) as never),
      null,
    )
    return isDeepStrictEqual(JSON.parse(JSON.stringify(folded)), decodeAnyRecord(stored))
  } catch {
    return false
  }
}

/** Timers follow the clock of their account, and none fires while it is frozen. */
async function overdueOf(work: StoredWork, { now, running, clocks }: RecordsContext): Promise<Finding> {
  const timeOf = (account: string) => now + (clocks.get(account) ?? SYSTEM_TIME).offsetMs
  const latest = Math.max(now, ...[...clocks.keys()].map(timeOf))
  const due = await work.dueTimers(latest - LATE_MS, COUNTED)
  const late = due.filter(
    ({ account, dueAt }) => !isFrozen(clocks, account) && dueAt <= timeOf(account) - LATE_MS,
  ).length
  if (late === 0) return fine('timers', 'None is overdue.')
  return running
    ? problem('timers', `${late} are overdue although the gateway runs; look for errors in its log and restart it.`)
    : fine('timers', `${late} are due; the next start fires them.`)
}

async function undoneOf(work: StoredWork, { running, clocks }: RecordsContext): Promise<Finding> {
  const left = running ? await lingering(work) : await work.undoneEffects(COUNTED)
  const undone = running ? left.filter(({ account }) => !isFrozen(clocks, account)) : left
  if (left.length > 0 && undone.length === 0) {
    const accounts = [...new Set(left.map(({ account }) => account))].join(', ')
    return fine('effects', `${left.length} wait for the frozen clock of ${accounts}.`)
  }
  if (undone.length === 0) return fine('effects', 'None is pending.')
  const types = [...new Set(undone.map(effect => effect.type))].join(', ')
  return running
    ? problem('effects', `${undone.length} are pending (${types}); the gateway retries them, and its log says why.`)
    : fine('effects', `${undone.length} are pending (${types}); the next start performs them.`)
}

function isFrozen(clocks: StoredClocks, account: string): boolean {
  return (clocks.get(account) ?? SYSTEM_TIME).frozenAt !== null
}

/** Effects that stay undone for LINGERING_MS at a running gateway. Most are done a moment later. */
async function lingering(work: StoredWork): Promise<readonly StoredEffect[]> {
  const before = new Set((await work.undoneEffects(COUNTED)).map(effect => effect.effectId))
  if (before.size === 0) return []
  await sleep(LINGERING_MS)
  return (await work.undoneEffects(COUNTED)).filter(effect => before.has(effect.effectId))
}
