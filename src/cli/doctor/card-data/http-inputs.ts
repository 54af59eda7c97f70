// src/cli/doctor/card-data/http-inputs.ts — builds requests with a canary in each input of each HTTP operation.
import type { Operation } from '../../../api/operation.ts'
import { API_VERSIONS } from '../../../api/versions/select.ts'
import type { Canaries } from './canaries.ts'
import { placed } from './schema-inputs.ts'

export interface ProbeRequest {
  readonly operation: Operation
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Absent for a request without a body. */
  readonly body?: string
}

/** Values for path parameters that have no canary. */
export type PathValues = (operation: Operation) => Promise<Readonly<Record<string, string>>>

/** Left out, because they delete or expire data that is searched later. */
const LEFT_OUT: ReadonlySet<string> = new Set(['resetAccount', 'restoreSnapshot', 'moveClock'])

/** Bodies in place of examples of the reference that would take long. */
const BRIEF: Readonly<Record<string, unknown>> = { seedAccount: { count: 1, overMs: 0 } }

/** Headers that the gateway reads, stores, forwards or logs. */
const HEADERS = [
  ...['x-request-id', 'software-house-id', 'installer-id', 'idempotency-key', 'x-forwarded-for', 'tollgate-scenario'],
  ...['last-event-id', 'user-agent', 'referer', 'origin', 'accept', 'prefer', 'if-none-match', 'traceparent', 'cookie'],
]

/** Yields one request at a time, because a request may need what an earlier one created. */
export async function* httpInputs(
  operations: readonly Operation[],
  canaries: Canaries,
  values: PathValues,
): AsyncGenerator<ProbeRequest> {
  for (const operation of operations) {
    if (LEFT_OUT.has(operation.name)) continue
    const named = (input: string) => `${operation.method} ${operation.path} ${input}`
    for (const body of bodiesOf(operation, canaries, named))
      yield { operation, path: pathOf(operation, await values(operation)), headers: {}, body }
    for (const name of namesIn(operation.path)) {
      const params = { ...(await values(operation)), [name]: canaries.next(named(`{${name}}`)) }
      yield { operation, path: pathOf(operation, params), headers: {}, ...exampleBody(operation) }
    }
    for (const name of [...Object.keys(operation.query?.properties ?? {}), 'note']) {
      const query = new URLSearchParams({ [name]: canaries.next(named(`?${name}`)) })
      const path = `${pathOf(operation, await values(operation))}?${query}`
      yield { operation, path, headers: {}, ...exampleBody(operation) }
    }
    for (const name of operation.method === 'GET' ? HEADERS.slice(0, 3) : HEADERS) {
      const headers = { [name]: canaries.plain(named(name)) }
      yield { operation, path: pathOf(operation, await values(operation)), headers, ...exampleBody(operation) }
    }
  }
}

/** Yields bodies, each with a canary in one field. */
function* bodiesOf(operation: Operation, canaries: Canaries, named: (input: string) => string): Generator<string> {
  const { body: spec } = operation
  if (spec === undefined) return
  const example = exampleOf(operation)
  for (const { value } of placed(spec.schema, example, at => canaries.next(named(at)))) yield encoded(operation, value)
  yield canaries.plain(named('(a body that is no JSON)'))
}

function exampleBody(operation: Operation): { readonly body?: string } {
  return operation.body === undefined ? {} : { body: encoded(operation, exampleOf(operation)) }
}

/** Returns a valid body. */
function exampleOf({ name, body }: Operation): unknown {
  return BRIEF[name] ?? Object.values(body?.examples ?? {})[0] ?? {}
}

function encoded({ body }: Operation, value: unknown): string {
  if (body?.mediaType === undefined) return JSON.stringify(value)
  return new URLSearchParams(value as Record<string, string>).toString()
}

function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)
}

function pathOf({ path }: Operation, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? 'a'))
}

/** Returns the Accept header: for the interface of tills each version in turn. */
export function acceptOf({ area }: Operation, turn: number): string {
  const { mediaType } = API_VERSIONS[turn % API_VERSIONS.length] ?? { mediaType: 'application/json' }
  return area === 'connect' ? mediaType : 'application/json'
}
