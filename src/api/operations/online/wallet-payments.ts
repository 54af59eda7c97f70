// src/api/operations/online/wallet-payments.ts — payments with Apple Pay and Google Pay.

import { Type } from 'typebox'
import type { OnlinePayment } from '../../../domain/online/payment.ts'
import { MERCHANT_ACCOUNT } from '../../../engine/machines.ts'
import type { WalletName, WalletOpened } from '../../../engine/ports/wallets.ts'
import { readFields, wrong } from '../../online/fields.ts'
import { BROWSER_ANSWER } from '../../online/schemas.ts'
import { storeWalletCard, walletSubmission } from '../../online/submission.ts'
import { readWalletPayer } from '../../online/wallet-contact.ts'
import { type Answer, openOperation, type RequestContext } from '../../operation.ts'
import { faultSaying, refusedFor } from '../../read/field-fault.ts'
import type { JsonObject, Refused } from '../../read/json-body.ts'
import { accountOfToken, payable, payWithNewCard } from './browser-payments.ts'

const REFUSALS = ['online_field_invalid', 'access_token_spent', 'transaction_type_invalid', 'outcome_unknown'] as const
const ANY = Type.Optional(Type.Object({}, { additionalProperties: true }))
const TEXT = Type.Optional(Type.String())

const APPLE_BODY = Type.Object({
  token: Type.Object(
    {},
    { additionalProperties: true, writeOnly: true, description: 'As from the Apple Pay session: `{paymentData, …}`.' },
  ),
  billingContact: ANY,
  shippingContact: ANY,
})

const GOOGLE_BODY = Type.Object({
  token: Type.String({ writeOnly: true, description: 'As from the Google Pay sheet: the ECv2 message as text.' }),
  email: TEXT,
  phoneNumber: TEXT,
  billingContact: ANY,
  shippingContact: ANY,
  metaData: ANY,
})

const ANSWER = { 200: { description: 'The outcome, or the issuer’s page to show.', schema: BROWSER_ANSWER } }

const applePay = {
  summary: 'Pay with Apple Pay',
  tag: 'Browser',
  area: 'browser',
  method: 'POST',
  body: { schema: APPLE_BODY, examples: {} },
  responses: ANSWER,
  refusals: REFUSALS,
  accountOf: accountOfToken,
} as const

export const payByApplePay = openOperation({
  ...applePay,
  name: 'payByApplePay',
  path: '/api/payments/{token}/apple-pay',
  run: (context, { params, json }) => payByWallet(context, params.token, 'APPLE_PAY', json),
})

export const payByApplePayAnywhere = openOperation({
  ...applePay,
  name: 'payByApplePayAnywhere',
  description: 'The same, for pages of any origin.',
  path: '/cors/api/payments/{token}/apple-pay',
  run: (context, { params, json }) => payByWallet(context, params.token, 'APPLE_PAY', json),
})

export const payByGooglePay = openOperation({
  name: 'payByGooglePay',
  summary: 'Pay with Google Pay',
  description: 'A card that is not bound to a device goes through 3-D Secure: status 3.',
  tag: 'Browser',
  area: 'browser',
  method: 'POST',
  path: '/api/payments/{token}/google-pay',
  body: { schema: GOOGLE_BODY, examples: {} },
  responses: ANSWER,
  refusals: REFUSALS,
  accountOf: accountOfToken,
  run: (context, { params, json }) => payByWallet(context, params.token, 'GOOGLE_PAY', json),
})

export const inspectGooglePay = openOperation({
  name: 'inspectGooglePay',
  summary: 'Decrypt a Google Pay token',
  description: 'Tells SDKs whether the card is bound to a device. The card number is masked.',
  tag: 'Browser',
  area: 'browser',
  method: 'POST',
  path: '/api/payments/{token}/google-pay/decrypt-token',
  body: { schema: Type.Object({ token: Type.String({ writeOnly: true }) }), examples: {} },
  responses: {
    200: {
      description: 'The card, masked.',
      schema: Type.Object({
        paymentMethod: Type.String(),
        paymentMethodDetails: Type.Object({
          authMethod: Type.String(),
          pan: Type.String(),
          expirationMonth: Type.Integer(),
          expirationYear: Type.Integer(),
        }),
        gatewayMerchantId: Type.String({ description: 'The account; empty when the token has none.' }),
        messageId: Type.String(),
        messageExpiration: Type.String({ description: 'Epoch milliseconds, in digits.' }),
      }),
    },
  },
  refusals: ['online_field_invalid', 'access_token_spent', 'transaction_type_invalid'],
  accountOf: accountOfToken,
  async run(context, { params, json }) {
    const payment = await payable(context, params.token)
    if ('refused' in payment) return payment
    const sent = await json()
    if ('refused' in sent) return sent
    const opened = await open(context, payment, 'GOOGLE_PAY', sent.value)
    if ('refused' in opened) return opened
    const { number, expiry, cryptogram } = opened.card
    const { id: messageId, gatewayMerchantId, expiration: messageExpiration } = opened.message
    const paymentMethodDetails = {
      authMethod: cryptogram === null ? 'PAN_ONLY' : 'CRYPTOGRAM_3DS',
      pan: number.masked,
      expirationMonth: expiry.month,
      expirationYear: expiry.year,
    }
    const message = { gatewayMerchantId, messageId, messageExpiration }
    return { status: 200, body: { paymentMethod: 'CARD', paymentMethodDetails, ...message } }
  },
})

