// src/api/describe/pages/socket-reference.ts — renders the WebSocket reference from the messages of the AsyncAPI document.
// The page has no scripts.
import { ANSWERS } from '../../answers.ts'
import { RPC_ERRORS } from '../../socket/rpc-codes.ts'
import type { PublishedExchange, PublishedMessage, PublishedVersion } from '../published-messages.ts'
import { docsNav } from './docs-nav.ts'
import { escapeHtml, escapeProse, page } from './html.ts'
import { schemaTable } from './schema-table.ts'

/**
 * Renders the page of one version.
 * @param others names of all versions, this one included, newest first
 * @param base address of the gateway
 */
export function socketReferencePage(version: PublishedVersion, others: readonly string[], base: string): Uint8Array {
  const { methods, pushes, tables, error } = version
  return page({
    title: `Tollgate WebSocket reference ${version.version}`,
    head: '<link rel="stylesheet" href="/assets/style.css">\n<link rel="stylesheet" href="/assets/docs.css">',
    body: `${docsNav('/docs/socket')}
<div class="reference">
<aside><nav aria-label="Messages">
<p>Requests of the till</p>
${methods.map(linkTo).join('\n')}
<p>Messages to the till</p>
${pushes.map(linkTo).join('\n')}
<p>Requests about tables</p>
${tables.map(linkTo).join('\n')}
<p>Both directions</p>
<a href="#errors">errors</a>
</nav></aside>
<main>
${introduction(version, others, base)}
<h2>Requests of the till</h2>
${methods.map(exchange => section(exchange, 'till → gateway')).join('\n')}
<h2>Messages to the till</h2>
${pushes.map(exchange => section(exchange, 'gateway → till')).join('\n')}
${tableIntroduction(version, base)}
${tables.map(exchange => section(exchange, 'gateway → till')).join('\n')}
${errors(error)}
</main>
</div>`,
  })
}

function linkTo({ form }: PublishedExchange): string {
  return `<a href="#${escapeHtml(form.name)}">${escapeHtml(form.name)}</a>`
}

function introduction({ version }: PublishedVersion, others: readonly string[], base: string): string {
  const address = `${base.replace(/^http/, 'ws')}/pac?token=API-KEY&api-version=${version}`
  const versions = others.map(
    other => `<a href="/docs/socket/${other}"${other === version ? ' aria-current="page"' : ''}>${other}</a>`,
  )
  return `<h1>WebSocket <span class="mode">${escapeHtml(version)}</span></h1>
<p class="lead">JSON-RPC 2.0 over a WebSocket. A till sends a request, is notified of what the terminal shows, and gets the
result when the transaction ends.</p>
<nav aria-label="Versions">${versions.join('')}<a href="/asyncapi.json">AsyncAPI</a><a href="/schemas">Schemas</a></nav>
<pre tabindex="0" aria-label="Address to connect to"><code>${escapeHtml(address)}</code></pre>
<p>With <code>api-version=v1</code>, add <code>software-house-id</code> and <code>installer-id</code>. Send one JSON object
per frame. Request ids are integers from 0 to 999999. Replies come in order of completion: match them by id. The gateway
pings every 30 seconds, and closes the connection after 60 seconds without traffic. Methods marked
<span class="badge">HTTP too</span> are also available at <code>POST /pac</code>.</p>`
}

function tableIntroduction({ version }: PublishedVersion, base: string): string {
  const address = `${base.replace(/^http/, 'ws')}/pat?token=API-KEY&api-version=${version}`
  return `<h2 id="tables">Requests about tables</h2>
<p>A till that stores its own tables connects here. The gateway sends it requests when a waiter uses a terminal. Each
account has one such connection: a new one replaces the earlier, which gets error -32076. The till sends no requests.</p>
<pre tabindex="0" aria-label="Address to connect to for tables"><code>${escapeHtml(address)}</code></pre>
<p>Add <code>final-pos-receipt-request</code> to be asked for the bill after payment too. Reply with the id of the request,
within <code>timeout</code> seconds.</p>`
}

function section({ form, request, reply }: PublishedExchange, direction: string): string {
  const overHttp = 'method' in form && form.method.pushes !== true
  return `<section id="${escapeHtml(form.name)}">
<h3>${escapeHtml(form.name)} <span class="badge">${direction}</span>${overHttp ? ' <span class="badge">HTTP too</span>' : ''}</h3>
<p><strong>${escapeProse(form.summary)}.</strong> ${escapeProse(form.description)}</p>
${part(request, form.params, 'params')}
${reply === null ? '<p>A notification, without a reply.</p>' : part(reply, form.result, 'result')}
${'words' in form && form.words !== undefined ? meanings(form.words) : ''}
${'refusals' in form ? refusals(form.refusals.map(code => ANSWERS[code].rpcCode)) : ''}
</section>`
}

