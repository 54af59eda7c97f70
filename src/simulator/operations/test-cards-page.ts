// src/simulator/operations/test-cards-page.ts — the page with the test cards.

import { HTML_TYPE, PAGE_HEADERS } from '../../api/describe/pages/html.ts'
import type { Operation } from '../../api/operation.ts'
import { getTestCardsPage as livePage } from '../../api/operations/system/page-operations.ts'
import { sandboxOf } from '../interceptor/interceptor.ts'
import { testCardsPage } from './test-cards-html.ts'

/** Takes the place of the page that says that a live gateway has none. */
export const getTestCardsPage: Operation = {
  ...livePage,
  run({ api }) {
    const { onlineCards, cards } = sandboxOf(api)
    const bytes = testCardsPage({ online: onlineCards, counter: cards })
    return { status: 200, bytes, mediaType: HTML_TYPE, headers: PAGE_HEADERS }
  },
}
