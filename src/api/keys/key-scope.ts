// src/api/keys/key-scope.ts — what a caller with an API key may call, by the limits of the key and the role of its user. ADR 79.
import { type KeyArea, reachesArea, reachesTerminal } from '../../domain/accounts/key-limits.ts'
import { mayDo, type Right } from '../../domain/people/roles.ts'
import type { Refusal } from '../../domain/refusals.ts'
import type { Area } from '../area.ts'
import { rightFor } from '../people/right-for.ts'
import type { TillArea } from '../socket/till-address.ts'
import type { HeldKey } from './key-holder.ts'

type Scope = Pick<HeldKey, 'limits' | 'role'>

/** The part of an operation that decides, see `Operation`. */
interface ScopedOperation extends ForTerminals {
  readonly name: string
  readonly area: Area
  readonly path: string
  readonly method: string
  readonly right?: Right
}

interface ForTerminals {
  readonly forTerminals?: 'filtered' | 'whole'
}

/** The part of a JSON-RPC method that decides, see `RpcMethod`. */
interface ScopedMethod extends ForTerminals {
  readonly reads?: true
}

/** The area of keys that an operation with authentication is in. */
export function keyAreaOf({ area, path }: Pick<ScopedOperation, 'area' | 'path'>): KeyArea {
  switch (area) {
    case 'connect':
      return path.startsWith('/pat') ? 'tables' : 'counter'
    case 'shop':
      return 'online'
    case 'management':
    case 'sandbox':
      return area
    case 'browser':
    case 'system':
      throw new Error(`the area ${area} takes no API key`)
  }
}

/** The refusal of a request by its key; null when the key may make it. */
export function refusalOfOperation(
  scope: Scope,
  operation: ScopedOperation,
  params: Readonly<Record<string, string>>,
): Refusal | null {
  return (
    refusalOfRole(scope, rightFor(operation)) ??
    refusalOfArea(scope, keyAreaOf(operation)) ??
    refusalOfTerminal(scope, operation, params['tid'])
  )
}

/** The refusal of a JSON-RPC request by the key of its caller. @param params in the newest version */
export function refusalOfMethod(
  scope: Scope,
  method: ScopedMethod,
  { tid }: { readonly tid?: unknown },
): Refusal | null {
  return (
    refusalOfRole(scope, rightForMethod(method)) ??
    refusalOfTerminal(scope, method, typeof tid === 'string' ? tid : undefined)
  )
}

/**
 * The refusal of a WebSocket by its key. A till that keeps its tables is asked by all terminals, and its answers say what is paid, so its key must
 * not be limited to terminals, and must be allowed to operate.
 */
export function refusalOfConnection(scope: Scope, area: TillArea): Refusal | null {
  if (area === 'pac') return refusalOfRole(scope, 'read') ?? refusalOfArea(scope, 'counter')
  return (
    refusalOfRole(scope, 'operate') ??
    refusalOfArea(scope, 'tables') ??
    refusalOfTerminal(scope, NO_TERMINAL, undefined)
  )
}

const NO_TERMINAL = {}

function rightForMethod({ reads }: ScopedMethod): Right {
  return reads === true ? 'read' : 'operate'
}

function refusalOfRole({ role }: Scope, right: Right): Refusal | null {
  return role === null || mayDo(role, right) ? null : { code: 'right_missing', detail: role }
}

function refusalOfArea({ limits }: Scope, area: KeyArea): Refusal | null {
  return reachesArea(limits, area) ? null : { code: 'key_area', detail: limits.areas?.join(', ') ?? '' }
}

function refusalOfTerminal({ limits }: Scope, { forTerminals }: ForTerminals, tid: string | undefined): Refusal | null {
  if (limits.terminals === undefined) return null
  const isReached = tid === undefined ? forTerminals !== undefined : reachesTerminal(limits, tid)
  return isReached ? null : { code: 'key_terminals' }
}
