// src/simulator/acquirer/online-queue.ts — scenario of each online payment of an account. Acquirer and directory server find
// it by the payment id, which is the prefix of their order ids.

import { readStrictly, sentenceOf } from '../../api/read/strict-document.ts'
import type { SandboxOnlineScenarios, Unplayable } from '../controls.ts'
import type { MemoryDocument, SimulatedMemory } from '../memory/memory.ts'
import {
  ONLINE_QUEUE,
  type OnlineQueue,
  type OnlineScenario,
  ORDINARY_SCENARIO,
  onlineScenarioIn,
  unknownOnlineScenario,
} from '../scenarios/online-scenarios.ts'

export interface OnlineScripts extends SandboxOnlineScenarios {
  /** Scenario for the payment of this order. The first call for a payment advances the queue. */
  of(account: string, orderId: string): OnlineScenario
}

const NOTHING: OnlineQueue = { next: [], afterwards: null }

/**
 * Writes the assignment before it is used, so a payment plays the same scenario after a crash. The shorter queue is part of
 * the same write: no crash loses a scenario between the two.
 */
export function createOnlineScripts(memory: SimulatedMemory): OnlineScripts {
  const queueOf: OnlineScripts['queueOf'] = account => {
    const body = memory.read('online-script', account)
    return body === null ? NOTHING : (JSON.parse(body) as OnlineQueue)
  }

  /** Assigns the next planned scenario to a payment; null when nothing is planned. */
  function assignNext(account: string, payment: string): string | null {
    const queue = queueOf(account)
    const { scenario, left } = taken(queue)
    if (scenario === null) return null
    const assigned = documentOf(account, paymentKey(account, payment), scenario)
    memory.write(left === queue ? [assigned] : [documentOf(account, account, left), assigned])
    return scenario
  }

  return {
    queueOf,
    setQueue(account, document) {
      const read = readStrictly(ONLINE_QUEUE, document)
      if ('problems' in read)
        return { refusal: { at: read.problems[0]?.at ?? '', says: read.problems.map(sentenceOf).join(' ') } }
      const { next: planned, afterwards = null } = read.value
      for (const [index, { scenario }] of planned.entries())
        if (onlineScenarioIn(scenario) === null) return refusal(`next[${index}]`, scenario)
      if (afterwards !== null && onlineScenarioIn(afterwards) === null) return refusal('afterwards', afterwards)
      const queue = { next: planned, afterwards }
      memory.write([documentOf(account, account, queue)])
      return queue
    },
    reserve: (account, payment, scenario) =>
      memory.write([documentOf(account, paymentKey(account, payment), scenario)]),
    addFaults(account, payment, faults) {
      const known = memory.read('online-script', paymentKey(account, payment))
      const parts = [...(known === null ? [] : [JSON.parse(known) as string]), ...faults]
      memory.write([documentOf(account, paymentKey(account, payment), parts.join('+'))])
    },
    of(account, orderId) {
      const [payment = ''] = orderId.split('.')
      const known = memory.read('online-script', paymentKey(account, payment))
      const text = known === null ? assignNext(account, payment) : (JSON.parse(known) as string)
      if (text === null) return ORDINARY_SCENARIO
      // Another version may have written a name that this one does not know: play the ordinary scenario.
      return onlineScenarioIn(text) ?? ORDINARY_SCENARIO
    },
  }
}

/** The scenario that comes next, and the queue without it. A queue that is empty already stays the same object. */
function taken(queue: OnlineQueue): { readonly scenario: string | null; readonly left: OnlineQueue } {
  const [first, ...rest] = queue.next
  if (first === undefined) return { scenario: queue.afterwards ?? null, left: queue }
  const { scenario, times = 1 } = first
  return { scenario, left: { ...queue, next: times > 1 ? [{ scenario, times: times - 1 }, ...rest] : rest } }
}

function documentOf(account: string, key: string, body: unknown): MemoryDocument {
  return { collection: 'online-script', key, parent: account, body: JSON.stringify(body) }
}

function paymentKey(account: string, payment: string): string {
  return `${account}/${payment}`
}

function refusal(at: string, name: string): Unplayable {
  return { refusal: { at, says: unknownOnlineScenario(name) } }
}