export const openApplePaySession = openOperation({
  name: 'openApplePaySession',
  summary: 'Open an Apple Pay session',
  description:
    'Called by the hosted form for merchant validation. The gateway requests the session from the URL that Apple gave the browser, ' +
    'with the merchant identity certificate. It calls hosts of Apple only.',
  tag: 'Browser',
  area: 'browser',
  method: 'POST',
  path: '/api/payments/{token}/apple-pay/session',
  body: {
    schema: Type.Object({
      validationUrl: Type.String({ maxLength: 2_048 }),
      pageOrigin: Type.String({
        maxLength: 512,
        description: 'Origin of the merchant’s page, which is registered with Apple.',
      }),
    }),
    examples: {
      'a page': {
        validationUrl: 'https://apple-pay-gateway.apple.com/paymentservices/startSession',
        pageOrigin: 'https://shop.example',
      },
    },
  },
  responses: {
    200: {
      description: 'For `completeMerchantValidation`.',
      schema: Type.Object({ session: Type.Unsafe<object>({ type: 'object', description: 'As from Apple.' }) }),
    },
  },
  refusals: ['online_field_invalid', 'access_token_spent', 'transaction_type_invalid', 'wallet_silent'],
  accountOf: accountOfToken,
  async run(context, { params, body }) {
    const payment = await payable(context, params.token)
    if ('refused' in payment) return payment
    const sent = await body()
    if ('refused' in sent) return sent
    const { api, requestId } = context
    const { merchantAccount: account } = payment
    const owner = await api.engine.read(MERCHANT_ACCOUNT, { account, id: account })
    const host = hostOf(sent.value.pageOrigin)
    // A session authorises the sheet for one host, so it is only opened for hosts of the account.
    if (host === null || owner?.record.merchantHosts?.includes(host) !== true)
      return refusedFor(
        faultSaying('pageOrigin', 'is not a host of this account', 'https:// and a merchant host of the account'),
        'online_field_invalid',
      )
    const opened = await api.wallets?.merchantSession(account, host, sent.value.validationUrl)
    if (opened !== undefined && 'session' in opened) return { status: 200, body: { session: opened.session } }
    const { refused, reason } = opened ?? { refused: 'not_configured', reason: 'no wallets' }
    api.log.warn({ request: requestId, wallet: 'APPLE_PAY', refused, reason }, 'Apple Pay session not opened')
    if (refused === 'url_refused')
      return refusedFor(
        faultSaying('validationUrl', 'is not accepted', 'the address that Apple Pay gave the page'),
        'online_field_invalid',
      )
    return { refused: { code: 'wallet_silent' } }
  },
})

function hostOf(origin: string): string | null {
  const url = URL.canParse(origin) ? new URL(origin) : null
  return url?.protocol === 'https:' ? url.hostname : null
}

async function payByWallet(
  context: RequestContext,
  token: string,
  wallet: WalletName,
  json: () => Promise<{ readonly value: JsonObject } | Refused>,
): Promise<Answer> {
  const payment = await payable(context, token)
  if ('refused' in payment) return payment
  const sent = await json()
  if ('refused' in sent) return sent
  const read = readFields(sent.value, readWalletPayer)
  if ('invalid' in read) return refusedFor(read, 'online_field_invalid')
  const opened = await open(context, payment, wallet, sent.value)
  if ('refused' in opened) return opened
  const stored = await storeWalletCard(context.api.vault, payment, opened.card)
  return payWithNewCard(context, payment, walletSubmission(payment, read.value, wallet, stored), null)
}

type OpenedToken = Exclude<WalletOpened, { readonly refused: unknown }>

/** Decrypts a wallet token. The reason for a refusal is only logged: the browser could not act on it. */
async function open(
  { api, requestId }: RequestContext,
  { merchantAccount: account, id, order }: OnlinePayment,
  wallet: WalletName,
  json: JsonObject,
): Promise<OpenedToken | Refused> {
  const read = readFields(
    json,
    fields => fields.raw('token') ?? wrong(faultSaying('token', 'is missing', 'what the wallet gave')),
  )
  if ('invalid' in read) return refusedFor(read, 'online_field_invalid')
  const amount = { minor: order.amountMinor, currencyNumeric: order.currencyCode }
  const opened = await api.wallets?.open(wallet, { account, token: read.value, paymentId: id, amount })
  if (opened !== undefined && 'card' in opened) return opened
  api.log.info({ request: requestId, wallet, reason: opened?.refused ?? 'not_configured' }, 'wallet token refused')
  return refusedFor(
    faultSaying('token', 'cannot be opened', 'what the wallet gave for this payment'),
    'online_field_invalid',
  )
}
