// test/recorded/scenario.ts — a scenario: settings of the gateway, and the exchanges to play.
import type { Setup } from './gateway.ts'
import type { Play } from './play.ts'

export interface Scenario {
  /** Unique in its area. */
  readonly name: string
  readonly setup: Setup
  readonly play: (play: Play) => Promise<void>
}

export function scenario(name: string, play: Scenario['play'], setup: Setup = {}): Scenario {
  return { name, setup, play }
}
