// src/services/repeated-call.ts — repeats a call of another node until it is answered.
import type { Clock } from '../engine/ports/clock.ts'
import type { NodeLink } from '../engine/ports/node-link.ts'

/** Pause before each attempt, in milliseconds. */
const PAUSE_MS = 1_000
/** A node that died is known to be gone long before the last one. */
const MOST_ATTEMPTS = 10

export interface RepeatedCallParts {
  readonly link: NodeLink
  readonly clock: Clock
}

/**
 * Repeats a call whose first attempt was not answered. The handler must be idempotent.
 * @param limitMs time limit of each attempt, in milliseconds
 * @returns the answer, or undefined when there was none in ten attempts
 */
export async function repeatCall(
  { link, clock }: RepeatedCallParts,
  node: string,
  name: string,
  body: unknown,
  limitMs: number,
): Promise<unknown> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    await new Promise<void>(resolve => clock.alarm(clock.now() + PAUSE_MS, resolve))
    const called = await link.call(node, name, body, limitMs)
    if (called.outcome === 'answered') return called.body
  }
  return undefined
}
