// src/simulator/terminals/terminals.ts — the simulated terminals: driver for the gateway, and controls for the sandbox.
import type { AccountProfile } from '../../domain/accounts/merchant-account.ts'
import type { Terminal } from '../../domain/accounts/terminal.ts'
import type { Activity } from '../../engine/activity.ts'
import type { Clocks } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { TerminalCall, TerminalDriver, TerminalMemory, TerminalPresence } from '../../engine/ports/terminal.ts'
import type { SandboxTerminals } from '../controls.ts'
import { createArmedFaults } from '../faults/armed.ts'
import { SIMULATED_TERMINALS } from '../makes.ts'
import type { SimulatedMemory } from '../memory/memory.ts'
import type { ScenarioName } from '../scenarios/built-in.ts'
import { createScenarioControls } from '../scenarios/chosen.ts'
import { createScenarioLibrary } from '../scenarios/library.ts'
import { ORDINARY, type Scenario } from '../scenarios/scenario.ts'
import { type Input, scenarioFor } from './behaviour.ts'
import { type DeviceState, isReachable, type Setup } from './device.ts'
import { withFaults } from './fault-profile.ts'
import { createRuntimes } from './runtimes.ts'
import { screenOf, testCardViews } from './screen.ts'
import { scenarioOf } from './scripted-ids.ts'
import type { TerminalRuntime } from './terminal-runtime.ts'
import { createWaiterControls } from './waiters.ts'

export interface SimulatedTerminalsParts {
  readonly memory: SimulatedMemory
  readonly clocks: Clocks
  /** Counts work under way. */
  readonly activity?: Activity
  readonly log: Log
  readonly random: Random
  /** Milliseconds per step, for terminals without a setting of their own. */
  readonly paceMs: number
  /** Scenario documents from the installation's directory. */
  readonly scenarios?: readonly unknown[]
  /** Account profile, for the head of receipts. */
  readonly profileOf: (account: string) => Promise<AccountProfile>
}

export interface SimulatedTerminals extends SandboxTerminals {
  readonly driver: TerminalDriver
  /** Queues one scenario for each of the next transactions on a terminal. After them its id decides again. */
  setScenarios(terminal: Terminal, names: readonly ScenarioName[]): void
  /** Reloads the terminals of an account after a snapshot was restored. */
  reload(account: string): void
  /** Drops the terminals of a closed account: none of them acts or writes again. */
  forget(account: string): void
}

