// src/engine/span-attributes.ts — the allow-list of span attributes. Nothing else leaves the gateway in a trace. ADR 68.
import { struckOut } from '../domain/redaction.ts'

/** Names from the code: operations, commands, states, codes. */
const WORD = /^[A-Za-z][\w.-]{0,63}$/
/** Ids of accounts and records. */
const ID = /^[\w.:-]{1,80}$/
/** The address of an operation, with the names of its parameters, never their values. */
const ROUTE = /^\/[\w/{}.-]{0,120}$/
/** A count: too small for a card number. */
const COUNT = 'count'
const LARGEST_COUNT = 999_999_999

/** Attribute → values that it may have. Names with `http`, `rpc` and `error` follow the semantic conventions of OpenTelemetry. */
export const SPAN_ATTRIBUTES = {
  'http.request.method': WORD,
  'http.route': ROUTE,
  'http.response.status_code': COUNT,
  'rpc.system': WORD,
  'rpc.method': WORD,
  'rpc.jsonrpc.error_code': /^-?\d{1,6}$/,
  'error.type': WORD,
  'tollgate.operation': WORD,
  'tollgate.api_version': WORD,
  'tollgate.account': ID,
  'tollgate.refusal': WORD,
  'tollgate.record.kind': WORD,
  'tollgate.record.id': ID,
  'tollgate.command': WORD,
  'tollgate.events': COUNT,
  'tollgate.commit.result': WORD,
  'tollgate.commit.effects': COUNT,
  'tollgate.commit.group_size': COUNT,
  'tollgate.effect.type': WORD,
  'tollgate.effect.attempt': COUNT,
  'tollgate.effect.outcome': WORD,
  'tollgate.timer': WORD,
  'tollgate.report.sequence': COUNT,
  'tollgate.report.first': WORD,
  'tollgate.party': WORD,
  'tollgate.answer': WORD,
} as const satisfies Readonly<Record<string, RegExp | typeof COUNT>>

export type SpanAttribute = keyof typeof SPAN_ATTRIBUTES
export type SpanAttributes = { readonly [Name in SpanAttribute]?: string | number }

/** The attributes that may leave the gateway: listed names, with values of their form that hold no card number and no secret. */
export function allowedAttributes(attributes: SpanAttributes): Record<string, string | number> {
  const allowed: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(attributes)) if (isAllowed(name, value)) allowed[name] = value
  return allowed
}

/** A span name as it may leave the gateway; `unnamed` for one that may hold anything else than words of the code. */
export function allowedName(name: string): string {
  return /^[A-Za-z][\w ./{}-]{0,120}$/.test(name) && struckOut(name) === name ? name : 'unnamed'
}

function isAllowed(name: string, value: unknown): boolean {
  if (!Object.hasOwn(SPAN_ATTRIBUTES, name)) return false
  const form: RegExp | typeof COUNT = SPAN_ATTRIBUTES[name as SpanAttribute]
  if (form === COUNT) return Number.isInteger(value) && Math.abs(value as number) <= LARGEST_COUNT
  return typeof value === 'string' && form.test(value) && struckOut(value) === value
}
