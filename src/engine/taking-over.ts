// src/engine/taking-over.ts — takes up the work that other processes leave: of lanes that change hands, and of their commits.
import type { MerchantAccountId } from '../domain/ids.ts'
import { type Activity, UNCOUNTED } from './activity.ts'
import { createNextRun } from './next-run.ts'
import { type RecoveryParts, resume } from './recovery.ts'
import { type LaneChanges, laneOf } from './work-leases.ts'

/** Upper bound of open effects in a lane. */
const ALL_EFFECTS = 1_000_000

/** How soon a failed attempt is repeated, in milliseconds. */
const AGAIN_MS = 1_000

export interface TakingOver extends LaneChanges {
  /** The lanes of this process without those whose running work is still looked up: a time limit must not come before a result. */
  readonly resumed: readonly number[]
  /** Another process has committed changes of these accounts, perhaps with effects and timers for this one. */
  committed(accounts: ReadonlySet<MerchantAccountId>): void
}

/** Connects the leases and the feed of other processes to effects and timers. */
export function createTakingOver(parts: RecoveryParts & { readonly activity?: Activity }): TakingOver {
  const { store, effects, timers, leases, clock, log, activity = UNCOUNTED } = parts
  /** Accounts whose effects and timers are still to be read. */
  const waiting = new Set<MerchantAccountId>()
  const takeUp = createNextRun(async () => {
    const accounts = [...waiting].filter(leases.isOurs)
    const lanes = new Set(accounts.map(account => laneOf(account, store.lanes.count)))
    waiting.clear()
    if (lanes.size === 0) return
    try {
      effects.takeUp(await store.undoneEffects(ALL_EFFECTS, [...lanes]))
      await timers.look(accounts)
    } catch (error) {
      log.error({ error: String(error) }, 'work of other processes not taken up')
      for (const account of accounts) waiting.add(account)
      clock.alarm(clock.now() + AGAIN_MS, () => void takeUp())
    }
  })
  /** Lanes whose work is being resumed, each with the attempt that does it. */
  const resuming = new Map<number, symbol>()

  /** Until it succeeds, or the lanes are others' again. */
  function gained(lanes: readonly number[]): void {
    const attempt = Symbol('resume')
    for (const lane of lanes) resuming.set(lane, attempt)
    const done = () => {
      for (const lane of lanes) if (resuming.get(lane) === attempt) resuming.delete(lane)
      return timers.lookAtAll()
    }
    resume(parts, lanes)
      .then(done)
      .catch(error => {
        log.error({ error: String(error) }, 'work of gained lanes not resumed')
        clock.alarm(clock.now() + AGAIN_MS, () => {
          const held = lanes.filter(lane => leases.lanes.includes(lane))
          if (held.length > 0) gained(held)
        })
      })
  }

  return {
    gained,
    get resumed() {
      return leases.lanes.filter(lane => !resuming.has(lane))
    },
    async lost(lanes) {
      const forget = parts.memory?.leaving(lanes)
      await Promise.all([effects.leave(), timers.settled(), ...parts.drivers.map(driver => driver.servesOthers?.())])
      await forget?.()
    },
    committed(accounts) {
      for (const account of accounts) {
        waiting.add(account)
        activity.begin(account)
      }
      void takeUp().finally(() => {
        for (const account of accounts) activity.end(account)
      })
    },
  }
}
