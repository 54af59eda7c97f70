// test/unit/simulator/online-queue.test.ts — the queue of online scenarios loses none to a crash.
import { deepEqual, equal, throws } from 'node:assert/strict'
import { test } from 'vitest'
import { createOnlineScripts } from '../../../src/simulator/acquirer/online-queue.ts'
import type { SimulatedMemory } from '../../../src/simulator/memory/memory.ts'
import { createProcessMemory } from '../../../src/simulator/memory/process-memory.ts'

const QUEUE = { next: [{ scenario: 'declined' }, { scenario: 'insufficient_funds', times: 2 }], afterwards: 'approved' }
const PLAYED = ['declined', 'insufficient_funds', 'insufficient_funds', 'approved']

/** A memory of a process that is killed after so many writes. */
function killedAfter(memory: SimulatedMemory, writes: number): SimulatedMemory {
  let left = writes
  return {
    ...memory,
    write(documents) {
      if (left === 0) throw new Error('killed')
      left -= 1
      memory.write(documents)
    },
  }
}

/** Names of the scenarios that payments play, as the memory holds them. */
function assignedIn(memory: SimulatedMemory): readonly string[] {
  return memory
    .list('online-script', { parent: 'demo', limit: 10 })
    .filter(({ key }) => key !== 'demo')
    .map(({ body }) => JSON.parse(body) as string)
    .reverse()
}

test.each([0, 1, 2, 3])('a kill after %i writes loses no queued scenario', writes => {
  const memory = createProcessMemory()
  deepEqual(createOnlineScripts(memory).setQueue('demo', QUEUE), QUEUE)
  const killed = createOnlineScripts(killedAfter(memory, writes))
  throws(() => PLAYED.map((_, index) => killed.of('demo', `payment-${index}.authorise`)), /killed/)
  const restarted = createOnlineScripts(memory)
  for (const index of PLAYED.keys()) restarted.of('demo', `payment-${index}.authorise`)
  deepEqual(assignedIn(memory), PLAYED)
  equal(restarted.queueOf('demo').next.length, 0)
})
