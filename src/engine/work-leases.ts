// src/engine/work-leases.ts — claims the lanes whose effects and timers this process performs.
import type { MerchantAccountId } from '../domain/ids.ts'
import type { Alarm, Clock } from './ports/clock.ts'
import type { Log } from './ports/log.ts'
import type { Lease, Store } from './ports/store.ts'

/** Called when lanes change hands between the processes on one store. */
export interface LaneChanges {
  /** This process now performs the work of these lanes, including what the last holder left. */
  gained(lanes: readonly number[]): Promise<void>
  /** Another process performs the work of these lanes. */
  lost(lanes: readonly number[]): void
}

export interface WorkLeases {
  /** The lease under which this process performs the effects and timers of an account; null when another process does. */
  of(account: MerchantAccountId): Lease | null
  /** The lanes of this process. */
  readonly lanes: readonly number[]
  /** Claims free lanes. The caller then resumes the work of `lanes`; later changes go to `changes`. */
  start(changes: LaneChanges): Promise<void>
  /** The store has refused a commit under this lease: another process has claimed its lane. */
  refused(lease: Lease): void
  stop(): void
}

export interface WorkLeasesParts {
  readonly store: Pick<Store, 'lanes' | 'claimLanes'>
  readonly clock: Clock
  readonly log: Log
}

/** The lane of an account, equal in every process: FNV-1a over its UTF-16 units. */
export function laneOf(account: MerchantAccountId, count: number): number {
  if (count === 1) return 0
  let hash = 0x811c9dc5
  for (let index = 0; index < account.length; index += 1)
    hash = Math.imul(hash ^ account.charCodeAt(index), 0x01000193) >>> 0
  return hash % count
}

/** Holds the leases of this process. Nothing is claimed before `start`. */
export function createWorkLeases({ store, clock, log }: WorkLeasesParts): WorkLeases {
  const { count, renewEveryMs } = store.lanes
  const current = new Map<number, Lease>()
  let changes: LaneChanges | null = null
  let renewal: Alarm | null = null
  let stopped = false

  function lose(lanes: readonly number[]): void {
    if (lanes.length === 0) return
    for (const lane of lanes) current.delete(lane)
    log.warn({ lanes }, 'lanes taken over by another process')
    changes?.lost(lanes)
  }

  /** A lane with a new fence was lost in between: another process may have worked on it. */
  function take(leases: readonly Lease[]): readonly number[] {
    const fences = new Map(leases.map(({ lane, fence }) => [lane, fence]))
    lose([...current.values()].filter(({ lane, fence }) => fences.get(lane) !== fence).map(({ lane }) => lane))
    const gained = leases.filter(({ lane }) => !current.has(lane))
    for (const lease of gained) current.set(lease.lane, lease)
    return gained.map(({ lane }) => lane)
  }

  function renewLater(everyMs: number): void {
    if (stopped) return
    renewal = clock.alarm(clock.now() + everyMs, () => void renew().finally(() => renewLater(everyMs)))
  }

  async function renew(): Promise<void> {
    try {
      const gained = take(await store.claimLanes())
      if (gained.length > 0 && !stopped) await changes?.gained(gained)
    } catch (error) {
      // The store decides: it refuses the next commit under a lease that has expired meanwhile.
      log.error({ error: String(error) }, 'lease renewal failed')
    }
  }

  return {
    of: account => current.get(laneOf(account, count)) ?? null,
    get lanes() {
      return [...current.keys()]
    },
    async start(given) {
      take(await store.claimLanes())
      changes = given
      if (renewEveryMs !== null) renewLater(renewEveryMs)
    },
    refused({ lane, fence }) {
      if (current.get(lane)?.fence === fence) lose([lane])
    },
    stop() {
      stopped = true
      renewal?.cancel()
    },
  }
}
