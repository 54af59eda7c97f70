// test/contract/store.suite.ts — contract of every store. A new one is done when it passes.
import { describe } from 'vitest'
import type { AccountImages } from '../../src/engine/ports/account-images.ts'
import type { Store } from '../../src/engine/ports/store.ts'
import { exerciseClosing } from './store/closing.ts'
import { exerciseCommits } from './store/commits.ts'
import { exerciseEffects } from './store/effects.ts'
import { exerciseErasing } from './store/erasing.ts'
import { exerciseEvents } from './store/events.ts'
import { exerciseGroups } from './store/groups.ts'
import { exerciseIdempotency } from './store/idempotency.ts'
import { exerciseImages } from './store/images.ts'
import { exerciseLeases } from './store/leases.ts'
import { exerciseLists } from './store/lists.ts'
import { exerciseExclusives } from './store/lock-keys.ts'
import { exerciseOddText } from './store/odd-text.ts'
import { exerciseRewrites } from './store/rewrites.ts'
import { exerciseSearches } from './store/searches.ts'
import { exerciseTimers } from './store/timers.ts'
import { exerciseClaims } from './store/unique-keys.ts'

/** Opens a new, empty store for one test. */
export type MakeStore = () => Promise<Store & AccountImages>

/** Tests every method and rule of the ports that a store implements. */
export function exerciseStore(name: string, make: MakeStore): void {
  describe(`the ${name} store`, () => {
    exerciseCommits(make)
    exerciseExclusives(make)
    exerciseClaims(make)
    exerciseIdempotency(make)
    exerciseEvents(make)
    exerciseEffects(make)
    exerciseTimers(make)
    exerciseLeases(make)
    exerciseLists(make)
    exerciseSearches(make)
    exerciseImages(make)
    exerciseErasing(make)
    exerciseOddText(make)
    exerciseRewrites(make)
    exerciseGroups(make)
    exerciseClosing(make)
  })
}
