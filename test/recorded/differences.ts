// test/recorded/differences.ts — changes to recorded exchanges that are meant, a line each.
import type { Difference } from './compare.ts'

/** A line that nothing is different by any more fails the replay. `npm run record` makes all of them obsolete. */
export const DIFFERENCES: readonly Difference[] = [
  {
    exchanges: 'pages/the demo shop/*',
    path: 'answer.body.*',
    recorded: '// src/api/demo/shop.ts',
    now: '// src/demo-shop/shop.ts',
    because: 'the page shows the source of its server, which has moved',
  },
]
