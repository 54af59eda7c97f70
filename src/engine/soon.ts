// src/engine/soon.ts — what is often there at once, because it lies in memory, and otherwise soon. Whoever waits for a
// promise costs a round of the queue of microtasks and what is allocated for it, also where there is nothing to wait for.

/** A value, or the promise of one. `await` takes both. */
export type Soon<T> = T | Promise<T>

/** Goes on with a value: now, if it is there. What `next` throws then is thrown, not a rejection. */
export function after<T, R>(soon: Soon<T>, next: (value: T) => Soon<R>): Soon<R> {
  return soon instanceof Promise ? soon.then(next) : next(soon)
}
