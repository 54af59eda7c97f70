// src/peers/directory-server/pages.ts — the pages of the simulated issuer: the challenge, the way back, and the collection of device data.
import { createHash } from 'node:crypto'

export interface Page {
  readonly html: string
  readonly policy: string
}

export interface ChallengePage {
  readonly acsTransId: string
  /** What the browser brought, to be given back. */
  readonly sessionData: string
  readonly merchantName: string
  /** As the payer reads it, with the currency. */
  readonly amount: string
  /** Ending of the card. */
  readonly ending: string
  /** Where the browser goes afterwards: the form is allowed to lead there. */
  readonly returnsTo: string
  readonly isWrong: boolean
  readonly canBeFramed: boolean
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1b2430; --soft: #5b6675; --paper: #fff; --line: #c4ccd6; --accent: #0b5cad; --on: #fff; --bad: #b3261e }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eef2f7; --soft: #a9b4c2; --paper: #161c24; --line: #445060; --accent: #7db8f5; --on: #10161d; --bad: #ff9a91 }
}
* { box-sizing: border-box }
body { margin: 0; padding: 1.5rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
main { max-width: 26rem; margin: 0 auto }
h1 { font-size: 1.25rem; margin: 0 0 1rem }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 0 0 1.25rem }
dt { color: var(--soft) }
dd { margin: 0; text-align: end; overflow-wrap: anywhere }
label { display: block; font-weight: 600; margin-bottom: .25rem }
input { width: 100%; font: inherit; padding: .6rem .75rem; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .5rem }
button { width: 100%; min-height: 2.75rem; margin-top: .75rem; font: inherit; font-weight: 600; border-radius: .5rem; border: 1px solid var(--accent); cursor: pointer }
.go { color: var(--on); background: var(--accent) }
.stop { color: var(--accent); background: transparent }
input:focus-visible, button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.bad { color: var(--bad); margin: .5rem 0 0 }
.hint { color: var(--soft); margin: .25rem 0 .5rem }`

/** Asks the payer for the code. */
export function challengePage(page: ChallengePage): Page {
  const { acsTransId, sessionData, merchantName, amount, ending, isWrong } = page
  const described = isWrong ? 'hint wrong' : 'hint'
  const html = document(
    'Confirm your payment',
    `<h1 id="title">Confirm your payment</h1>
<dl><dt>Shop</dt><dd>${escaped(merchantName)}</dd><dt>Amount</dt><dd>${escaped(amount)}</dd><dt>Card</dt><dd>ending in ${escaped(ending)}</dd></dl>
<form method="post" action="/answer">
<input type="hidden" name="acsTransID" value="${escaped(acsTransId)}">
<input type="hidden" name="threeDSSessionData" value="${escaped(sessionData)}">
<label for="code">One-time code</label>
<p class="hint" id="hint">This issuer is simulated. The code is 1234.</p>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="8" aria-describedby="${described}"${isWrong ? ' aria-invalid="true"' : ''} autofocus>
${isWrong ? '<p class="bad" id="wrong" role="alert">This code is wrong. Please try again.</p>' : ''}
<button class="go" type="submit">Confirm</button>
<button class="stop" type="submit" name="cancel" value="yes">Cancel</button>
</form>`,
  )
  const frames = page.canBeFramed ? '' : "; frame-ancestors 'none'"
  return { html, policy: policyOf(html, `form-action 'self' ${originOf(page.returnsTo)}${frames}`) }
}

/** Takes the browser to an address with these fields. @param isTwice first in a hidden frame, then itself */
export function leavingPage(to: string, fields: Readonly<Record<string, string>>, isTwice = false): Page {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  )
  const send = isTwice
    ? "form.target = 'first'; form.submit(); setTimeout(() => { form.target = ''; form.submit() }, 500)"
    : 'form.submit()'
  const html = document(
    'Back to the shop',
    `<h1 id="title">Back to the shop…</h1>
<form method="post" action="${escaped(to)}">${inputs.join('')}<button class="go" type="submit">Continue</button></form>
${isTwice ? '<iframe name="first" title="First return" hidden></iframe>' : ''}
<script>const form = document.forms[0]; ${send}</script>`,
  )
  return { html, policy: policyOf(html, `form-action ${originOf(to)}${isTwice ? `; frame-src ${originOf(to)}` : ''}`) }
}

/** Says what was wrong with a request of the browser. */
export function refusedPage(sentence: string): Page {
  const html = document(
    'The payment cannot be confirmed',
    `<h1 id="title">The payment cannot be confirmed</h1><p>${escaped(sentence)}</p>`,
  )
  return { html, policy: policyOf(html, "form-action 'none'") }
}

function document(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${STYLE}</style></head>
<body><main aria-labelledby="title">${main}</main></body>
</html>
`
}

/** Allows the styles and scripts of the page itself, and nothing else. */
function policyOf(html: string, more: string): string {
  const hashes = (tag: string) =>
    [...html.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map(
      ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    )
  const scripts = hashes('script').join(' ') || "'none'"
  return `default-src 'none'; style-src ${hashes('style').join(' ')}; script-src ${scripts}; base-uri 'none'; ${more}`
}

function originOf(url: string): string {
  return new URL(url).origin
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
