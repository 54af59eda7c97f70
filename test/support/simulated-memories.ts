// test/support/simulated-memories.ts — each implementation of the simulator's memory, with what a crash leaves of it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SimulatedMemory } from '../../src/simulator/memory/memory.ts'
import { createProcessMemory } from '../../src/simulator/memory/process-memory.ts'
import { createSqliteMemory } from '../../src/simulator/memory/sqlite-memory.ts'

export interface MemoryUnderTest {
  readonly memory: SimulatedMemory
  /** The memory as the next process finds it. The old one stays open, as after a kill. */
  afterCrash(): SimulatedMemory
  close(): Promise<void>
}

export const MEMORIES: readonly { readonly name: string; readonly make: (now?: () => number) => MemoryUnderTest }[] = [
  {
    name: 'in this process',
    make(now) {
      const memory = createProcessMemory(now)
      return { memory, afterCrash: () => memory, close: () => memory.close() }
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
        async close() {
          await Promise.all(opened.map(memory => memory.close()))
          rmSync(directory, { recursive: true, force: true })
        },
      }
    },
  },
]
