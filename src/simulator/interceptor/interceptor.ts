// src/simulator/interceptor/interceptor.ts — intercepts calls to the gateway: faults, scenarios and the recorder.
import type { IncomingMessage } from 'node:http'
import { callOverHttp, type Interceptor } from '../../api/interceptor.ts'
import type { ApiParts } from '../../api/parts.ts'
import type { Clock, Clocks } from '../../engine/ports/clock.ts'
import type { Reserve } from '../../services/counter/start-transaction.ts'
import type { Sandbox } from '../controls.ts'
import type { Fault } from '../faults/catalogue.ts'
import { reserveScenario } from './chosen-scenario.ts'
import { faultsBeyond, faultsMet, faultsOfScenario, underFaults } from './http-faults.ts'
import { onlineScenarioIn } from './online-scenario.ts'
import { noting, recordLine, recordMessage } from './recorded-calls.ts'
import { recordRequest } from './recorded-requests.ts'
import { meetAtHandshake } from './socket-faults.ts'

/** Carries the simulator to its own operations: see `sandboxOf`. */
export interface SimulatorInterceptor extends Interceptor {
  readonly sandbox: Sandbox
}

const NONE: readonly Fault[] = []

/** @param clock the gateway's own; an account's clock may be frozen */
export function createInterceptor(sandbox: Sandbox, clock: Clock, clocks: Clocks): SimulatorInterceptor {
  const { recorder } = sandbox
  /** Faults armed for a request that apply to terminal and acquirer of the transaction it starts. */
  const left = new WeakMap<IncomingMessage, readonly Fault[]>()
  return {
    sandbox,
    async request(operation, context, params, run) {
      const faults = faultsMet(sandbox, operation, context)
      const recorded = recordRequest({ recorder, clocks }, operation, context, params, run)
      if (faults.length === 0) return recorded.run(context)
      left.set(context.request, faultsBeyond(faults))
      const answer = await underFaults(clock, callOverHttp(context.response), faults, () => recorded.run(context))
      if ('taken' in answer && answer.lost !== undefined) recorded.lost()
      return answer
    },
    async start(call, terminal, run) {
      const { account, request } = call
      const reserve: Reserve = (wanted, requestId) =>
        request === null
          ? { withdraw() {} }
          : reserveScenario(sandbox, request, left.get(request) ?? NONE, wanted, requestId)
      const faults = terminal === null ? NONE : faultsOfScenario(sandbox, request, terminal)
      if (faults.length === 0) return run(reserve)
      return underFaults(clock, noting(recorder, account.id, call), faults, () => run(reserve))
    },
    payment(headers) {
      const scenario = onlineScenarioIn(headers)
      if (scenario === null || 'refused' in scenario) return scenario ?? { begins() {} }
      return {
        begins: ({ merchantAccount, id }) => sandbox.onlineScenarios.reserve(merchantAccount, id, scenario.name),
      }
    },
    handshake: (till, socket) => meetAtHandshake(sandbox, clock, till, socket),
    line: (caller, requestId, line) => recordLine(recorder, caller, requestId, line),
    record: (caller, requestId, message) => recordMessage(recorder, caller, requestId, message),
    exchangesOf: (account, id) => recorder.of(account, id),
  }
}

/** The simulator, for its own operations, which exist in sandbox mode only. @throws Error in live mode. */
export function sandboxOf({ interceptor }: Pick<ApiParts, 'interceptor'>): Sandbox {
  if (!('sandbox' in interceptor)) throw new Error('there is no simulator in live mode')
  return (interceptor as SimulatorInterceptor).sandbox
}
