// src/simulator/scenarios/chosen.ts — assigns scenarios to the next transactions on a terminal, or to one that is about to
// start.

import { type Problem, readStrictly, sentenceOf } from '../../api/read/strict-document.ts'
import type { Terminal } from '../../domain/accounts/terminal.ts'
import { decodeEvent } from '../../engine/decoding.ts'
import { TERMINAL_TRANSACTION } from '../../engine/machines.ts'
import type { SandboxScenarios, ScenarioQueue, Unplayable } from '../controls.ts'
import { targetOf } from '../faults/catalogue.ts'
import type { DeviceState } from '../terminals/device.ts'
import type { TerminalRuntime } from '../terminals/terminal-runtime.ts'
import { SCENARIO_QUEUE } from './document.ts'
import type { ScenarioLibrary } from './library.ts'
import { replayOf } from './replay.ts'
import { ORDINARY, type Scenario } from './scenario.ts'

interface Terminals {
  at(terminal: Terminal): TerminalRuntime
  /** Also of a terminal that runs on another node. */
  stateOf(terminal: Terminal): DeviceState
  of(account: string): Iterable<TerminalRuntime>
}

/** Creates the controls over the library and the terminals that play its scenarios. */
export function createScenarioControls(
  library: ScenarioLibrary,
  terminals: Terminals,
  scenarioAt: (state: DeviceState, named: string | null) => Scenario,
): SandboxScenarios {
  const isKnown = (terminal: Terminal, name: string) =>
    library.find(terminal.merchantAccount, name, () => ORDINARY) !== null

  function readQueue(terminal: Terminal, document: unknown): ScenarioQueue | Unplayable {
    const read = readStrictly(SCENARIO_QUEUE, document)
    if ('problems' in read) return refusalOf(read.problems)
    const { next, afterwards = null } = read.value
    const queue = {
      next: next.map(each => (typeof each === 'string' ? { scenario: each, times: 1 } : { times: 1, ...each })),
      afterwards,
    }
    for (const [index, { scenario }] of queue.next.entries())
      if (!isKnown(terminal, scenario)) return unknown(`next[${index}]`, scenario)
    return afterwards === null || isKnown(terminal, afterwards) ? queue : unknown('afterwards', afterwards)
  }

  return {
    list: library.list,
    documentOf: library.documentOf,
    forget(account, name) {
      const waiting = [...terminals.of(account)].find(({ state }) => isToPlay(state, name))
      if (waiting === undefined) return library.forget(account, name)
      const says = `${waiting.state.tid} has it among its next scenarios; set others there first.`
      return { refusal: { at: 'name', says } }
    },
    define(account, document) {
      const defined = library.define(account, document)
      return 'problems' in defined ? refusalOf(defined.problems) : defined
    },
    replayOf: (requestId, events) =>
      replayOf(
        requestId,
        events.map(({ at, body }) => ({ at, event: decodeEvent(TERMINAL_TRANSACTION, body).event })),
      ),
    queueOf: terminal => queueIn(terminals.at(terminal).state),
    setQueue(terminal, document) {
      const queue = readQueue(terminal, document)
      if ('refusal' in queue) return queue
      const runtime = terminals.at(terminal)
      runtime.take({ type: 'scenarios_set', scenarios: queue.next, afterwards: queue.afterwards })
      return queueIn(runtime.state)
    },
    reserve(terminal, requestId, scenario) {
      if (!isKnown(terminal, scenario)) return unknown('', scenario)
      terminals.at(terminal).take({ type: 'scenario_reserved', requestId, scenario })
      return null
    },
    requestFaults(terminal, name) {
      const state = terminals.stateOf(terminal)
      const { scenarios, afterwards, reserved } = state
      if (name === null && scenarios.length === 0 && afterwards === null && reserved.length === 0) return []
      return scenarioAt(state, name).faults.filter(fault => targetOf(fault) === 'request')
    },
    skip: terminal => void terminals.at(terminal).take({ type: 'scenario_skipped' }),
    release: (terminal, requestId) => void terminals.at(terminal).take({ type: 'scenario_released', requestId }),
  }
}

/** Whether a terminal has a scenario, alone or with faults, among its next ones. */
function isToPlay({ scenarios, afterwards, reserved }: DeviceState, name: string): boolean {
  const texts = [...scenarios, ...reserved].map(({ scenario }) => scenario)
  return [...texts, afterwards ?? ''].some(text => text.split('+', 1)[0] === name)
}

function queueIn({ scenarios, afterwards }: DeviceState): ScenarioQueue {
  return { next: scenarios, afterwards }
}

function refusalOf(problems: readonly Problem[]): Unplayable {
  return { refusal: { at: problems[0]?.at ?? '', says: problems.map(sentenceOf).join(' ') } }
}

function unknown(at: string, name: string): Unplayable {
  const says =
    `There is no scenario named ${JSON.stringify(name)}. See GET /sandbox/scenarios, ` +
    'and GET /sandbox/faults for faults to add.'
  return { refusal: { at, says } }
}
