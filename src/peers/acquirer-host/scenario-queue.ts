// src/peers/acquirer-host/scenario-queue.ts — the scenarios of the host's next messages, of card numbers and of amounts.
import { createScenarioQueue, type ScenarioQueue } from '../scenario-queue.ts'
import { type Behaviour, behaviourIn, ORDINARY_BEHAVIOUR } from './behaviour.ts'

/** What a message is, for the scenarios that concern it. */
export type Concern = 'payment' | 'reversal' | 'reconciliation' | 'network'

export type HostScenarios = ScenarioQueue<Concern, Behaviour>

/** Creates an empty queue: everything is decided by amount, or approved. */
export function createHostScenarios(): HostScenarios {
  return createScenarioQueue<Concern, Behaviour>({
    concerns: ['payment', 'reversal', 'reconciliation', 'network'],
    ...{ seesCards: true, ordinary: ORDINARY_BEHAVIOUR, behaviourIn },
  })
}
