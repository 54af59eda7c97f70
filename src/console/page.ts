// src/console/page.ts — the page of the console, which its script fills.
import { escapeHtml, PAGE_HEADERS, page } from '../api/describe/pages/html.ts'
import { webEntry } from '../api/describe/pages/web-files.ts'
import type { Headers } from '../api/operation.ts'
import type { ApiSettings } from '../api/parts.ts'
import type { Person } from '../api/people/person.ts'
import { signedIn } from '../api/people/signed-in.ts'

/**
 * Those of every page (own origin only, no inline scripts or styles), and one more: the page of a session is in a group of its own, so that no
 * other page of the host that opens it can look into it.
 */
export const CONSOLE_HEADERS: Headers = {
  ...PAGE_HEADERS,
  'cache-control': 'no-store',
  'cross-origin-embedder-policy': 'require-corp',
}

export interface ConsolePage extends Pick<ApiSettings, 'mode' | 'publicKey' | 'consoleUrl'> {
  /** Who is signed in; null when nobody is. */
  readonly person: Person | null
}

/** @param given what the script is told: the account that everybody may use with its key, and who is signed in with the page token */
export function consolePage({ mode, publicKey, consoleUrl, person }: ConsolePage): Uint8Array {
  const { script, style } = webEntry('console')
  const given = { mode, publicAccount: publicKey, consoleUrl, signedIn: person === null ? null : signedIn(person) }
  return page({
    title: 'Console — Tollgate',
    head: `<link rel="stylesheet" href="${style}">
<script src="${script}" defer></script>`,
    body: `<div id="console" data-given="${escapeHtml(JSON.stringify(given))}">
<main><h1>Console</h1><noscript><p>The console needs JavaScript.</p></noscript></main>
</div>`,
  })
}
