// src/console/page.ts — the page of the console, which its script fills.
import { escapeHtml, PAGE_HEADERS, page } from '../api/describe/pages/html.ts'
import { webEntry } from '../api/describe/pages/web-files.ts'
import type { Headers } from '../api/operation.ts'

/** Those of every page: own origin only, no inline scripts or styles. */
export const CONSOLE_HEADERS: Headers = { ...PAGE_HEADERS, 'cache-control': 'no-store' }

/** @param publicKey of the account that everybody may use, which the script calls the gateway with */
export function consolePage({ account, key }: { readonly account: string; readonly key: string }): Uint8Array {
  const { script, style } = webEntry('console')
  return page({
    title: 'Console — Tollgate',
    head: `<link rel="stylesheet" href="${style}">
<script src="${script}" defer></script>`,
    body: `<div id="console" data-account="${escapeHtml(account)}" data-key="${escapeHtml(key)}">
<main><h1>Console</h1><noscript><p>The console needs JavaScript.</p></noscript></main>
</div>`,
  })
}
