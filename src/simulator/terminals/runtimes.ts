// src/simulator/terminals/runtimes.ts — the simulated terminals that run in this process: those of the accounts that it serves.
import type { Terminal } from '../../domain/accounts/terminal.ts'
import { Fault } from '../../engine/fault.ts'
import { IdMap } from '../../engine/key-map.ts'
import type { TerminalDriver, TerminalSink } from '../../engine/ports/terminal.ts'
import type { DeviceState } from './device.ts'
import {
  createTerminalRuntime,
  storedDevice,
  type TerminalRuntime,
  type TerminalRuntimeParts,
} from './terminal-runtime.ts'

/** Upper bound of terminals loaded at start, against memory. A sandbox has tens. */
const MOST_DEVICES = 10_000

export interface Runtimes extends Pick<TerminalDriver, 'listen' | 'close'> {
  servesOthers(): Promise<void>
  /** The terminal. @throws Fault `lease_lost` when it runs on another node */
  at(terminal: Terminal): TerminalRuntime
  /** The state of a terminal, also of one that runs on another node. */
  stateOf(terminal: Terminal): DeviceState
  /** The running terminals of an account. */
  of(account: string): Iterable<TerminalRuntime>
  /** Reloads the terminals of an account from memory. */
  reload(account: string): void
  /** Closes the terminals of an account: none of them acts or writes again. */
  forget(account: string): void
}

export function createRuntimes(parts: Omit<TerminalRuntimeParts, 'sink'>): Runtimes {
  const { memory } = parts
  const runtimes = new IdMap<TerminalRuntime>()
  let sink: TerminalSink | null = null
  /** Whether the terminals of an account run in this process. */
  let serves = (_account: string): boolean => true

  function runtimeOf(account: string, tid: string): TerminalRuntime {
    const key = { account, id: tid }
    const known = runtimes.get(key)
    if (known !== undefined) return known
    if (!serves(account)) throw new Fault('lease_lost', { detail: account })
    const runtime = createTerminalRuntime({ ...parts, sink: () => sink }, account, tid)
    runtimes.set(key, runtime)
    return runtime
  }

  /** Runtimes of the stored terminals of one account, or of all that this process serves. */
  function recalled(account?: string): readonly TerminalRuntime[] {
    const query = { limit: MOST_DEVICES, ...(account === undefined ? {} : { parent: account }) }
    return memory
      .list('device', query)
      .filter(({ parent }) => serves(parent))
      .map(({ parent, body }) => runtimeOf(parent, (JSON.parse(body) as DeviceState).tid))
  }

  function forget(account: string): void {
    for (const runtime of runtimes.valuesOf(account)) runtime.close()
    runtimes.deleteAccount(account)
  }

  async function run(given: readonly TerminalRuntime[]): Promise<void> {
    for (const runtime of given) runtime.wake()
    await Promise.all(given.map(runtime => runtime.drained()))
  }

  return {
    at: ({ merchantAccount, tid }) => runtimeOf(merchantAccount, tid),
    stateOf({ merchantAccount, tid }) {
      const isHere = memory.nodes?.holds(merchantAccount) !== false
      return isHere ? runtimeOf(merchantAccount, tid).state : storedDevice(memory, merchantAccount, tid)
    },
    of: account => runtimes.valuesOf(account),
    forget,
    reload(account) {
      forget(account)
      for (const runtime of recalled(account)) runtime.wake()
    },
    async listen(given, servesGiven = serves) {
      sink = given
      serves = servesGiven
      recalled()
      await run([...runtimes.values()])
    },
    async servesOthers() {
      for (const { account } of [...runtimes.values()].map(({ state }) => state)) if (!serves(account)) forget(account)
      const known = new Set(runtimes.values())
      await run(recalled().filter(runtime => !known.has(runtime)))
    },
    async close() {
      sink = null
      for (const runtime of runtimes.values()) runtime.close()
    },
  }
}
