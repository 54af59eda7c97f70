// src/simulator/operations/test-cards-html.ts — renders the test cards: what to enter in a payment form, and the result.
import { escapeHtml } from '../../api/describe/pages/html.ts'
import { testCardsDocument } from '../../api/describe/pages/test-cards.ts'
import type { TestCardView } from '../terminals/screens.ts'
import type { OnlineTestCardView } from '../three-d-secure/issuer-pages.ts'

/** Display text of each status. */
const OUTCOMES: Readonly<Record<number, string>> = { 0: 'approved', 4: 'referred', 5: 'declined' }

export function testCardsPage(cards: {
  readonly online: readonly OnlineTestCardView[]
  readonly counter: readonly TestCardView[]
}): Uint8Array {
  return testCardsDocument(`${online(cards.online)}\n${counter(cards.counter)}`)
}

function online(cards: readonly OnlineTestCardView[]): string {
  const rows = cards.map(({ number, scheme, expiry, securityCode, holder, expected, mode, password }) => [
    grouped(number),
    scheme,
    expiry ?? 'any future month',
    securityCode,
    holder ?? 'any',
    `${expected} ${OUTCOMES[expected] ?? ''}`,
    mode,
    password ?? '',
  ])
  return `<h2>In a payment form</h2>
<p class="lead">Public test numbers that no bank has issued. Other cards and wrong security codes are declined.</p>
${table(['Number', 'Scheme', 'Expiry', 'Code', 'Name', 'Status', '3-D Secure', 'Password'], rows)}`
}

function counter(cards: readonly TestCardView[]): string {
  const rows = cards.map(({ card, name, scheme, maskedNumber, pin, how, answer }) => [
    ...[card, name, scheme, maskedNumber, pin || 'none', how.join(', '), answer],
  ])
  return `<h2>At a simulated terminal</h2>
<p>The key <code>present_card</code> takes the name in the first column.</p>
${table(['Card', 'Name', 'Scheme', 'Number', 'PIN', 'How', 'Issuer'], rows)}`
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map(text => `<th scope="col">${escapeHtml(text)}</th>`).join('')
  const body = rows.map(row => `<tr>${row.map(text => `<td>${escapeHtml(text)}</td>`).join('')}</tr>`)
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(heads[0] ?? '')}"><table>
<thead><tr>${head}</tr></thead>
<tbody>
${body.join('\n')}
</tbody>
</table></div>`
}

/** Groups of four digits, as on a card. */
function grouped(number: string): string {
  return number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
}
