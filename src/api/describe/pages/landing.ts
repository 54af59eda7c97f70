// src/api/describe/pages/landing.ts — renders the landing page: a summary, an example request and the terminals.
import type { ApiSettings } from '../../parts.ts'
import { escapeHtml, page } from './html.ts'

export interface LandingTerminal {
  readonly tid: string
  readonly state: 'AVAILABLE' | 'BUSY' | 'UNPLUGGED'
}

/**
 * @param base address of the gateway as the visitor sees it
 * @param terminals terminals of the public test account; empty when there is no such account
 */
export function landingPage(
  settings: Pick<ApiSettings, 'mode' | 'publicKey' | 'programVersion'>,
  base: string,
  terminals: readonly LandingTerminal[],
): Uint8Array {
  const { mode, publicKey, programVersion } = settings
  return page({
    title: 'Tollgate',
    head: '<link rel="stylesheet" href="/assets/style.css">',
    body: `<main>
<h1>Tollgate <span class="mode">${mode}</span></h1>
<p class="lead">An open, self-hosted payment gateway for card terminals, pay at table and web shops. Each request is on disk
before it is answered, and every payment can tell whether money was taken.</p>
<nav aria-label="Documentation">
<a href="/docs/guides">Guides</a>
<a href="/docs">API reference</a>
<a href="/docs/socket">WebSocket reference</a>
<a href="/openapi.json">OpenAPI</a>
<a href="/asyncapi.json">AsyncAPI</a>
<a href="/console">Console</a>
${mode === 'sandbox' ? '<a href="/demo">Demo shop</a>' : ''}
<a href="/health/ready">Health</a>
</nav>
${publicKey === null ? '' : tryIt(base, publicKey, terminals)}
<footer>Tollgate ${escapeHtml(programVersion)}</footer>
</main>`,
  })
}

function tryIt(
  base: string,
  { account, key }: { readonly account: string; readonly key: string },
  terminals: readonly LandingTerminal[],
): string {
  const tid = terminals.find(({ state }) => state === 'AVAILABLE')?.tid ?? '22160001'
  const sale = `curl -u ${account}:${key} -H 'Content-Type: application/json' \\
  -d '{"transactionType":"SALE","amount":2599,"currency":"GBP"}' \\
  '${base}/pac/terminals/${tid}/transactions'`
  return `<h2 id="try">Take a payment</h2>
<p>The test account <code>${escapeHtml(account)}</code> is shared by everybody and may be reset at any time. Start a
sale on one of its simulated terminals:</p>
<pre tabindex="0" aria-labelledby="try"><code>${escapeHtml(sale)}</code></pre>
<p>Then read the <code>location</code> that comes back, once a second, until its newest notification is
<code>TRANSACTION_FINISHED</code>. For an account of your own:</p>
<pre tabindex="0" aria-label="Open a private test account"><code>${escapeHtml(`curl -X POST '${base}/sandbox/accounts'`)}</code></pre>
${terminals.length === 0 ? '' : terminalTable(account, terminals)}`
}

function terminalTable(account: string, terminals: readonly LandingTerminal[]): string {
  const rows = terminals.map(
    ({ tid, state }) =>
      `<tr><td>${escapeHtml(tid)}</td><td><span class="state state-${state}">${state.toLowerCase()}</span></td></tr>`,
  )
  return `<h2>Terminals</h2>
<table>
<caption>Simulated terminals of ${escapeHtml(account)}, as they were when this page was made</caption>
<thead><tr><th scope="col">Terminal</th><th scope="col">State</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`
}
