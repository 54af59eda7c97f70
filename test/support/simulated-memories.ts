// test/support/simulated-memories.ts — each implementation of the simulator's memory, with what a crash leaves of it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SimulatedMemory } from '../../src/simulator/memory/memory.ts'
import { createProcessMemory } from '../../src/simulator/memory/process-memory.ts'
import { createSqliteMemory } from '../../src/simulator/memory/sqlite-memory.ts'
import { TestClock } from './test-clock.ts'

export interface MemoryUnderTest {
  readonly memory: SimulatedMemory
  /** The memory as the next process finds it. The old one stays open, as after a kill. */
  afterCrash(): SimulatedMemory
  /** Resolves when everything is written. */
  written(): Promise<void>
  close(): Promise<void>
}

export const MEMORIES: readonly { readonly name: string; readonly make: (now?: () => number) => MemoryUnderTest }[] = [
  {
    name: 'in this process',
    make(now) {
      const memory = createProcessMemory(now)
      return { memory, afterCrash: () => memory, written: () => memory.written(), close: () => memory.close() }
    },
  },
  {
    name: 'in a file',
    make(now) {
      const directory = mkdtempSync(join(tmpdir(), 'tollgate-sandbox-'))
      const path = join(directory, 'sandbox.db')
      const opened = [createSqliteMemory(path, now)]
      return {
        memory: opened[0]!,
        afterCrash() {
          const memory = createSqliteMemory(path)
          opened.push(memory)
          return memory
        },
        async written() {
          await Promise.all(opened.map(memory => memory.written()))
        },
        async close() {
          await Promise.all(opened.map(memory => memory.close()))
          rmSync(directory, { recursive: true, force: true })
        },
      }
    },
  },
]

/** Turns of the event loop in which a terminal takes its next step, after its last one was written. */
const TURNS = 10

/** A clock that waits between alarms until the steps of terminals on this memory are written. */
export function clockOver(under: MemoryUnderTest): TestClock {
  return new TestClock(undefined, async () => {
    for (let turn = 0; turn < TURNS; turn += 1) {
      await under.written()
      await new Promise<void>(resolve => setImmediate(resolve))
    }
  })
}
