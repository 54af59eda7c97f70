// src/simulator/operations/test-cards-page.ts — the page with the test cards.
import { openOperation } from '../../api/operation.ts'
import { HTML_TYPE, PAGE_HEADERS } from '../../api/pages/html.ts'
import { testCardsPage } from './test-cards-html.ts'

export const getTestCardsPage = openOperation({
  name: 'getTestCardsPage',
  summary: 'The test cards',
  tag: 'Pages',
  area: 'system',
  method: 'GET',
  path: '/docs/cards',
  responses: { 200: { description: 'A page.', mediaType: 'text/html' } },
  run({ api: { sandbox } }) {
    const bytes = testCardsPage(sandbox === null ? null : { online: sandbox.onlineCards, counter: sandbox.cards })
    return { status: 200, bytes, mediaType: HTML_TYPE, headers: PAGE_HEADERS }
  },
})
