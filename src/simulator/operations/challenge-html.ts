// src/simulator/operations/challenge-html.ts — the simulated issuer's challenge page.

import type { Answer } from '../../api/answer.ts'
import { framedPage, hiddenForm, SEND_FORMS } from '../../api/describe/pages/framed.ts'
import { escapeHtml } from '../../api/describe/pages/html.ts'
import { amountText, currencyOf } from '../../domain/currency.ts'
import { SPOKEN } from '../three-d-secure/authentications.ts'
import type { ChallengeView } from '../three-d-secure/issuer-pages.ts'

/** Page that asks for a password or code, or shows a button, as the card requires. */
export function challengePage(view: ChallengeView, action: string, returnUrl: string): Answer {
  const { maskedNumber, password, wrongTries, codesSent } = view
  const currency = currencyOf(view.currencyCode)
  const amount = currency === null ? '' : `${amountText(view.amountMinor, currency)} ${currency.code}`
  const field = (name: string, value: string) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`
  return framedPage({
    title: 'Confirm your payment',
    framed: view.fault !== 'refuses_framing',
    body: `<main aria-label="Sandbox Bank"><div class="bank">${COLUMNS}<span>Sandbox Bank</span><small>Test</small></div>
<h1>${password === null ? 'Is this payment yours?' : 'Enter your one-time code'}</h1>
<dl><dt>Amount</dt><dd>${escapeHtml(amount)}</dd><dt>Card</dt><dd>${escapeHtml(maskedNumber)}</dd></dl>
${wrongTries > 0 ? '<p role="alert">That code was not right. Please try again.</p>' : ''}
${codesSent > 1 ? `<p role="status">We have sent you a new code (${codesSent}).</p>` : ''}
<form method="post" action="${escapeHtml(action)}">
${field('MD', view.md)}${field('TermUrl', returnUrl)}
${password === null ? '' : codeField(password, wrongTries > 0)}
<p><button class="first" name="action" value="submit">${password === null ? 'Yes, confirm' : 'Confirm'}</button></p>
<div class="row">${password === null ? '' : '<button name="action" value="resend">Send a new code</button>'}
<button name="action" value="cancel">Cancel</button></div>
</form></main>`,
  })
}

function codeField(password: string, wrong: boolean): string {
  return `<label for="code">One-time code</label>
<input id="code" name="code" autocomplete="one-time-code" inputmode="numeric" aria-describedby="code-hint"${
    wrong ? ' aria-invalid="true"' : ''
  } autofocus>
<p class="hint" id="code-hint">This is a sandbox: the code is <b>${escapeHtml(password)}</b>.</p>`
}

/** Bank logo. */
const COLUMNS =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 2 2 7v2h20V7zM4 11v7h3v-7zm6.500 0v7h3v-7zM17 11v7h3v-7zM2 20v2h20v-2z"/></svg>'

/**
 * Sends the browser back to the gateway with the fields of the 3-D Secure version. The gateway does not trust their content.
 */
export function returningPage({ md, version }: ChallengeView, returnUrl: string, times: 1 | 2): Answer {
  const fields: Readonly<Record<string, string>> =
    version === '1.0' ? { MD: md, PaRes: encoded({ PaRes: md }) } : { threeDSSessionData: md, MD: md, cres: cresOf(md) }
  const twice =
    times === 1
      ? ''
      : `<iframe name="once-more" title="Once more"></iframe>${hiddenForm(returnUrl, fields, 'once-more')}`
  return framedPage({
    title: 'One moment',
    body: `<p>One moment…</p>${twice}${hiddenForm(returnUrl, fields)}`,
    script: SEND_FORMS,
  })
}

/** A page that never proceeds. */
export function unansweredPage(): Answer {
  return framedPage({ title: 'One moment', body: '<p role="status">One moment…</p>' })
}

function cresOf(md: string): string {
  return encoded({ messageType: 'CRes', messageVersion: SPOKEN, acsTransID: md })
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
