// src/api/operations/online/browser-payments.ts — card payments from the payer's browser or a mobile SDK.
// The access token in the address is the only credential; it is valid for one payment.

import { Type } from 'typebox'
import type { CardNumber, SecurityCode } from '../../../domain/card-number.ts'
import { TOKEN_LIFE_MS } from '../../../domain/online/access-token.ts'
import { awaitsPayerOrShop, type OnlinePayment } from '../../../domain/online/payment.ts'
import type { Submission } from '../../../domain/online/payment-events.ts'
import { forgetValue } from '../../../engine/sealed-proofs.ts'
import { browserBody, waitsForBrowser } from '../../online/browser-answer.ts'
import { securityCodeFault } from '../../online/card-faults.ts'
import { codeFor, readCardRequest, readSavedCardRequest, type SavedCardRequest } from '../../online/card-request.ts'
import { readPayerBrowser } from '../../online/payer-browser.ts'
import { BROWSER_ANSWER, CARD_BODY, SAVED_CARD_BODY } from '../../online/schemas.ts'
import { cardSubmission, savedCardSubmission, storeCard } from '../../online/submission.ts'
import { isForBrowsers } from '../../online/token-request.ts'
import { type Answer, openOperation, type RequestContext } from '../../operation.ts'
import { refusedFor } from '../../read/field-fault.ts'
import type { JsonObject, Refused } from '../../read/json-body.ts'
import { isSubmitted } from './online-payments.ts'

/** Longest wait for issuer and acquirer, in milliseconds. The least patient SDK times out after fifteen seconds. */
const BROWSER_WAIT_MS = 14_000

const EXAMPLE_CARD = {
  cardName: 'John Watson',
  cardNumber: '5200 0000 0000 0056',
  expiryDate: '12 / 30',
  cV2: '341',
}

const REFUSALS = ['online_field_invalid', 'access_token_spent', 'transaction_type_invalid'] as const

export const gatherDeviceData = openOperation({
  name: 'gatherDeviceData',
  summary: 'Start device data collection for 3-D Secure',
  description:
    'The step before a payment with 3-D Secure 2: post `token` as the form field `JWT` to `formAction` in a small frame. ' +
    'An empty `formAction`: nothing to collect. Does not use the access token up. Without `cardNumber`, and with a token for the card of an ' +
    'earlier payment, the body is that of `/api/payments/recurring/{token}`.',
  tag: 'Browser',
  area: 'browser',
  method: 'POST',
  path: '/api/device-data/{token}',
  body: { schema: CARD_BODY, examples: { card: EXAMPLE_CARD } },
  responses: {
    200: {
      description: 'Address and token for the post.',
      schema: Type.Object({ formAction: Type.String(), token: Type.String() }),
    },
  },
  refusals: REFUSALS,
  accountOf: accountOfToken,
  async run(context, { params, json }) {
    const payment = await payable(context, params.token)
    if ('refused' in payment) return payment
    const number = await numberIn(context, payment, json)
    if (number !== null && 'refused' in number) return number
    const { api, base } = context
    const step = payment.order.moto || number === null ? null : await api.online.deviceData(payment, number)
    if (step === null) return { status: 200, body: { formAction: '', token: '' } }
    const formAction = step.formAction.startsWith('/') ? base + step.formAction : step.formAction
    return { status: 200, body: { formAction, token: step.token } }
  },
})

export const payByCard = openOperation({
  name: 'payByCard',
  summary: 'Pay with a card',
  description:
    'Uses the access token up. Status 3: show the payer the issuer’s page first. If the answer is lost, repeat the request: until ' +
    'the acquirer is asked, the answer is the state of the payment.',
  tag: 'Browser',
  area: 'browser',
  method: 'POST',
  path: '/api/payments/{token}',
  body: { schema: CARD_BODY, examples: { card: EXAMPLE_CARD } },
  responses: { 200: { description: 'The outcome, or the issuer’s page to show.', schema: BROWSER_ANSWER } },
  refusals: [...REFUSALS, 'outcome_unknown'],
  accountOf: accountOfToken,
  async run(context, { params, json }) {
    const payment = await payable(context, params.token)
    if ('refused' in payment) return payment
    const read = await readCard(context, payment, json)
    if ('refused' in read) return read
    // A card is saved for a customer.
    if (read.saveCard && payment.order.customerId === null)
      return refusedFor(
        { invalid: 'customerId', says: 'is missing in the access token. A card is saved for a customer.' },
        'online_field_invalid',
      )
    const card = await storeCard(context.api.vault, payment, read.card)
    const submission = { ...cardSubmission(payment, read, card), ...(read.browser && { browser: read.browser }) }
    return payWithNewCard(context, payment, submission, read.securityCode)
  },
})

