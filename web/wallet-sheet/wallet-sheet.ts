// web/wallet-sheet/wallet-sheet.ts — the sandbox's test wallet: a sheet with test cards. It pays with a token that is signed
// and encrypted like a phone's.
import './wallet-sheet.css'
import { PATHS, post } from '../frame/gateway.ts'
import { listenToPage, type PageLink } from '../frame/page-link.ts'
import type { Message, WalletOrder } from '../protocol.ts'

interface SheetCard {
  readonly name: string
  readonly number: string
  /** Device token, or a plain card number. */
  readonly authMethod: 'device' | 'card'
}

/** Public test numbers. */
const CARDS: readonly SheetCard[] = [
  { name: 'Mastercard, approved', number: '5200000000000056', authMethod: 'device' },
  { name: 'Visa, declined', number: '4921810000009076', authMethod: 'device' },
  { name: 'Visa without a device, which needs 3-D Secure', number: '4456530000001096', authMethod: 'card' },
]
const EXPIRY = '12/30'

/** Owner of the test wallet. */
const OWNER = {
  name: 'Ann Example',
  email: 'ann@shop.example',
  address: { address1: '32 Edward Street', locality: 'Camborne', postcode: 'TR14 8PA', countryCode: 'GB' },
} as const

const token = new URLSearchParams(location.search).get('token') ?? ''

listenToPage('open', (message: Message, page) => {
  if (message.type === 'open' && document.querySelector('form') === null) open(message.order as WalletOrder, page)
})

function open(order: WalletOrder, page: PageLink): void {
  const root = document.getElementById('root') ?? document.body
  // Apple Pay has only device tokens.
  const cards = CARDS.filter(({ authMethod }) => order.wallet === 'GOOGLE_PAY' || authMethod === 'device')
  const heading = made('h1', 'Test wallet')
  heading.tabIndex = -1
  heading.id = 'heading'
  root.setAttribute('role', 'dialog')
  root.setAttribute('aria-labelledby', heading.id)
  const about = made(
    'p',
    `${order.wallet === 'APPLE_PAY' ? 'Apple Pay' : 'Google Pay'} in the sandbox. No money moves.`,
  )
  const form = made('form', '')
  const set = made('fieldset', '')
  set.append(made('legend', 'Pay with'), ...cards.map(choice))
  const shared = made('p', sharedText(order))
  const status = made('p', '')
  status.setAttribute('role', 'status')
  const confirm = made('button', `Pay ${document.body.dataset['amount'] ?? ''}`)
  confirm.className = 'first'
  const cancel = made('button', 'Cancel')
  cancel.type = 'button'
  cancel.addEventListener('click', () => page.send({ type: 'closed' }))
  form.append(set, shared, confirm, cancel, status)
  form.addEventListener('submit', async event => {
    event.preventDefault()
    const chosen = cards[Number(new FormData(form).get('card'))]
    if (chosen === undefined) return
    for (const button of [confirm, cancel]) button.disabled = true
    status.textContent = 'One moment…'
    page.send({ type: 'approved' })
    page.send({ type: 'finished', data: await pay(order, chosen) })
  })
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && !cancel.disabled) page.send({ type: 'closed' })
  })
  root.replaceChildren(heading, about, form)
  addEventListener('focus', () => heading.focus(), { once: true })
  page.send({ type: 'opened' })
}

/** Gets a token and pays with it. The token goes only to the gateway; the page gets the outcome. */
async function pay({ wallet, emailRequired, billingAddressRequired }: WalletOrder, card: SheetCard): Promise<unknown> {
  const { number: cardNumber, authMethod } = card
  const signed = await post(PATHS.walletToken(token), { wallet, cardNumber, expiryDate: EXPIRY, authMethod })
  // Nothing was sent to the gateway.
  const failed = { statusCode: 400, message: 'The test wallet could not sign' }
  if (signed === null || typeof signed['token'] !== 'object') return signed ?? failed
  const contact = billingAddressRequired ? { billingContact: { name: OWNER.name, ...OWNER.address } } : {}
  const answer =
    wallet === 'APPLE_PAY'
      ? await post(PATHS.applePay(token), {
          token: signed['token'],
          ...(emailRequired ? { billingContact: { emailAddress: OWNER.email } } : {}),
        })
      : await post(PATHS.googlePay(token), {
          token: JSON.stringify(signed['token']),
          ...(emailRequired ? { email: OWNER.email } : {}),
          ...contact,
        })
  return answer ?? { statusCode: 500, message: 'The outcome of the payment is not known' }
}

function sharedText({ emailRequired, billingAddressRequired, shippingAddressRequired }: WalletOrder): string {
  const parts = [
    ...(emailRequired ? [OWNER.email] : []),
    ...(billingAddressRequired || shippingAddressRequired
      ? [`${OWNER.name}, ${OWNER.address.address1}, ${OWNER.address.locality}`]
      : []),
  ]
  return parts.length === 0 ? '' : `The shop also gets: ${parts.join('; ')}`
}

function choice({ name, number }: SheetCard, place: number): HTMLElement {
  const label = made('label', '')
  const input = document.createElement('input')
  input.type = 'radio'
  input.name = 'card'
  input.value = String(place)
  input.checked = place === 0
  const text = made('span', `${name} `)
  text.append(made('small', `ending ${number.slice(-4)}`))
  label.append(input, text)
  return label
}

function made<Name extends keyof HTMLElementTagNameMap>(name: Name, text: string): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  element.textContent = text
  return element
}
