// src/platform/ticks.ts — a matter of speed only. ADR 38.
import { executionAsyncResource } from 'node:async_hooks'

const kept: object[] = []

/**
 * Node makes an object for each call of `process.nextTick`, several for a request. V8 makes them fast as long as it knows
 * their shape; it forgets the shape when it collects garbage while there is none of them, as in a start, and from then on
 * has the runtime set each of their members. One that is kept keeps the shape. To be called before much else is done.
 */
export function keepShapeOfTicks(): void {
  process.nextTick(() => kept.push(executionAsyncResource()))
}
