// src/simulator/operations/test-cards-page.ts — serves the page with the test cards.

import { HTML_TYPE, PAGE_HEADERS } from '../../api/describe/pages/html.ts'
import type { Operation } from '../../api/operation.ts'
import { getTestCardsPage as livePage } from '../../api/operations/system/page-operations.ts'
import { sandboxOf } from '../interceptor/interceptor.ts'
import { testCardsPage } from './test-cards-html.ts'

/** Replaces the live gateway's page, which says that there are no test cards. */
export const getTestCardsPage: Operation = {
  ...livePage,
  run({ api }) {
    const { onlineCards, cards } = sandboxOf(api)
    const bytes = testCardsPage({ online: onlineCards, counter: cards })
    return { status: 200, bytes, mediaType: HTML_TYPE, headers: PAGE_HEADERS }
  },
}
