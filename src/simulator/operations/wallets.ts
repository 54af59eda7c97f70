// src/simulator/operations/wallets.ts — makes tokens of the test wallets, as a browser would get them from a phone.

import { Type } from 'typebox'
import { cardNumberFault, expiryFault } from '../../api/online/card-faults.ts'
import { accountOperation } from '../../api/operation.ts'
import { refusedFor } from '../../api/read/field-fault.ts'
import { oneOf } from '../../api/schemas.ts'
import { CardNumber, readCardNumber, readExpiry } from '../../domain/card-number.ts'
import { numericCode } from '../../domain/numeric-code.ts'
import { sandboxOf } from '../interceptor/interceptor.ts'

export const makeWalletToken = accountOperation({
  name: 'makeWalletToken',
  summary: 'Create a test wallet token',
  description:
    'A token as a phone would create it, for a test card and this account: encrypted to this sandbox and signed under its own ' +
    'root certificates. Usable once, without delay. Wallets that are configured with real keys do not accept it.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'POST',
  path: '/sandbox/wallet-tokens',
  right: 'operate',
  body: {
    schema: Type.Object({
      wallet: oneOf(['APPLE_PAY', 'GOOGLE_PAY']),
      cardNumber: Type.String({ maxLength: 30, description: 'A test card; GET /sandbox/cards lists them.' }),
      expiryDate: Type.String({ maxLength: 12, description: 'MM/YY' }),
      amount: Type.Integer({ minimum: 0, description: 'Minor units. Apple Pay includes it in the signature.' }),
      // A lenient reading takes the first variant, which text of digits fits too.
      currencyCode: Type.Union([Type.Integer({ minimum: 0, maximum: 999 }), Type.String({ pattern: '^\\d{1,3}$' })], {
        description: 'ISO 4217, numeric. Leading zeros are optional.',
      }),
      authMethod: Type.Optional(
        oneOf(['device', 'card'], {
          description: 'Google Pay only. `card`: not bound to a device, so the payment needs 3-D Secure.',
        }),
      ),
    }),
    examples: {
      'Apple Pay': {
        wallet: 'APPLE_PAY',
        cardNumber: '5200000000000056',
        expiryDate: '12/30',
        amount: 2599,
        currencyCode: '826',
      },
    },
  },
  responses: {
    201: {
      description: 'The token.',
      schema: Type.Object({ token: Type.Unsafe<object>({ type: 'object', description: 'As from the wallet.' }) }),
    },
  },
  refusals: ['field_invalid'],
  async run({ api, account }, { body }) {
    const sent = await body()
    if ('refused' in sent) return sent
    const { wallet, cardNumber, expiryDate, amount, currencyCode, authMethod = 'device' } = sent.value
    const number = readCardNumber(cardNumber, api.cardRules)
    if (!(number instanceof CardNumber)) return refusedFor(cardNumberFault(number.problem))
    const expiry = readExpiry(expiryDate, api.clocks.of(account.id).now())
    if (expiry === null || expiry === 'expired') return refusedFor(expiryFault(expiry))
    const token = sandboxOf(api).wallets.make({
      ...{
        wallet,
        number: number.reveal(),
        expiry,
        amountMinor: amount,
        currencyNumeric: numericCode(String(currencyCode)) ?? '',
        authMethod,
      },
      account: account.id,
    })
    return { status: 201, body: { token } }
  },
})
