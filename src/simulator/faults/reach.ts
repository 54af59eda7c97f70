// src/simulator/faults/reach.ts — finds out which requests an armed fault can hit. One that can hit none is not armed.
import type { InterceptedOperation } from '../../api/interceptor.ts'
import type { Operation } from '../../api/operation.ts'
import { OPERATIONS } from '../../api/operations/index.ts'
import { addressesOf } from '../../api/versions/select.ts'
import type { FaultTarget } from './catalogue.ts'
import { patternsMeet } from './path-pattern.ts'

type Addressed = Pick<Operation, 'name' | 'method' | 'path'>

/** Operations that start a transaction on a terminal. */
const STARTS: ReadonlySet<string> = new Set(['startTransaction'])

/** Operations that begin or continue an online payment. */
const PAYS: ReadonlySet<string> = new Set([
  'createAccessToken',
  'payByCard',
  'payBySavedCard',
  'payByApplePay',
  'payByApplePayAnywhere',
  'payByGooglePay',
  'payByCrossReference',
  'addPaymentOperation',
])

/** WebSocket handshakes, which name their account in the query. */
const HANDSHAKES: ReadonlySet<string> = new Set(['connectTill', 'connectTableTill'])

/** What a fault can hit when this operation is requested. Empty when a request names no account. */
export function reachOf({
  name,
  auth,
  accountOf,
}: Pick<InterceptedOperation, 'name' | 'auth' | 'accountOf'>): readonly FaultTarget[] {
  if (HANDSHAKES.has(name)) return ['request']
  if (auth === 'none' && accountOf === undefined) return []
  if (STARTS.has(name)) return ['request', 'terminal', 'acquirer']
  return PAYS.has(name) ? ['request', 'acquirer'] : ['request']
}

/** Reason why no request can meet a fault that is armed for an address; null when one can. */
export function whyUnreachable(
  target: FaultTarget,
  method: string | null,
  path: string,
): { readonly at: 'fault' | 'method' | 'path'; readonly says: string } | null {
  const atPath = OPERATIONS.filter(operation => addressesOf(operation.path).some(each => patternsMeet(path, each)))
  if (atPath.length === 0)
    return {
      at: 'path',
      says: `No operation outside the sandbox has the path ${path}.`,
    }
  const matching = atPath.filter(operation => method === null || operation.method === method)
  if (matching.length === 0) return { at: 'method', says: `${path} allows ${methodsOf(atPath)}, not ${method}.` }
  const reachable = matching.filter(operation => reachOf(operation).length > 0)
  if (reachable.length === 0) return { at: 'path', says: `Requests to ${path} name no account, so they meet no fault.` }
  if (reachable.some(operation => reachOf(operation).includes(target))) return null
  return { at: 'fault', says: `It is a fault of ${TARGET_NAMES[target]}, which requests to ${path} do not involve.` }
}

const TARGET_NAMES: Readonly<Record<FaultTarget, string>> = {
  request: 'the request',
  terminal: 'the terminal',
  acquirer: 'the acquirer',
}

function methodsOf(operations: readonly Addressed[]): string {
  return [...new Set(operations.map(({ method }) => method))].join(', ')
}