/** Creates all simulated terminals over one memory. They start at the first call, and deliver from `listen` on. */
export function createSimulatedTerminals(parts: SimulatedTerminalsParts): SimulatedTerminals {
  const library = createScenarioLibrary(parts.memory, parts.scenarios ?? [])
  const runtimes = createRuntimes(parts)
  const { at, stateOf } = runtimes

  /** Scenario of a transaction on this terminal; with null, of the next one. */
  function scenarioAt(state: DeviceState, requestId: string | null): Scenario {
    return scenarioNamed(state, scenarioFor(state, requestId))
  }

  function scenarioNamed(state: DeviceState, name: string | null): Scenario {
    const byId = () => scenarioOf(state.tid)
    // A scenario that was deleted meanwhile cannot be played.
    return (name === null ? null : library.find(state.account, name, byId)) ?? byId()
  }

  /** @throws Error when the terminal is not reachable. */
  function reach(terminal: Terminal): TerminalRuntime {
    const runtime = at(terminal)
    if (!isReachable(runtime.state)) throw new Error(`${terminal.tid} is not connected`)
    return runtime
  }

  async function tell(
    call: TerminalCall,
    input: (ids: { effectId: string; requestId: string }) => Input,
  ): Promise<void> {
    const runtime = reach(call.terminal)
    runtime.take(input({ effectId: call.effectId, requestId: call.transaction.requestId }))
    await runtime.stored()
    // A fault may have broken the connection during this call.
    if (!isReachable(runtime.state)) throw new Error(`${call.terminal.tid} was not reached`)
  }

  async function setupOf({ settings, merchantAccount }: Terminal, limitMs: number): Promise<Setup> {
    const { name, address, merchantNumber, timeZone } = await parts.profileOf(merchantAccount)
    const paceMs = settings.paceMs ?? parts.paceMs
    return { settings, shop: { name, address, merchantNumber, timeZone }, paceMs, limitMs }
  }

  const driver: TerminalDriver = {
    ...SIMULATED_TERMINALS,
    authorisedBy: 'gateway',
    presence: terminal => presenceOf(stateOf(terminal), terminal, scenarioAt),
    async start(call) {
      const setup = await setupOf(call.terminal, call.transaction.limits.transactionMs)
      const { request, requestId } = call.transaction
      const scenario = scenarioAt(at(call.terminal).state, requestId)
      await tell(call, ids => ({ ...ids, type: 'start', request, setup, scenario }))
    },
    cancel: call => tell(call, ids => ({ ...ids, type: 'cancel' })),
    answerSignature: (call, { accepted, timedOut }) =>
      tell(call, ids => ({ ...ids, type: 'signature_answered', accepted, timedOut })),
    answerAuthorisation: (call, answer) => tell(call, ids => ({ ...ids, type: 'authorisation_answered', answer })),
    async runReport({ effectId, terminal, report }) {
      const { requestId, reportType, limitMs } = report
      const setup = await setupOf(terminal, limitMs)
      const runtime = reach(terminal)
      runtime.take({ type: 'run_report', effectId, requestId, reportType, setup })
      await runtime.stored()
    },
    lastTransaction: async (terminal, requestId) => remembered(reach(terminal), requestId),
    listen: runtimes.listen,
    servesOthers: runtimes.servesOthers,
    close: runtimes.close,
  }

  const scenarios = createScenarioControls(library, runtimes, (state, named) =>
    scenarioNamed(state, named ?? scenarioFor(state, null)),
  )

  return {
    driver,
    scenarios,
    faults: createArmedFaults(parts.memory),
    cards: testCardViews(),
    waiters: createWaiterControls({
      at,
      setupOf: terminal => setupOf(terminal, 0),
      isPlayable: (account, name) => library.find(account, name, () => ORDINARY) !== null,
    }),
    screenOf: terminal => screenOf(at(terminal).state, terminal.settings),
    async press(terminal, key) {
      const comes = key.key === 'waiter' || key.key === 'run_report'
      const setup = comes ? { setup: await setupOf(terminal, 0) } : {}
      const pressed = at(terminal).take({ type: 'key', key, ...setup })
      if (pressed) parts.log.info({ tid: terminal.tid, key: key.key }, 'key pressed on simulated terminal')
      return pressed ? 'pressed' : 'refused'
    },
    reset: terminal => void at(terminal).take({ type: 'reset' }),
    forget: runtimes.forget,
    reload: runtimes.reload,
    setScenarios: (terminal, names) => void scenarios.setQueue(terminal, { next: names }),
  }
}

function presenceOf(
  state: DeviceState,
  terminal: Terminal,
  scenarioAt: (state: DeviceState, requestId: null) => Scenario,
): TerminalPresence | null {
  if (!isReachable(state)) return null
  // A terminal that leaves printing to the till needs no paper.
  return {
    paperOut:
      terminal.settings.printing && (state.paperOut || withFaults(scenarioAt(state, null)).scenario.startsWithoutPaper),
    inUse: state.session !== null,
  }
}

async function remembered(runtime: TerminalRuntime, requestId: string): Promise<TerminalMemory> {
  const { running, report, past } = runtime.state
  if (running?.requestId === requestId || report?.requestId === requestId) return { state: 'running' }
  const known = past.find(other => other.requestId === requestId)
  // The caller relies on a forgotten transaction never starting, so the terminal records the denial.
  if (known === undefined) runtime.take({ type: 'denied', requestId })
  await runtime.stored()
  return known === undefined || known.state === 'forgotten'
    ? { state: 'forgotten' }
    : { state: 'ended', successful: known.state === 'successful' }
}