function part({ name, title, example }: PublishedMessage, schema: unknown, member: string): string {
  return `<details open><summary>${escapeHtml(title)}</summary>
<p class="schema"><a href="/schemas/${name}.json" aria-label="Schema of ${escapeHtml(title)}">schema</a></p>
<pre tabindex="0" aria-label="Example of ${escapeHtml(title)}"><code>${escapeHtml(JSON.stringify(example, null, 2))}</code></pre>
${schemaTable(schema, `Members of ${member}`)}
</details>`
}

function refusals(codes: readonly (keyof typeof RPC_ERRORS)[]): string {
  const named = [...new Set(codes)].map(code => `<code>${code}</code> ${escapeHtml(RPC_ERRORS[code])}`)
  return named.length === 0 ? '' : `<p>Specific errors: ${named.join(', ')}.</p>`
}

function meanings(words: Readonly<Record<string, string>>): string {
  const rows = Object.entries(words).map(
    ([word, meaning]) => `<tr><td>${escapeHtml(word)}</td><td>${escapeProse(meaning)}</td></tr>`,
  )
  return `<div class="scroll" tabindex="0" role="region" aria-label="Values"><table>
<caption>What each value means for the cashier</caption>
<thead><tr><th scope="col">Value</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table></div>`
}

function errors(error: PublishedMessage): string {
  const rows = Object.entries(RPC_ERRORS).map(
    ([code, message]) => `<tr><td>${code}</td><td>${escapeHtml(message)}</td></tr>`,
  )
  return `<section id="errors">
<h2>Errors</h2>
<p>Show <code>error.data.userMessage</code> to the cashier when present. The error of a request without a valid id has no
id. The connection stays open.</p>
${part(error, (error.schema['properties'] as Record<string, unknown>)['error'], 'error')}
<table>
<caption>Codes</caption>
<thead><tr><th scope="col">Code</th><th scope="col">Message</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</section>`
}

/** Additional style of this page. */
export const SOCKET_REFERENCE_STYLE = `.reference { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 80rem; margin: 0 auto; }
.reference main { min-width: 0; max-width: none; margin: 0; padding-top: 2.5rem; }
.reference aside nav {
  position: sticky;
  top: 0;
  flex-flow: column nowrap;
  gap: 0.1rem;
  max-height: 100vh;
  overflow-y: auto;
  margin: 0;
  padding: 2.5rem 0 2rem 1.25rem;
}
.reference aside nav p { margin: 0.9rem 0 0.2rem; color: var(--quiet); font-size: 0.8rem; }
.reference aside nav a, .reference aside nav a:first-child {
  padding: 0.2rem 0.5rem;
  border: 0;
  background: none;
  color: var(--ink);
  font-size: 0.9rem;
  overflow-wrap: anywhere;
}
.reference aside nav a:hover { color: var(--accent); text-decoration: underline; }
.reference main nav a:first-child { background: var(--panel); border-color: var(--line); color: var(--ink); }
.reference main nav a[aria-current] { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
.reference section { margin: 1.5rem 0; padding: 0.25rem 1.25rem 1.25rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--panel); }
.reference h3 { font: 600 1.1rem/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.reference section p { max-width: 48rem; }
.reference details { margin: 0.75rem 0; overflow-x: auto; }
.reference summary { cursor: pointer; font-weight: 600; }
.reference .schema { margin: 0.25rem 0; font-size: 0.85rem; }
.reference .schema a { color: var(--accent); }
.reference table { font-size: 0.9rem; }
.reference td { vertical-align: top; }
.reference td code { white-space: nowrap; }
.reference main > nav { margin-bottom: 1rem; }
.reference pre { max-height: 24rem; overflow: auto; }
.badge {
  display: inline-block;
  padding: 0 0.5rem;
  border: 1px solid var(--line);
  border-radius: 1rem;
  font: 500 0.75rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  color: var(--quiet);
  vertical-align: middle;
}
@media (max-width: 50rem) {
  .reference { display: block; }
  .reference aside nav { position: static; max-height: none; padding: 1.25rem 1.25rem 0; }
}
`
