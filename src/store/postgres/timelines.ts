// src/store/postgres/timelines.ts — tells the primary of today from an old one that came back, by their timelines. ADR 73.

/** A stretch of the history of a database cluster. Each promotion of a standby begins the next one. */
export interface Timeline {
  /** System identifier: the same for a primary and its standbys. */
  readonly cluster: string
  /** Counts from 1. */
  readonly number: number
}

/** The newest timeline that this process knows. All its connections share one. */
export interface Timelines {
  /** Null before the first. */
  readonly newest: Timeline | null
  /** Takes note of the timeline of a primary that was reached. Returns why it must not be used; null when it may. */
  meet(timeline: Timeline): string | null
  /** Takes note that the newest primary is used. @param confirms whether it confirms a COMMIT only when a standby has it, too */
  use(confirms: boolean): void
  /** Takes note of a timeline that another node has met. */
  learn(timeline: Timeline): void
  /** Calls back once when the server of a timeline has become an old primary. Returns a function that calls it off. */
  whenPast(timeline: Timeline, listener: () => void): () => void
  /**
   * Calls back with each newer timeline. `mayLack`: a primary that this process has used did not wait for its standby, so the one that
   * was promoted need not have all that this process has read and written.
   */
  onNewer(listener: (newest: Timeline, mayLack: boolean) => void): void
}

/**
 * @param noted what an earlier process has met. A cluster with another identifier takes its place: the database may have been moved
 * while nothing ran
 */
export function createTimelines(noted: Timeline | null = null): Timelines {
  const listeners = new Set<(newest: Timeline, mayLack: boolean) => void>()
  let newest = noted
  let met = false
  let mayLack = false

  function take(timeline: Timeline): void {
    newest = timeline
    const lacks = mayLack
    mayLack = false
    for (const listener of listeners) listener(timeline, lacks)
  }

  return {
    get newest() {
      return newest
    },
    meet(timeline) {
      const { cluster, number } = timeline
      const known = newest
      if (known !== null && isBefore(timeline, known))
        return `it is an old primary: its timeline is ${number}, and ${known.number} has begun elsewhere`
      if (met && known !== null && known.cluster !== cluster)
        return `it is another database: its system identifier is ${cluster} and was ${known.cluster}`
      met = true
      if (known === null || known.cluster !== cluster || isBefore(known, timeline)) take(timeline)
      return null
    },
    use(confirms) {
      mayLack ||= !confirms
    },
    learn(timeline) {
      if (newest !== null && isBefore(newest, timeline)) take(timeline)
    },
    whenPast(timeline, listener) {
      const look = (current: Timeline) => {
        if (!isBefore(timeline, current)) return
        listeners.delete(look)
        listener()
      }
      listeners.add(look)
      return () => void listeners.delete(look)
    },
    onNewer: listener => void listeners.add(listener),
  }
}

function isBefore(one: Timeline, other: Timeline): boolean {
  return one.cluster === other.cluster && one.number < other.number
}