export const payBySavedCard = openOperation({
  name: 'payBySavedCard',
  summary: 'Pay with the card of an earlier payment',
  description:
    'Uses the card of the token’s `crossReference`, or of `paymentMethodId`, which must belong to the token’s customer.',
  tag: 'Browser',
  area: 'browser',
  method: 'POST',
  path: '/api/payments/recurring/{token}',
  body: { schema: SAVED_CARD_BODY, examples: { 'security code': { cV2: '341' } } },
  responses: { 200: { description: 'The outcome, or the issuer’s page to show.', schema: BROWSER_ANSWER } },
  refusals: [...REFUSALS, 'outcome_unknown'],
  accountOf: accountOfToken,
  async run(context, { params, json }) {
    const payment = await payable(context, params.token)
    if ('refused' in payment) return payment
    const sent = await json()
    if ('refused' in sent) return sent
    const read = readSavedCardRequest(sent.value)
    if ('invalid' in read) return refusedFor(read, 'online_field_invalid')
    const browser = readPayerBrowser(sent.value, context.request.headers, payment.order)
    if ('invalid' in browser) return refusedFor(browser, 'online_field_invalid')
    const source = await sourceOf(context, payment, read.value)
    if ('refused' in source) return source
    const code = read.value.securityCodeText
    const securityCode = code === null ? null : codeFor(source.submission.card.scheme, code)
    if (code !== null && securityCode === null)
      return refusedFor(securityCodeFault('cV2', code), 'online_field_invalid')
    const submission = savedCardSubmission(payment, read.value, source, securityCode !== null)
    const whole = { ...submission, ...(browser.value && { browser: browser.value }) }
    return pay(context, payment, whole, securityCode)
  },
})

/** The number of the card that is to be paid with: typed in, or saved. Null when the saved one has been deleted. */
async function numberIn(
  context: RequestContext,
  payment: OnlinePayment,
  json: () => Promise<{ readonly value: JsonObject } | Refused>,
): Promise<CardNumber | null | Refused> {
  const sent = await json()
  if ('refused' in sent) return sent
  const { order, merchantAccount } = payment
  const names = [sent.value['paymentMethodId'] ?? order.paymentMethodId, order.crossReference]
  if (sent.value['cardNumber'] !== undefined || names.every(name => name === null)) {
    const card = await readCard(context, payment, async () => sent)
    return 'refused' in card ? card : card.card.number
  }
  const read = readSavedCardRequest(sent.value)
  if ('invalid' in read) return refusedFor(read, 'online_field_invalid')
  const source = await sourceOf(context, payment, read.value)
  if ('refused' in source) return source
  return (await context.api.vault.openCard(merchantAccount, source.submission.card.vault))?.number ?? null
}

const NO_SAVED_CARD = 'names no card. It must be that of an earlier payment of this account and customer.'

/** Finds the earlier payment whose card is used. */
async function sourceOf(
  { api }: RequestContext,
  { merchantAccount, order }: OnlinePayment,
  { paymentMethodId }: SavedCardRequest,
): Promise<(OnlinePayment & { readonly submission: Submission }) | Refused> {
  const methodId = paymentMethodId ?? order.paymentMethodId
  const field = methodId === null ? 'crossReference' : 'paymentMethodId'
  const found =
    methodId !== null
      ? await api.online.saved(merchantAccount, methodId)
      : order.crossReference === null
        ? null
        : await api.online.referred(merchantAccount, order.crossReference)
  const theirs = methodId === null || (order.customerId !== null && found?.order.customerId === order.customerId)
  if (found === null || !theirs || !isSubmitted(found))
    return refusedFor({ invalid: field, says: NO_SAVED_CARD }, 'online_field_invalid')
  return found
}

