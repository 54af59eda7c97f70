// src/engine/work-leases.ts — claims the lanes whose effects and timers this process performs. ADR 48.
import type { MerchantAccountId } from '../domain/ids.ts'
import type { Alarm, Clock } from './ports/clock.ts'
import type { Log } from './ports/log.ts'
import type { Claim, Lease, Store } from './ports/store.ts'

/** How long effects in progress have to end before their lane is given to another node, in milliseconds. */
const HAND_OVER_MS = 2_000
/** How soon a process that does not lead looks again whether it does, in milliseconds. */
export const LEADS_AGAIN_MS = 60_000

/** Called when lanes change hands between the processes on one store. */
export interface LaneChanges {
  /** This process now performs the work of these lanes, including what the last holder left. */
  gained(lanes: readonly number[]): void
  /** Another process performs the work of these lanes, or is about to. Resolves when the work in progress on them has ended. */
  lost(lanes: readonly number[]): Promise<void>
}

/** What a process keeps in memory of the lanes whose work it performs. */
export interface LaneMemory {
  /** Loads what belongs to these lanes. Awaited before their work begins. */
  gained(lanes: readonly number[]): Promise<void>
  /** These lanes are being given away, or are lost. Returns what to call when the work in progress on them has ended. */
  leaving(lanes: readonly number[]): () => Promise<void>
}

export interface WorkLeases {
  /**
   * The lease under which this process commits the outcome of effects and timers of an account; null when another process does.
   * A lane that is being given away keeps its lease until the work in progress has ended.
   */
  of(account: MerchantAccountId): Lease | null
  /** The same for the accounts of a lane. */
  leaseOf(lane: number): Lease | null
  /** Whether this process begins the work of an account. */
  isOurs(account: MerchantAccountId): boolean
  /** The lanes whose work this process begins. */
  readonly lanes: readonly number[]
  /** Whether this process does what one does for all, such as erasing old records: the one with the first lane. */
  readonly leads: boolean
  /** Claims free lanes. The caller then resumes the work of `lanes`; later changes go to `changes`. */
  start(changes: LaneChanges): Promise<void>
  /** The store has refused a commit under this lease: another process has claimed its lane. */
  refused(lease: Lease): void
  /**
   * Claims no more lanes, and gives all to other nodes once the work in progress on them has ended; they reach this one until `stop`.
   * Nothing when leases last as long as the store is open. Never rejects.
   */
  leave(): Promise<void>
  stop(): void
}

