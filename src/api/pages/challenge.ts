// src/api/pages/challenge.ts — the page on which a simulated issuer asks its payer.
import { amountText, currencyOf } from '../../domain/currency.ts'
import type { ChallengeView } from '../../engine/sandbox/issuer-pages.ts'
import type { Answer } from '../operation.ts'
import { framedPage, hiddenForm, SEND_FORMS } from './framed.ts'
import { escapeHtml } from './html.ts'

/** Asks for a code, a password or a button, whatever the card's issuer wants. */
export function challengePage(view: ChallengeView, action: string, returnUrl: string): Answer {
  const { maskedNumber, password, wrongTries, codesSent } = view
  const currency = currencyOf(view.currencyCode)
  const amount = currency === null ? '' : `${amountText(view.amountMinor, currency)} ${currency.code}`
  const sent = codesSent > 1 ? `<p role="status">A new code was sent (${codesSent}).</p>` : ''
  const wrong = wrongTries > 0 ? '<p role="alert">That was not right. Please try again.</p>' : ''
  const ask =
    password === null
      ? ''
      : `<label for="code">Code</label><input id="code" name="code" autocomplete="one-time-code" inputmode="numeric" autofocus>
<p>This is a sandbox: the code is <code>${escapeHtml(password)}</code>.</p>`
  return framedPage({
    title: 'Confirm your payment',
    framed: view.fault !== 'refuses_framing',
    body: `<main><h1>Confirm your payment</h1>
<p>${escapeHtml(amount)} with the card ${escapeHtml(maskedNumber)}</p>
${wrong}${sent}
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="MD" value="${escapeHtml(view.md)}">
<input type="hidden" name="TermUrl" value="${escapeHtml(returnUrl)}">
${ask}
<button name="action" value="submit">${password === null ? 'Authenticate' : 'Confirm'}</button>
${password === null ? '' : '<button name="action" value="resend">Send a new code</button>'}
<button name="action" value="cancel">Cancel</button>
</form></main>`,
  })
}

/** Sends the browser back to the gateway. The fields are those of the version; what they say is not believed there. */
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

/** A page that never ends. */
export function stuckPage(): Answer {
  return framedPage({ title: 'One moment', body: '<p role="status">One moment…</p>' })
}

function cresOf(md: string): string {
  return encoded({ messageType: 'CRes', messageVersion: '2.1.0', acsTransID: md })
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
