// src/simulator/interceptor/interceptor.ts — intercepts calls to the gateway: faults, scenarios and the recorder.
import type { IncomingMessage } from 'node:http'
import {
  callOverHttp,
  type InterceptedOperation,
  type InterceptedParams,
  type InterceptedRequest,
  type Interceptor,
} from '../../api/interceptor.ts'
import type { ApiParts } from '../../api/parts.ts'
import type { MerchantAccount } from '../../domain/accounts/merchant-account.ts'
import type { Terminal } from '../../domain/accounts/terminal.ts'
import type { Clock, Clocks } from '../../engine/ports/clock.ts'
import type { Reserve } from '../../services/counter/start-transaction.ts'
import type { Sandbox } from '../controls.ts'
import { type Fault, preventsWork, textOf } from '../faults/catalogue.ts'
import { reachOf } from '../faults/reach.ts'
import type { SimulatedMemory } from '../memory/memory.ts'
import type { LaneNode } from '../nodes/lane-node.ts'
import type { PassedRequests } from '../nodes/passed-requests.ts'
import { type LeftFaults, reserveScenario, scenarioNamedBy } from './chosen-scenario.ts'
import { downstreamFaults, faultsMet, faultsOfScenario, isReplay, underFaults, wouldMeetFault } from './http-faults.ts'
import { type LinkDependencies, linkedCaller } from './linked-caller.ts'
import { onlineScenarioIn } from './online-scenario.ts'
import { noting, recordConnection, recordMessage } from './recorded-calls.ts'
import { recordRequest } from './recorded-requests.ts'
import { createHandshakeFaults, meetAtHandshake } from './socket-faults.ts'

/** Carries the simulator to its own operations: see `sandboxOf`. */
export interface SimulatorInterceptor extends Interceptor {
  readonly sandbox: Sandbox
}

const SKIP = 'sandbox-skip'
const NONE: readonly Fault[] = []
const nothingLeft = (): LeftFaults => ({ faults: NONE, used: false })

export interface InterceptorParts {
  readonly sandbox: Sandbox
  /** The gateway's own; an account's clock may be frozen. */
  readonly clock: Clock
  readonly clocks: Clocks
  readonly memory: Pick<SimulatedMemory, 'written' | 'nodes'>
  /** The node that has an account's lane. */
  readonly lane: LaneNode
  /** Requests that it must serve; null when one process has all accounts. */
  readonly passed: PassedRequests | null
  /** Reads what other nodes have changed, so that what was done on one of them holds for the next request to any. */
  readonly refresh: (account: string) => Promise<MerchantAccount>
  readonly userOf: LinkDependencies['userOf']
}

export function createInterceptor(parts: InterceptorParts): SimulatorInterceptor {
  const { sandbox, clock, clocks, memory, lane, passed, refresh, userOf } = parts
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

  const handshakeFaults = createHandshakeFaults(sandbox, lane)
  lane.answer(SKIP, async about => sandbox.scenarios.skip(about as Terminal))
  const skip = async (terminal: Terminal) =>
    lane.isThis(terminal.merchantAccount)
      ? sandbox.scenarios.skip(terminal)
      : void (await lane.ask(terminal.merchantAccount, SKIP, terminal))
  const passesOn = passingOn(parts)

  return {
    sandbox,
    serveBy: inject => passed?.serveBy(inject),
    isPassedOn: request => passed?.isPassedOn(request) === true,
    callerByLink: linkedCaller(sandbox.links, { accountOf: refresh, userOf }),
    async request(operation, context, about, run) {
      const elsewhere = passed === null ? null : await passesOn(operation, context, about)
      if (passed !== null && elsewhere !== null) return passed.passOn(elsewhere, context, about)
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
      // A queued scenario whose fault prevents the start counts as played.
      if (terminal !== null && isQueued(request) && faults.some(preventsWork)) await whenStored(skip(terminal))
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
    async handshake({ account, area }, socket) {
      if (nodes !== undefined) await refresh(account.id)
      return meetAtHandshake(await handshakeFaults(account.id, area), clock, socket)
    },
    connection: (caller, requestId, connection) => recordConnection(recorder, caller, requestId, connection),
    record: (caller, requestId, message) => recordMessage(recorder, caller, requestId, message),
    exchangesOf: (account, id) => recorder.of(account, id),
  }
}

/** Whether the scenario of a start comes from the queue of its terminal. */
function isQueued(request: IncomingMessage | null): boolean {
  return request === null || scenarioNamedBy(request) === null
}

/**
 * Finds the account of a request that another node must serve, because it changes the simulated world: an operation of the
 * sandbox, a chosen scenario, or an armed fault. Null for all others.
 */
function passingOn({ sandbox, lane, refresh }: InterceptorParts) {
  return async (
    operation: InterceptedOperation,
    context: InterceptedRequest,
    about: InterceptedParams,
  ): Promise<string | null> => {
    const isSandbox = operation.area === 'sandbox'
    const account =
      context.account?.id ?? (isSandbox || reachOf(operation).length === 0 ? null : await about.accountOf())
    if (account === null) return null
    await refresh(account)
    if (lane.isThis(account)) return null
    const changes =
      isSandbox || scenarioNamedBy(context.request) !== null || wouldMeetFault(sandbox, operation, context, account)
    return changes ? account : null
  }
}

/** The simulator, for its own operations, which exist in sandbox mode only. @throws Error in live mode. */
export function sandboxOf({ interceptor }: Pick<ApiParts, 'interceptor'>): Sandbox {
  if (!('sandbox' in interceptor)) throw new Error('there is no simulator in live mode')
  return (interceptor as SimulatorInterceptor).sandbox
}