export interface WorkLeasesParts {
  readonly store: Pick<Store, 'lanes' | 'claimLanes' | 'releaseLanes' | 'leaveLanes'>
  readonly clock: Clock
  readonly log: Log
  /** Called at each claim with the addresses of the other live nodes. */
  readonly onOthers?: (addresses: readonly string[]) => void
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
export function createWorkLeases({ store, clock, log, onOthers = () => {} }: WorkLeasesParts): WorkLeases {
  const { count, renewEveryMs } = store.lanes
  const current = new Map<number, Lease>()
  /** Lanes on their way to another node. Work on them goes on, and none is begun. */
  const leaving = new Map<number, Lease>()
  let changes: LaneChanges | null = null
  let renewal: Alarm | null = null
  let renewing: Promise<void> | null = null
  let stopped = false
  /** Has given all lanes away and takes none. */
  let hasLeft = false
  let ended = false
  let left: Promise<void> | null = null

  function lose(lanes: readonly number[]): void {
    if (lanes.length === 0) return
    for (const lane of lanes) {
      current.delete(lane)
      leaving.delete(lane)
    }
    log.warn({ lanes }, 'lanes taken over by another process')
    void endedOn(lanes)
  }

  /** Resolves when the work in progress on lost lanes has ended, or failed. */
  async function endedOn(lanes: readonly number[]): Promise<void> {
    await changes
      ?.lost(lanes)
      .catch(error => log.error({ lanes, error: String(error) }, 'work on lost lanes did not end in order'))
  }

  /** A lane with a new fence was lost in between: another process may have worked on it. */
  function take({ leases, others }: Claim): readonly number[] {
    onOthers(others)
    const fences = new Map(leases.map(({ lane, fence }) => [lane, fence]))
    const known = [...current.values(), ...leaving.values()]
    lose(known.filter(({ lane, fence }) => fences.get(lane) !== fence).map(({ lane }) => lane))
    const gained = leases.filter(({ lane }) => !current.has(lane) && !leaving.has(lane))
    for (const lease of gained) current.set(lease.lane, lease)
    return gained.map(({ lane }) => lane)
  }

  /** Begins no more work on these lanes and lets what is in progress end. Returns those that are still ours to give. */
  async function finish(lanes: readonly number[]): Promise<readonly number[]> {
    for (const lane of lanes) {
      const lease = current.get(lane)
      if (lease !== undefined) leaving.set(lane, lease)
      current.delete(lane)
    }
    await within(endedOn(lanes))
    return lanes.filter(lane => leaving.delete(lane))
  }

  /** What does not end in time is refused at its commit, and performed again by the next holder. */
  function within(work: Promise<void>): Promise<void> {
    return new Promise(resolve => {
      const patience = clock.alarm(clock.now() + HAND_OVER_MS, resolve)
      void work.then(() => {
        patience.cancel()
        resolve()
      })
    })
  }

  function renewLater(everyMs: number): void {
    if (stopped) return
    renewal = clock.alarm(clock.now() + everyMs, () => {
      renewing = renew().finally(() => {
        renewing = null
        renewLater(everyMs)
      })
    })
  }

  async function renew(): Promise<void> {
    try {
      const claim = await store.claimLanes()
      if (hasLeft) return onOthers(claim.others)
      const gained = take(claim)
      if (stopped) return
      // Neither is awaited: what is here must be renewed meanwhile.
      if (gained.length > 0) changes?.gained(gained)
      if (leaving.size === 0) void giveAway(claim.surplus)
    } catch (error) {
      // The store decides: it refuses the next commit under a lease that has expired meanwhile.
      log.error({ error: String(error) }, 'lease renewal failed')
    }
  }

  async function giveAway(surplus: number): Promise<void> {
    if (surplus === 0) return
    try {
      const lanes = await finish([...current.keys()].slice(-surplus))
      await store.releaseLanes(lanes)
      log.info({ lanes: lanes.length, left: current.size }, 'lanes given to other nodes')
    } catch (error) {
      // They are claimed again with the next renewal.
      log.error({ error: String(error) }, 'lanes were not given to other nodes')
    }
  }

  function pause(): void {
    stopped = true
    renewal?.cancel()
  }

  const leaseOf = (lane: number): Lease | null => current.get(lane) ?? leaving.get(lane) ?? null

  async function leave(): Promise<void> {
    // There is nobody to give anything to.
    if (renewEveryMs === null) return
    pause()
    await renewing
    await finish([...current.keys()])
    // Without a database they expire by themselves.
    await store.leaveLanes().catch(error => log.warn({ error: String(error) }, 'lanes were not given back'))
    hasLeft = true
    if (ended) return
    // Until it stops, the other nodes reach this one.
    stopped = false
    renewLater(renewEveryMs)
  }

  return {
    of: account => leaseOf(laneOf(account, count)),
    leaseOf,
    isOurs: account => current.has(laneOf(account, count)),
    get lanes() {
      return [...current.keys()]
    },
    get leads() {
      return current.has(0)
    },
    async start(given) {
      take(await store.claimLanes())
      changes = given
      if (renewEveryMs !== null) renewLater(renewEveryMs)
    },
    refused({ lane, fence }) {
      const held = current.get(lane) ?? leaving.get(lane)
      if (held?.fence === fence) lose([lane])
    },
    leave() {
      left ??= leave()
      return left
    },
    stop() {
      ended = true
      pause()
    },
  }
}
