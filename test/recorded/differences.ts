// test/recorded/differences.ts — changes to recorded exchanges that are meant, a line each.
import type { Difference } from './compare.ts'

/** A line that nothing is different by any more fails the replay. `npm run record` makes all of them obsolete. */
export const DIFFERENCES: readonly Difference[] = []
