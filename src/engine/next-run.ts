// src/engine/next-run.ts — runs a task one at a time, for callers who need a run that begins after their call.

/**
 * Returns a function that resolves when a run that began after the call has ended. Callers who wait for the same run share it, so
 * a run under way costs at most one more. A failed run rejects only for those who waited for it.
 */
export function createNextRun(task: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | null = null
  let next: Promise<void> | null = null

  /** @param before the run under way, whatever becomes of it */
  async function begin(before: Promise<void> | null): Promise<void> {
    await before?.catch(() => {})
    current = next
    next = null
    await task()
  }

  return () => {
    if (next !== null) return next
    const run = begin(current)
    next = run
    const end = (): void => {
      if (current === run) current = null
    }
    run.then(end, end)
    return run
  }
}