/** Finds the account of the access token in the address of a browser's request. */
export async function accountOfToken(
  { api }: RequestContext,
  { params }: { readonly params: { readonly token: string } },
): Promise<string | null> {
  return (await api.online.find(params.token))?.record.merchantAccount ?? null
}

/** Finds the payment of a token that a browser can use, or continue after a lost answer; otherwise the refusal. */
export async function payable({ api }: RequestContext, token: string): Promise<OnlinePayment | Refused> {
  const payment = (await api.online.find(token))?.record
  if (payment !== undefined && awaitsPayerOrShop(payment)) return payment
  if (payment === undefined || payment.token !== 'issued') return { refused: { code: 'access_token_spent' } }
  const at = api.clocks.of(payment.merchantAccount).now()
  if (at >= payment.createdAt + TOKEN_LIFE_MS) return { refused: { code: 'access_token_spent' } }
  return isForBrowsers(payment.order.transactionType) ? payment : { refused: { code: 'transaction_type_invalid' } }
}

/** Reads the card, and what the issuer learns of the browser. */
async function readCard(
  { api, request }: RequestContext,
  { merchantAccount, order }: OnlinePayment,
  json: () => Promise<{ readonly value: JsonObject } | Refused>,
) {
  const sent = await json()
  if ('refused' in sent) return sent
  const at = api.clocks.of(merchantAccount).now()
  const read = readCardRequest(sent.value, api.cardRules, at, !order.moto)
  if ('invalid' in read) return refusedFor(read, 'online_field_invalid')
  const browser = readPayerBrowser(sent.value, request.headers, order)
  return 'invalid' in browser ? refusedFor(browser, 'online_field_invalid') : { ...read.value, browser: browser.value }
}

/** Pays with a card just stored in the vault. Deletes it, and a wallet's cryptogram, when the payment did not use it. */
export async function payWithNewCard(
  context: RequestContext,
  payment: OnlinePayment,
  submission: Submission,
  code: SecurityCode | null,
): Promise<Answer> {
  const { api, requestId } = context
  const { merchantAccount: account, id } = payment
  const reference = submission.card.vault
  async function forgetUnused(): Promise<void> {
    const record = (await api.online.findById({ account, id }))?.record
    if (record?.submission?.card.vault === reference) return
    await api.vault.forget(account, reference)
    if (submission.walletProof !== null) await forgetValue(api.vault, account, submission.walletProof)
  }
  try {
    const answer = await pay(context, payment, submission, code)
    await forgetUnused()
    return answer
  } catch (error) {
    // The browser gets the first error. A failed deletion is logged.
    await forgetUnused().catch(cause =>
      api.log.error({ request: requestId, error: String(cause) }, 'unused card not deleted'),
    )
    throw error
  }
}

/** Submits the payment and waits for the browser's next step or the outcome. */
async function pay(
  context: RequestContext,
  payment: OnlinePayment,
  submission: Submission,
  code: SecurityCode | null,
): Promise<Answer> {
  const intercepted = context.api.interceptor.payment(context.request)
  if ('refused' in intercepted) return intercepted
  if (payment.token === 'issued') intercepted.begins(payment)
  const executed = await context.api.online.submit(payment, submission, code)
  return 'refused' in executed ? executed : nextActionOf(context, payment)
}

/** Waits for the browser's next step or the outcome. Refuses with `outcome_unknown` after BROWSER_WAIT_MS. */
export async function nextActionOf(
  { api, base }: RequestContext,
  { merchantAccount, id }: OnlinePayment,
): Promise<Answer> {
  const record = await api.online.until({ account: merchantAccount, id }, waitsForBrowser, BROWSER_WAIT_MS)
  if (!waitsForBrowser(record)) return { refused: { code: 'outcome_unknown' } }
  return { status: 200, body: browserBody(record, base) }
}
