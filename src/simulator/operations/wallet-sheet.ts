// src/simulator/operations/wallet-sheet.ts — the test wallet in the shopper's browser: its sheet and tokens. Sandbox mode
// only.

import { Type } from 'typebox'
import { formToken } from '../../api/describe/pages/form-token.ts'
import { frameHeaders, framePage } from '../../api/describe/pages/frame-page.ts'
import { HTML_TYPE } from '../../api/describe/pages/html.ts'
import { cardNumberFault, expiryFault } from '../../api/online/card-faults.ts'
import { openOperation } from '../../api/operation.ts'
import { refusedFor } from '../../api/read/field-fault.ts'
import { oneOf } from '../../api/schemas.ts'
import { CardNumber, readCardNumber, readExpiry } from '../../domain/card-number.ts'
import { amountText, currencyOf } from '../../domain/currency.ts'
import { sandboxOf } from '../interceptor/interceptor.ts'

export const getWalletSheet = openOperation({
  name: 'getWalletSheet',
  summary: 'The payment sheet of the test wallet',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'GET',
  path: '/wallet-sheet',
  query: Type.Object({ token: Type.Optional(Type.String({ maxLength: 512 })) }),
  responses: { 200: { description: 'A page.', mediaType: 'text/html' } },
  async run(context, { query }) {
    const token = await formToken(context, query.token ?? '')
    const currency = token === null ? null : currencyOf(token.currencyCode)
    const amount =
      token === null || currency === null ? '' : `${amountText(token.amountMinor, currency)} ${currency.code}`
    const bytes = framePage({
      entry: 'wallet-sheet',
      title: 'Test wallet',
      data: { amount },
      noScript: 'To pay with the test wallet, please allow scripts of this page.',
    })
    const headers = frameHeaders({ ancestors: token?.ancestors ?? [], fontOrigins: [], frames: [] })
    return { status: 200, bytes, mediaType: HTML_TYPE, headers }
  },
})

export const signInWalletSheet = openOperation({
  name: 'signInWalletSheet',
  summary: 'Create a test wallet token for a payment',
  description: 'For the amount of the access token, with a test card. Usable once, without delay.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'POST',
  path: '/wallet-sheet/tokens/{token}',
  body: {
    schema: Type.Object({
      wallet: oneOf(['APPLE_PAY', 'GOOGLE_PAY']),
      cardNumber: Type.String({ maxLength: 30, description: 'A test card.' }),
      expiryDate: Type.String({ maxLength: 12, description: 'MM/YY' }),
      authMethod: oneOf(['device', 'card']),
    }),
    examples: {},
  },
  responses: {
    201: {
      description: 'The token.',
      schema: Type.Object({ token: Type.Unsafe<object>({ type: 'object', description: 'As from the wallet.' }) }),
    },
  },
  refusals: ['field_invalid', 'payment_unknown'],
  async run(context, { params, body }) {
    const { api } = context
    const payment = await formToken(context, params.token)
    if (payment === null) return { refused: { code: 'payment_unknown' } }
    const sent = await body()
    if ('refused' in sent) return sent
    const { wallet, cardNumber, expiryDate, authMethod } = sent.value
    const number = readCardNumber(cardNumber, api.cardRules)
    if (!(number instanceof CardNumber)) return refusedFor(cardNumberFault(number.problem))
    const { account, amountMinor, currencyCode: currencyNumeric } = payment
    const expiry = readExpiry(expiryDate, api.clocks.of(account).now())
    if (expiry === null || expiry === 'expired') return refusedFor(expiryFault(expiry))
    const token = sandboxOf(api).wallets.make({
      ...{ wallet, number: number.reveal(), expiry, amountMinor, currencyNumeric, authMethod, account },
    })
    return { status: 201, body: { token } }
  },
})
