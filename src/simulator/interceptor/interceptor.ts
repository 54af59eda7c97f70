// src/simulator/interceptor/interceptor.ts — intercepts calls to the gateway: faults, scenarios and the recorder.
import type { IncomingMessage } from 'node:http'
import { callOverHttp, type Interceptor } from '../../api/interceptor.ts'
import type { ApiParts } from '../../api/parts.ts'
import type { Clock, Clocks } from '../../engine/ports/clock.ts'
import type { Reserve } from '../../services/counter/start-transaction.ts'
import type { Sandbox } from '../controls.ts'
import { type Fault, textOf } from '../faults/catalogue.ts'
import type { SimulatedMemory } from '../memory/memory.ts'
import { type LeftFaults, reserveScenario, scenarioNamedBy } from './chosen-scenario.ts'
import { downstreamFaults, faultsMet, faultsOfScenario, isReplay, underFaults } from './http-faults.ts'
import { onlineScenarioIn } from './online-scenario.ts'
import { noting, recordConnection, recordMessage } from './recorded-calls.ts'
import { recordRequest } from './recorded-requests.ts'
import { meetAtHandshake } from './socket-faults.ts'

/** Carries the simulator to its own operations: see `sandboxOf`. */
export interface SimulatorInterceptor extends Interceptor {
  readonly sandbox: Sandbox
}

const NONE: readonly Fault[] = []
const nothingLeft = (): LeftFaults => ({ faults: NONE, used: false })

export interface InterceptorParts {
  readonly sandbox: Sandbox
  /** The gateway's own; an account's clock may be frozen. */
  readonly clock: Clock
  readonly clocks: Clocks
  readonly memory: Pick<SimulatedMemory, 'written' | 'nodes'>
  /** Reads what other nodes have changed, so that what was done on one of them holds for the next request to any. */
  readonly refresh: (account: string) => Promise<unknown>
}

export function createInterceptor({ sandbox, clock, clocks, memory, refresh }: InterceptorParts): SimulatorInterceptor {
  const { recorder } = sandbox
  const { nodes } = memory
  /** Faults armed for a request that apply to terminal and acquirer of the transaction or payment it starts. */
  const left = new WeakMap<IncomingMessage, LeftFaults>()

  /** An answer, given when what the request has changed in the simulator survives a kill. */
  async function whenStored<Given>(answering: Given | Promise<Given>): Promise<Given> {
    const answer = await answering
    await memory.written()
    return answer
  }

  return {
    sandbox,
    async request(operation, context, about, run) {
      if (nodes !== undefined && context.account !== null) await refresh(context.account.id)
      if (operation.area === 'sandbox') return whenStored(run(context))
      const met = await faultsMet(sandbox, operation, context, about)
      const recorded = recordRequest({ recorder, clocks }, operation, context, about.params, run)
      if (met === null)
        return scenarioNamedBy(context.request) === null ? recorded.run(context) : whenStored(recorded.run(context))
      const downstream: LeftFaults = { faults: downstreamFaults(met.faults), used: false }
      left.set(context.request, downstream)
      try {
        const answer = await underFaults(clock, callOverHttp(context.response), met.faults, () => recorded.run(context))
        if ('taken' in answer && answer.lost !== undefined) recorded.lost()
        return downstream.used ? await whenStored(answer) : answer
      } finally {
        // Nothing was started: these faults wait for the next request.
        if (!downstream.used) met.giveBack(fault => downstream.faults.includes(fault))
      }
    },
    async start(call, terminal, run) {
      const { account, request } = call
      if (nodes !== undefined) await refresh(account.id)
      const reserve: Reserve = (wanted, requestId) =>
        request === null
          ? { withdraw() {} }
          : reserveScenario(sandbox, request, left.get(request) ?? nothingLeft(), wanted, requestId)
      const faults = terminal === null ? NONE : faultsOfScenario(sandbox, request, terminal)
      if (faults.length === 0) return run(reserve)
      // The till has repeated the request under the same key, and the scenario hits the request that starts.
      return underFaults(clock, noting(recorder, account.id, call), faults, () => run(reserve), isReplay)
    },
    payment(request) {
      const scenario = onlineScenarioIn(request.headers)
      if (scenario !== null && 'refused' in scenario) return scenario
      return {
        begins({ merchantAccount, id }) {
          if (scenario !== null) sandbox.onlineScenarios.reserve(merchantAccount, id, scenario.name)
          const armed = left.get(request) ?? nothingLeft()
          if (armed.faults.length === 0) return
          sandbox.onlineScenarios.addFaults(merchantAccount, id, armed.faults.map(textOf))
          armed.used = true
        },
      }
    },
    handshake: (till, socket) => meetAtHandshake(sandbox, clock, till, socket),
    connection: (caller, requestId, connection) => recordConnection(recorder, caller, requestId, connection),
    record: (caller, requestId, message) => recordMessage(recorder, caller, requestId, message),
    exchangesOf: (account, id) => recorder.of(account, id),
  }
}

/** The simulator, for its own operations, which exist in sandbox mode only. @throws Error in live mode. */
export function sandboxOf({ interceptor }: Pick<ApiParts, 'interceptor'>): Sandbox {
  if (!('sandbox' in interceptor)) throw new Error('there is no simulator in live mode')
  return (interceptor as SimulatorInterceptor).sandbox
}
