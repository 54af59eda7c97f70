// src/api/describe/pages/test-cards.ts — renders the page at /docs/cards.
import { docsNav } from './docs-nav.ts'
import { page } from './html.ts'

/** @param content HTML of the page below its heading */
export function testCardsDocument(content: string): Uint8Array {
  return page({
    title: 'Tollgate test cards',
    head: '<link rel="stylesheet" href="/assets/style.css">\n<link rel="stylesheet" href="/assets/docs.css">',
    body: `${docsNav('/docs/cards')}
<main>
<h1>Test cards</h1>
${content}
</main>`,
  })
}
