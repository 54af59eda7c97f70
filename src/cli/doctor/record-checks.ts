// src/cli/doctor/record-checks.ts — checks records against their events, and looks for overdue work.
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Database } from 'better-sqlite3'
import { decodeAnyEvent, decodeAnyRecord, type Foldable, MACHINES } from '../../engine/all-machines.ts'
import type { StoredEffect, StoredRecord } from '../../engine/ports/store.ts'
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

/** Checks a sample of records, and all timers and effects. */
export async function checkRecords(database: Database, context: RecordsContext): Promise<readonly Finding[]> {
  const reader = prepareReads(database)
  return [foldsOf(database, reader), overdueOf(reader, context), await undoneOf(reader, context)]
}

function foldsOf(database: Database, reader: Reader): Finding {
  const newest = database.prepare<[string, number], StoredRecord>(
    'SELECT account, kind, id, version, body FROM records WHERE kind = ? ORDER BY position DESC LIMIT ?',
  )
  // In one transaction, so that concurrent changes do not make a record differ from its events.
  const differing = database.transaction(() =>
    MACHINES.flatMap(machine => newest.all(machine.kind, SAMPLE).filter(stored => !isItsFold(machine, reader, stored))),
  )()
  const first = differing[0]
  return first === undefined
    ? fine('records', `The newest ${SAMPLE} of each kind match their events.`)
    : problem(
        'records',
        `${differing.length} differ from their events, among them ${first.kind} ${first.id}; ` +
          'keep the database as it is and report this with the output of `tollgate doctor --json`.',
      )
}

function isItsFold({ apply }: Foldable, reader: Reader, stored: StoredRecord): boolean {
  try {
    const folded = reader
      .eventsOf(stored)
      .reduce<unknown>((record, event) => apply(record as never, decodeAnyEvent(event) as never), null)
    return isDeepStrictEqual(JSON.parse(JSON.stringify(folded)), decodeAnyRecord(stored))
  } catch {
    return false
  }
}

/** Timers follow the clock of their account, and none fires while it is frozen. */
function overdueOf(reader: Reader, { now, running, clocks }: RecordsContext): Finding {
  const timeOf = (account: string) => now + (clocks.get(account) ?? SYSTEM_TIME).offsetMs
  const latest = Math.max(now, ...[...clocks.keys()].map(timeOf))
  const late = reader
    .dueTimers(latest - LATE_MS, COUNTED)
    .filter(({ account, dueAt }) => !isFrozen(clocks, account) && dueAt <= timeOf(account) - LATE_MS).length
  if (late === 0) return fine('timers', 'None is overdue.')
  return running
    ? problem('timers', `${late} are overdue although the gateway runs; look for errors in its log and restart it.`)
    : fine('timers', `${late} are due; the next start fires them.`)
}

async function undoneOf(reader: Reader, { running, clocks }: RecordsContext): Promise<Finding> {
  const left = running ? await lingering(reader) : reader.undoneEffects(COUNTED)
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
async function lingering(reader: Reader): Promise<readonly StoredEffect[]> {
  const before = new Set(reader.undoneEffects(COUNTED).map(effect => effect.effectId))
  if (before.size === 0) return []
  await sleep(LINGERING_MS)
  return reader.undoneEffects(COUNTED).filter(effect => before.has(effect.effectId))
}
