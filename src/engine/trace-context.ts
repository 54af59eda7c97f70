// src/engine/trace-context.ts — reads W3C Trace Context, and carries it with stored effects. ADR 68.
import type { StoredEffect } from './ports/store.ts'

/** Version, trace id, span id, flags. Later versions may continue after another hyphen. W3C Trace Context §3.2. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?=$|-)/
const LENGTH = 55

/** Begins the body of an effect that carries its place in a trace. A performer ignores the member. */
const HEAD = '{"traceparent":"'

/** A caller's `traceparent` in the form of version 00; null when there is none, or a broken one. */
export function traceparentIn(header: string | readonly string[] | undefined): string | null {
  if (typeof header !== 'string' || !TRACEPARENT.test(header)) return null
  // Version 00 ends here.
  if (header.startsWith('00') && header.length !== LENGTH) return null
  return `00${header.slice(2, LENGTH)}`
}

/** Adds the place in a trace to the body of an effect, which is a JSON object. */
export function withTraceparent(body: string, traceparent: string): string {
  return `${HEAD}${traceparent}"${body === '{}' ? '' : ','}${body.slice(1)}`
}

/** An effect as it was before `withTraceparent`, and its place in the trace; null for an effect that carries none. */
export function carriedBy(effect: StoredEffect): { readonly effect: StoredEffect; readonly parent: string | null } {
  const { body } = effect
  if (!body.startsWith(HEAD)) return { effect, parent: null }
  const parent = traceparentIn(body.slice(HEAD.length, HEAD.length + LENGTH))
  // After the quotation mark comes a comma, or the end of the object.
  const rest = body.slice(HEAD.length + LENGTH + 1)
  return { effect: { ...effect, body: `{${rest.startsWith(',') ? rest.slice(1) : rest}` }, parent }
}
