// src/engine/effects.ts — performs the effects of commits: at least once, in order per record, retried until the other
// side has answered. Effects that a crash interrupts are in the store at the next start.

import type { EffectId, MerchantAccountId } from '../domain/ids.ts'
import { type Activity, UNCOUNTED } from './activity.ts'
import { createBoundedCache } from './bounded-cache.ts'
import { KeyMap } from './key-map.ts'
import type { Alarm, Clocks } from './ports/clock.ts'
import type { Log, Meters } from './ports/log.ts'
import type { Key, Store, StoredEffect } from './ports/store.ts'
import type { Tracing } from './ports/tracing.ts'
import { performTraced } from './traced-work.ts'

/**
 * Performs one kind of effect. `done`: mark it as performed; `recorded`: a commit has already marked it; `again`: no answer
 * yet, retry. A performer that throws is retried too.
 */
export type Performer = (effect: StoredEffect) => Promise<'done' | 'recorded' | 'again'>
export type Performers = Readonly<Record<string, Performer>>

/** Effects whose performance is remembered: some seconds of a busy gateway. */
const REMEMBERED = 10_000

/** Delay before each retry, in milliseconds; the last one repeats. Short at first, because most faults are brief. */
const RETRY_AFTER_MS = [50, 250, 1_000, 2_000, 5_000, 15_000, 60_000] as const

export interface Effects {
  /** Queues effects. Effects of one record run one after the other. */
  enqueue(effects: readonly StoredEffect[]): void
  /** Queues effects found in the store, except those that are queued already. */
  takeUp(effects: readonly StoredEffect[]): void
  /** Retries the waiting effects of a record at once, because an outside condition has changed. */
  hurry(record: { readonly account: MerchantAccountId; readonly kind: string; readonly id: string }): void
  /** Drops the effects of an account that wait for a retry: a snapshot is about to replace its records. */
  forget(account: MerchantAccountId): void
  /** Drops the effects of accounts that are not ours any more. Resolves when those in progress have ended. */
  leave(): Promise<void>
  /** Effects being performed now, without those that wait for a retry. */
  readonly performing: number
  /** Starts no more effects; resolves when those in progress have ended. */
  stop(): Promise<void>
}

export interface EffectsParts {
  readonly performers: Performers
  readonly store: Store
  readonly clocks: Clocks
  /** Whether this process performs the effects of an account; absent for all. */
  readonly isOurs?: (account: MerchantAccountId) => boolean
  /** Counts effects in progress. */
  readonly activity?: Activity
  readonly log: Log
  readonly meters: Meters
  /** Null, the default, when tracing is off. */
  readonly tracing?: Tracing | null
}

interface Queue {
  readonly record: Key
  readonly waiting: StoredEffect[]
  tries: number
  running: boolean
  /** The record has changed since the current attempt began: if that fails, retry without delay. */
  changed: boolean
  retry: Alarm | null
}

