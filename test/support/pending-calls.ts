// test/support/pending-calls.ts — counts the calls that wait for a database, so that a test can wait for them.
import type { Store } from '../../src/engine/ports/store.ts'

export interface PendingCalls {
  /** Number of calls without an answer. */
  readonly count: number
  /** Resolves when one of them is answered; at once when there is none. */
  nextAnswer(): Promise<void>
  /** The same object, with its calls counted. */
  counted<T extends object>(object: T): T
  /** The same store, with its calls and those of the feeds that it opens counted. */
  countedStore<T extends Store>(store: T): T
}

export function createPendingCalls(): PendingCalls {
  let count = 0
  let waiting: (() => void)[] = []
  const during = async <Answer>(call: () => Answer): Promise<Awaited<Answer>> => {
    count += 1
    try {
      return await call()
    } finally {
      count -= 1
      const answered = waiting
      waiting = []
      for (const resolve of answered) resolve()
    }
  }
  const counted = <T extends object>(object: T): T => {
    const members = Object.entries(object).map(([name, member]) => {
      if (typeof member !== 'function') return [name, member]
      return [name, (...given: unknown[]) => during(() => member(...given))]
    })
    return Object.fromEntries(members) as T
  }
  return {
    get count() {
      return count
    },
    async nextAnswer() {
      if (count > 0) await new Promise<void>(resolve => waiting.push(resolve))
    },
    counted,
    countedStore: store => ({
      ...counted(store),
      followOthers: whenMore => during(async () => counted(await store.followOthers(whenMore))),
    }),
  }
}
