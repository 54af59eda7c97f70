// src/simulator/operations/terminal-page.ts — serves the page on which a phone is a terminal. Its script reads the link. ADR 80.
import { HTML_TYPE, PAGE_HEADERS, page } from '../../api/describe/pages/html.ts'
import { webEntry } from '../../api/describe/pages/web-files.ts'
import { openOperation } from '../../api/operation.ts'

export const getTerminalPage = openOperation({
  name: 'getTerminalPage',
  summary: 'A terminal on a phone',
  description:
    'The page of a link from `openTerminalLink`. The link is behind the number sign, which the gateway never gets.',
  tag: 'Pages',
  area: 'system',
  method: 'GET',
  path: '/console/terminal',
  responses: { 200: { description: 'A page.', mediaType: 'text/html' } },
  run() {
    const { script, style } = webEntry('phone')
    const bytes = page({
      title: 'Terminal — Tollgate',
      head: `<link rel="stylesheet" href="${style}">
<script src="${script}" defer></script>`,
      body: `<div id="phone">
<main><h1>Terminal</h1><noscript><p>The terminal needs JavaScript.</p></noscript></main>
</div>`,
    })
    return { status: 200, bytes, mediaType: HTML_TYPE, headers: { ...PAGE_HEADERS, 'cache-control': 'no-store' } }
  },
})
