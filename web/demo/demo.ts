// web/demo/demo.ts — page of the demo shop: the code that a merchant writes around the form.
import './demo.css'

interface Order {
  readonly id: string
  readonly what: string
  readonly amount: number
  readonly statusCode: number | null
  readonly message: string
  readonly card: string
  readonly crossReference: string
  readonly state: string
}

interface State {
  readonly orders: readonly Order[]
  readonly webhooks: readonly { readonly id: string; readonly orderId: string; readonly at: number }[]
}

interface PaymentForm {
  executePayment(info?: unknown): Promise<{ readonly statusCode: number; readonly message: string }>
}
type Make = new (
  config: unknown,
  displayErrors: (errors: readonly { readonly message: string }[]) => void,
  callback?: (result: never) => void,
) => PaymentForm

declare const Connect: { readonly ConnectE: Make; readonly ConnectERecurringPayment: Make; readonly Wallet: Make }

/** Actions for an order in each state, as paths of the shop's server. */
const STEPS: Readonly<Record<string, readonly (readonly [step: string, label: string])[]>> = {
  reserved: [
    ['collect', 'Collect'],
    ['void', 'Cancel'],
  ],
  paid: [
    ['refund', 'Refund'],
    ['void', 'Cancel'],
    ['charge-again', 'Charge again'],
    ['pay-again', 'Buy again with this card'],
  ],
}

/** Orders on the page, by id. */
const shown = new Map<string, { readonly text: string; readonly row: HTMLElement }>()
const REFRESH_MS = 1_500
const page = (id: string): HTMLElement => document.getElementById(id) ?? document.body
const outcome = page('outcome')
const payButton = page('pay-button') as HTMLButtonElement
let pay: () => void = () => {}

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-good]'))
  button.addEventListener('click', () => {
    const { good, kind } = button.dataset
    void checkout({ good: Number(good), kind })
  })
payButton.addEventListener('click', () => pay())

/** Requests a token from the shop's server and opens the form with it. `of`: id of an earlier order whose card pays. */
async function checkout(requested: { readonly good: number; readonly kind: string | undefined; readonly of?: string }) {
  const { order, token } = (await send('/demo/orders', requested)) as { order: Order; token: string }
  page('checkout').hidden = false
  page('price').textContent = pounds(order.amount)
  page('order').textContent = `${order.what}, order ${order.id}`
  outcome.textContent = ''
  page('card-form').replaceChildren()
  page('wallet').replaceChildren()
  const kind = requested.of === undefined ? 'ConnectE' : 'ConnectERecurringPayment'
  const shown = { showValidation: true }
  const form = new Connect[kind](
    {
      containerId: 'card-form',
      paymentDetails: { paymentToken: token },
      styles: { base: {} },
      text: { cardName: shown, cardNumber: shown, expiryDate: shown, cv2: shown },
      onIframeLoaded: () => page('checkout').scrollIntoView({ behavior: 'smooth', block: 'center' }),
      onIframeLoadFailed: () => showOutcome('The payment form could not be loaded. Nothing was charged.', 'bad'),
    },
    () => {},
    () => pay(),
  )
  if (requested.of === undefined)
    new Connect.Wallet(
      { containerId: 'wallet', paymentDetails: { paymentToken: token }, buttonConfig: { type: 'buy' } },
      () => {},
      (() => void confirm(order)) as (result: never) => void,
    )
  page('pay-button').parentElement?.toggleAttribute('hidden', false)
  pay = () => void execute(form, order, requested.of !== undefined)
}

async function execute(form: PaymentForm, order: Order, again: boolean): Promise<void> {
  payButton.disabled = true
  showOutcome('One moment…', '')
  const save = (page('save') as HTMLInputElement).checked
  try {
    await form.executePayment(again ? {} : { savePaymentMethod: save })
  } catch (why) {
    payButton.disabled = false
    if (Array.isArray(why)) return showOutcome('Please check the fields above.', 'bad')
    if ((why as { statusCode?: number }).statusCode !== 500)
      return showOutcome('This payment cannot continue. Nothing was charged: please choose again.', 'bad')
  }
  payButton.disabled = false
  await confirm(order)
}

/** Shows the outcome that the shop's server gets from the gateway, whatever the form reported. */
async function confirm({ id }: Order): Promise<void> {
  const { order } = (await send(`/demo/orders/${id}/confirm`, {})) as { order: Order }
  if (order.state === 'paid') showOutcome(`Thank you! Paid with ${order.card}.`, 'good')
  else if (order.state === 'reserved') showOutcome(`Reserved on ${order.card}.`, 'good')
  else if (order.state === 'refunded' || order.state === 'cancelled') showOutcome(`This order is ${order.state}.`, '')
  else showOutcome(order.message === '' ? 'Nothing was paid.' : `${order.message}. Nothing was charged.`, 'bad')
  await refresh()
}

function showOutcome(text: string, how: '' | 'good' | 'bad'): void {
  outcome.textContent = text
  outcome.className = how
}

async function refresh(): Promise<void> {
  const { orders, webhooks } = (await (await fetch('/demo/state')).json()) as State
  for (const order of orders.toReversed()) showOrder(order)
  page('webhook-list').replaceChildren(
    ...webhooks.map(({ orderId, id, at }) => {
      const item = document.createElement('li')
      item.textContent = `${new Date(at).toLocaleTimeString()}  order ${orderId}, payment ${id.slice(0, 8)}…`
      return item
    }),
  )
}

/** Redraws only changed orders, so that a focused button keeps the focus. */
function showOrder(order: Order): void {
  const text = JSON.stringify(order)
  const known = shown.get(order.id)
  if (known?.text === text) return
  const row = orderRow(order)
  if (known !== undefined) known.row.replaceWith(row)
  else if (shown.size === 0) page('order-list').replaceChildren(row)
  else page('order-list').prepend(row)
  shown.set(order.id, { text, row })
}

function orderRow(order: Order): HTMLElement {
  const row = document.createElement('article')
  row.className = 'order'
  const text = document.createElement('p')
  const state = document.createElement('span')
  state.className = `state ${order.state}`
  state.textContent = order.state
  const card = order.card === '' ? '' : `, ${order.card}`
  text.append(state, ` ${order.what}, ${pounds(order.amount)}${card} `)
  const small = document.createElement('small')
  small.textContent = `${order.id}${order.message === '' ? '' : ` · ${order.message}`}`
  text.append(small)
  const buttons = document.createElement('p')
  buttons.className = 'buttons'
  for (const [step, label] of STEPS[order.state] ?? []) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'second'
    button.textContent = label
    button.setAttribute('aria-label', `${label}, order ${order.id}`)
    button.addEventListener('click', () => void goOn(order, step))
    buttons.append(button)
  }
  row.append(text, buttons)
  return row
}

async function goOn({ id }: Order, step: string): Promise<void> {
  if (step === 'pay-again') return checkout({ good: 0, kind: 'SALE', of: id })
  await send(`/demo/orders/${id}/later`, { step })
  await refresh()
}

async function send(path: string, body: unknown): Promise<unknown> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) showOutcome('The shop does not answer. Please try again.', 'bad')
  return response.json()
}

function pounds(pence: number): string {
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' }).format(pence / 100)
}

void refresh()
setInterval(() => document.hidden || void refresh(), REFRESH_MS)
