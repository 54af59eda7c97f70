// src/api/people/right-for.ts — what a user must be allowed, to call an operation. ADR 77.
import type { Right } from '../../domain/people/roles.ts'
import type { Area } from '../area.ts'

/** The part of an operation that decides. */
interface Asked {
  readonly name: string
  readonly area: Area
  readonly method: string
  readonly right?: Right
}

/** What a user needs to call an operation, or an API key of the user. In the management API and the sandbox, one that changes something must say it. */
export function rightFor({ name, area, method, right }: Asked): Right {
  if (right !== undefined) return right
  if (method === 'GET') return 'read'
  if (area === 'connect' || area === 'shop') return 'operate'
  throw new Error(`operation ${name} does not say who may call it`)
}
