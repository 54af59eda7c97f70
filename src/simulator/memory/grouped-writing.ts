// src/simulator/memory/grouped-writing.ts — writes changes in groups: one at a time, each with everything that has changed
// meanwhile.

export interface GroupedWriting {
  /** Begins to write what has changed, at the end of the current callbacks. */
  start(): void
  /** Resolves when everything that has changed up to now is written. @throws as `write`; what failed is written with the next */
  done(): Promise<void>
}

/** @param write writes all changes that are not written yet */
export function createGroupedWriting(write: () => Promise<void>): GroupedWriting {
  /** The group that is being written. */
  let current: Promise<void> | null = null
  /** The group after it, with what has changed since. */
  let next: Promise<void> | null = null
  let hasChanged = false

  async function send(): Promise<void> {
    hasChanged = false
    try {
      await write()
    } catch (error) {
      hasChanged = true
      throw error
    }
  }

  function group(): Promise<void> {
    if (!hasChanged) return current ?? Promise.resolve()
    if (next !== null) return next
    const before = current ?? Promise.resolve()
    next = before
      .catch(() => {})
      .then(() => {
        current = next
        next = null
        return send()
      })
    const written = next
    const end = () => {
      if (current === written) current = null
    }
    written.then(end, end)
    return written
  }

  return {
    start() {
      hasChanged = true
      // A failure is reported to those who wait for `done`, and what failed is written with the next group.
      group().catch(() => {})
    },
    done: group,
  }
}