/** Creates the effect queues. Nothing runs before the first `enqueue`. */
export function createEffects(parts: EffectsParts): Effects {
  const { performers, store, clocks, log, meters, isOurs = () => true, activity = UNCOUNTED, tracing = null } = parts
  const queues = new KeyMap<Queue>()
  /** Performed lately. A read of the store that began before may still find them. */
  const performed = createBoundedCache<EffectId, true>(REMEMBERED)
  let performing = 0
  let stopped = false
  /** Called after each effect queue has come to rest. */
  const resting = new Set<() => void>()

  function queueOf(effect: StoredEffect): Queue {
    const found = queues.get(effect)
    if (found !== undefined) return found
    const { account, kind, id } = effect
    const record = { account, kind, id }
    const queue: Queue = { record, waiting: [], tries: 0, running: false, changed: false, retry: null }
    queues.set(record, queue)
    return queue
  }

  /** Retries without delay: now, or right after the attempt in progress. */
  function goOn(queue: Queue): void {
    queue.retry?.cancel()
    queue.retry = null
    if (queue.running) queue.changed = true
    else run(queue)
  }

  function run(queue: Queue): void {
    if (queue.running || stopped) return
    const { account } = queue.record
    queue.running = true
    performing += 1
    activity.begin(account)
    void work(queue).then(() => {
      performing -= 1
      activity.end(account)
      for (const look of resting) look()
    })
  }

  async function work(queue: Queue): Promise<void> {
    const { account } = queue.record
    const goesOn = () => !stopped && isOurs(account)
    for (let effect = queue.waiting[0]; effect !== undefined && goesOn(); effect = queue.waiting[0]) {
      queue.changed = false
      let outcome: Awaited<ReturnType<Performer>> = 'again'
      try {
        outcome = await perform(effect, queue.tries)
        if (outcome === 'done') await store.effectsDone(effect.account, [effect.effectId])
      } catch (error) {
        outcome = 'again'
        if (!stopped) log.warn({ effectId: effect.effectId, type: effect.type, error: String(error) }, 'effect failed')
      }
      if (outcome !== 'again') {
        queue.tries = 0
        queue.waiting.shift()
        performed.set(effect.effectId, true)
      } else if (goesOn() && !queue.changed) {
        waitAndRetry(queue, effect)
        break
      }
    }
    // Set here, not when the promise settles: an effect enqueued in between would find the queue running and never start.
    queue.running = false
    if (!isOurs(account)) forget(queue)
    if (queue.waiting.length === 0) queues.delete(queue.record)
  }

  function perform(effect: StoredEffect, tries: number): ReturnType<Performer> {
    const performer = performers[effect.type]
    if (performer === undefined) throw new Error(`no performer for effects of type ${effect.type}`)
    return tracing === null ? performer(effect) : performTraced(tracing, performer, effect, tries + 1)
  }

  function waitAndRetry(queue: Queue, effect: StoredEffect): void {
    const waitMs = RETRY_AFTER_MS[Math.min(queue.tries, RETRY_AFTER_MS.length - 1)] ?? 0
    queue.tries += 1
    meters.effectRetried(effect.type)
    const clock = clocks.of(effect.account)
    queue.retry = clock.alarm(clock.now() + waitMs, () => {
      queue.retry = null
      run(queue)
    })
  }

  function forget(queue: Queue): void {
    if (queue.running) return
    queue.retry?.cancel()
    queues.delete(queue.record)
  }

  function enqueue(effects: readonly StoredEffect[]): void {
    const [first, second] = effects
    if (first !== undefined && second === undefined) {
      const queue = queueOf(first)
      queue.waiting.push(first)
      goOn(queue)
      return
    }
    const touched = new Set<Queue>()
    for (const effect of effects) {
      const queue = queueOf(effect)
      queue.waiting.push(effect)
      touched.add(queue)
    }
    // A new effect means that the record has changed, so an effect that waits for a retry may be obsolete: retry it now.
    // Effects of the same commit do not trigger this for each other.
    for (const queue of touched) goOn(queue)
  }

  /** Resolves once `isOver` returns true. */
  function rest(isOver: () => boolean): Promise<void> {
    return new Promise(resolve => {
      const look = (): void => {
        if (!isOver()) return
        resting.delete(look)
        resolve()
      }
      resting.add(look)
      look()
    })
  }

  return {
    enqueue,
    takeUp(effects) {
      const isKnown = (effect: StoredEffect) =>
        performed.has(effect.effectId) ||
        queues.get(effect)?.waiting.some(({ effectId }) => effectId === effect.effectId) === true
      enqueue(effects.filter(effect => isOurs(effect.account) && !isKnown(effect)))
    },
    hurry(record) {
      const queue = queues.get(record)
      if (queue === undefined) return
      queue.tries = 0
      goOn(queue)
    },
    forget(account) {
      for (const queue of queues.valuesOf(account)) forget(queue)
    },
    leave() {
      const left = [...queues.values()].filter(({ record }) => !isOurs(record.account))
      for (const queue of left) forget(queue)
      return rest(() => left.every(({ running }) => !running))
    },
    get performing() {
      return performing
    },
    async stop() {
      stopped = true
      for (const queue of queues.values()) queue.retry?.cancel()
      await rest(() => performing === 0)
    },
  }
}
