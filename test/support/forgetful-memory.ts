// test/support/forgetful-memory.ts — a simulator's memory that loses in a crash what it has not written yet, as a killed
// process does.
import { COLLECTIONS, type SimulatedMemory } from '../../src/simulator/memory/memory.ts'
import { createProcessMemory } from '../../src/simulator/memory/process-memory.ts'

type Change = (memory: SimulatedMemory) => void

export interface ForgetfulMemory {
  /** What the running process sees, and after a crash what was written. */
  readonly memory: SimulatedMemory
  crash(): void
}

/** Creates an empty memory. A change is written when somebody waits for it, at the end of the event-loop turn. */
export function createForgetfulMemory(): ForgetfulMemory {
  const inFile = createProcessMemory()
  let seen = createProcessMemory()
  let unwritten: Change[] = []
  let crashes = 0
  const change = (apply: Change): void => {
    apply(seen)
    unwritten.push(apply)
  }
  const memory: SimulatedMemory = {
    read: (collection, key) => seen.read(collection, key),
    list: (collection, query) => seen.list(collection, query),
    write: documents => change(each => each.write(documents)),
    replace: (parent, collections, documents) => change(each => each.replace(parent, collections, documents)),
    erase: (collection, key) => change(each => each.erase(collection, key)),
    eraseOf(parent, limit) {
      unwritten.push(each => void each.eraseOf(parent, limit))
      return seen.eraseOf(parent, limit)
    },
    eraseOld(query) {
      unwritten.push(each => void each.eraseOld(query))
      return seen.eraseOld(query)
    },
    async written() {
      if (unwritten.length === 0) return
      const life = crashes
      await new Promise<void>(resolve => setImmediate(resolve))
      // A killed process hears nothing any more.
      if (life !== crashes) await new Promise<never>(() => {})
      for (const apply of unwritten) apply(inFile)
      unwritten = []
    },
    close: async () => {},
  }
  return {
    memory,
    crash() {
      crashes += 1
      unwritten = []
      seen = createProcessMemory()
      for (const collection of COLLECTIONS)
        seen.write(inFile.list(collection, { limit: Number.MAX_SAFE_INTEGER }).toReversed())
    },
  }
}
