// test/crash/moments.ts — decides when to kill: after a number of events of a kind, never by a clock.
import { watch } from 'node:fs'
import type { SeededRandom } from '../support/seeded-random.ts'
import { deferred } from './deferred.ts'

/** Countable events. File changes come from the kernel, so a kill may fall between the pages of a commit. */
export type EventEnvelope = 'answer' | 'request' | 'store_change' | 'world_change' | 'any_change'

/** Files of the gateway's database, and of the simulator's memory. */
const STORE_FILE = /^tollgate\.db/
const WORLD_FILE = /^sandbox\.db/

/** Upper bound in answers, which ends the wait where file changes cannot be observed. */
const MOST_ANSWERS = 400

export interface Moment {
  readonly what: EventEnvelope
  readonly count: number
  /** Event-loop turns of this process to wait after that. */
  readonly turns: number
  /** True: counted from the start of the process, so that it may be killed before it listens. False: from when it listens. */
  readonly sinceStart: boolean
}

export interface Moments {
  happened(what: EventEnvelope): void
  /** Resolves when the moment has come, counted from this call. */
  come(moment: Moment): Promise<void>
  close(): void
}

/** Counts file changes in a data directory, and reported events. */
export function createMoments(directory: string): Moments {
  const watchers = new Set<(what: EventEnvelope) => void>()
  const happened = (what: EventEnvelope) => {
    for (const watcher of watchers) watcher(what)
  }
  const watched = watch(directory, { persistent: false }, (_, file) => {
    happened('any_change')
    if (STORE_FILE.test(file ?? '')) happened('store_change')
    if (WORLD_FILE.test(file ?? '')) happened('world_change')
  })
  return {
    happened,
    async come({ what, count, turns }) {
      const reached = deferred<void>()
      let counted = 0
      let answers = 0
      const watcher = (envelope: EventEnvelope) => {
        if (envelope === what) counted += 1
        if (envelope === 'answer') answers += 1
        if (counted >= count || answers >= MOST_ANSWERS) reached.resolve()
      }
      watchers.add(watcher)
      await reached.promise
      watchers.delete(watcher)
      for (let turn = 0; turn < turns; turn += 1) await new Promise<void>(resolve => setImmediate(resolve))
    },
    close: () => watched.close(),
  }
}

const DRAWN = ['answer', 'request', 'store_change', 'world_change'] as const

/** One life in this many is ten times as long, for longer work: a waiter's session, a report. */
const LONG_LIFE = 8

/** A random moment. One in five may come before the gateway listens. */
export function aMoment(random: SeededRandom): Moment {
  const what = DRAWN[random.integer(DRAWN.length)]!
  const sinceStart = random.integer(5) === 0
  const most = sinceStart ? 12 : 100
  const lasting = !sinceStart && random.integer(LONG_LIFE) === 0 ? 10 : 1
  return { what, count: (1 + random.integer(most)) * lasting, turns: random.integer(30), sinceStart }
}
