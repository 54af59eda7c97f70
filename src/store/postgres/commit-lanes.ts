// src/store/postgres/commit-lanes.ts — gathers commits into groups by lanes of merchant accounts. The groups of a lane are written
// one after the other, those of several lanes at the same time.
import assert from 'node:assert/strict'
import { atEndOfTurn } from '../../engine/end-of-turn.ts'
import { Fault } from '../../engine/fault.ts'
import type { Alarm, Clock } from '../../engine/ports/clock.ts'
import { laneOf } from '../../engine/work-leases.ts'
import { CommitUnknown, unreachable } from './faults.ts'
import type { Outcome, Work } from './group.ts'
import { LANES } from './lanes.ts'

/** Limit of waiting work: about a second. More would wait longer than a till does, so it is rejected. */
const MAX_WAITING = 4_096
/** Works in a group. Larger groups cost less per change, but all of them wait for the slowest. */
const FULL_GROUP = 128
/** Groups under way at a time. Each has a connection. */
const MOST_GROUPS = 4
/** Waiting work that does not wait for a group under way: a second group is worth its own sync. */
const WORTH_A_GROUP = 32
/** How long work waits for a group under way on other lanes, in milliseconds. That one may be waiting for a lock. */
const PATIENCE_MS = 10

interface Entry {
  readonly work: Work
  readonly resolve: (outcome: Exclude<Outcome, { readonly error: unknown }>) => void
  readonly reject: (error: unknown) => void
}

export interface CommitLanesParts {
  /** Writes a group and returns an outcome for each work, in order. */
  readonly write: (works: readonly Work[]) => Promise<readonly Outcome[]>
  readonly clock: Clock
  /** Called with the number of commits of each group. */
  readonly onGroup: (size: number) => void
  /** A group may not mix accounts, because they lie on several machines. */
  readonly distributed: boolean
  /** Names the database in faults. */
  readonly where: string
}

export interface CommitLanes {
  /** Resolves once the work is durable or refused. @throws Fault `store_busy`, `store_gone`, and faults of the database */
  submit(work: Work): Promise<Exclude<Outcome, { readonly error: unknown }>>
  /** Rejects new work; resolves when all waiting work is answered. */
  drain(): Promise<void>
}

export function createCommitLanes({ write, clock, onGroup, distributed, where }: CommitLanesParts): CommitLanes {
  /** Waiting work by lane, in order of arrival. A lane without work is missing. */
  const lanes = new Map<number, Entry[]>()
  const busyLanes = new Set<number>()
  let waiting = 0
  let groups = 0
  let gathering = false
  let patience: Alarm | null = null
  let refusal: Fault | null = null
  let drained: (() => void) | null = null

  /** All work of the same event-loop turn joins the group. */
  function gather(): void {
    if (gathering) return
    gathering = true
    atEndOfTurn(() => {
      gathering = false
      begin(false)
    })
  }

  /** Begins groups for what waits on free lanes. @param impatient even if it is little and another group is under way */
  function begin(impatient: boolean): void {
    while (groups < MOST_GROUPS) {
      if (groups > 0 && !impatient && waiting < WORTH_A_GROUP) break
      const { entries, taken } = take()
      if (entries.length === 0) break
      void run(entries, taken)
    }
    if (waiting > 0 && groups > 0 && groups < MOST_GROUPS)
      patience ??= clock.alarm(clock.now() + PATIENCE_MS, () => {
        patience = null
        begin(true)
      })
  }

  function take() {
    const entries: Entry[] = []
    const taken: number[] = []
    for (const [lane, queued] of lanes) {
      if (entries.length >= FULL_GROUP || (distributed && taken.length > 0)) break
      if (busyLanes.has(lane)) continue
      const room = FULL_GROUP - entries.length
      const part = distributed ? ofFirstAccount(queued, room) : queued.splice(0, room)
      if (queued.length === 0) lanes.delete(lane)
      entries.push(...part)
      taken.push(lane)
    }
    waiting -= entries.length
    for (const lane of taken) busyLanes.add(lane)
    return { entries, taken }
  }

  async function run(entries: readonly Entry[], taken: readonly number[]): Promise<void> {
    groups += 1
    let outcomes: readonly Outcome[]
    try {
      outcomes = await write(entries.map(({ work }) => work))
    } catch (error) {
      outcomes = entries.map(() => ({ error }))
    }
    groups -= 1
    for (const lane of taken) {
      busyLanes.delete(lane)
      // What has arrived meanwhile is served after the lanes that have waited longer.
      const queued = lanes.get(lane)
      if (queued !== undefined) {
        lanes.delete(lane)
        lanes.set(lane, queued)
      }
    }
    patience?.cancel()
    patience = null
    if (outcomes.some(outcome => typeof outcome === 'object' && outcome.error instanceof CommitUnknown)) refuseWaiting()
    begin(false)
    const commits = entries.filter(({ work }) => work.type === 'commit').length
    if (commits > 0) onGroup(commits)
    for (const [index, { resolve, reject }] of entries.entries()) {
      const outcome = outcomes[index]
      assert(outcome !== undefined, 'a group answers all its work')
      if (typeof outcome === 'object') reject(outcome.error)
      else resolve(outcome)
    }
    if (waiting === 0 && groups === 0) drained?.()
  }

  /**
   * The database has confirmed neither a group nor what it is: for as long as that takes, twice over, what waits would wait too. Nothing
   * of it was written.
   */
  function refuseWaiting(): void {
    const refused = [...lanes.values()].flat()
    lanes.clear()
    waiting = 0
    for (const { reject } of refused) reject(unreachable(where, 'it confirms no COMMIT'))
  }

  return {
    submit(work) {
      if (refusal !== null) return Promise.reject(refusal)
      if (waiting >= MAX_WAITING) return Promise.reject(new Fault('store_busy', { detail: where }))
      return new Promise((resolve, reject) => {
        const lane = laneOf(work.account, LANES)
        const queued = lanes.get(lane)
        if (queued === undefined) lanes.set(lane, [{ work, resolve, reject }])
        else queued.push({ work, resolve, reject })
        waiting += 1
        gather()
      })
    },
    async drain() {
      refusal ??= new Fault('store_gone', { detail: where })
      if (waiting === 0 && groups === 0) return
      await new Promise<void>(resolve => (drained = resolve))
    },
  }
}

/** Takes the work of the first account out of a lane, in order. */
function ofFirstAccount(queued: Entry[], room: number): readonly Entry[] {
  const account = queued[0]?.work.account
  const part: Entry[] = []
  const rest: Entry[] = []
  for (const entry of queued) (entry.work.account === account && part.length < room ? part : rest).push(entry)
  queued.splice(0, queued.length, ...rest)
  return part
}
