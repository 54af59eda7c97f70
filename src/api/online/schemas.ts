// src/api/online/schemas.ts — schemas of the online interface for the OpenAPI document.
// Requests are not validated by them but read leniently, see fields.ts.
import { Type } from 'typebox'
import { ONLINE_TYPES } from '../../domain/online/access-token.ts'
import { PAYMENT_REASONS, type PaymentReason } from '../../domain/online/payment-reason.ts'
import { oneOf } from '../schemas.ts'

const text = (description?: string) => Type.Optional(Type.String(description === undefined ? {} : { description }))

/** Card data of a request: never shown again, nor recorded. */
const cardText = (description?: string) =>
  Type.String({ writeOnly: true, ...(description === undefined ? {} : { description }) })

const COUNTRY_CODE = 'ISO 3166 numeric. Three digits in answers; leading zeros are optional in requests.'

const ADDRESS = Type.Object(
  {
    address1: text(),
    address2: text(),
    address3: text(),
    address4: text(),
    city: text(),
    state: text(),
    postcode: text(),
    countryCode: text(COUNTRY_CODE),
  },
  { $id: 'Address' },
)

const SHIPPING = Type.Object({ name: text(), address: Type.Optional(ADDRESS) }, { $id: 'ShippingDetails' })

const META_DATA = Type.Record(Type.String(), Type.String(), {
  description: 'At most 50 names of 64 characters, with texts of 500.',
})

export const TOKEN_REQUEST = Type.Object(
  {
    merchantUrl: Type.String({ description: 'A host that is registered for the account.' }),
    currencyCode: Type.String({
      pattern: '^\\d{1,3}$',
      description: 'ISO 4217 numeric, leading zeros optional: 826 is GBP.',
    }),
    amount: Type.String({ pattern: '^\\d{1,13}$', description: 'Minor units: 100 is 1.00.' }),
    transactionType: oneOf(ONLINE_TYPES),
    orderId: Type.String({ maxLength: 50 }),
    orderDescription: text(),
    merchantTransactionId: text('Unique in the account, permanently.'),
    transactionSource: text('MOTO, or empty.'),
    userAgent: text(),
    userEmailAddress: text(),
    userPhoneNumber: text(),
    userIpAddress: text(),
    userAddress1: text(),
    userAddress2: text(),
    userAddress3: text(),
    userAddress4: text(),
    userCity: text(),
    userState: text(),
    userPostcode: text(),
    userCountryCode: text(COUNTRY_CODE),
    shippingDetails: Type.Optional(SHIPPING),
    newTransaction: Type.Optional(Type.Boolean()),
    crossReference: text('The earlier payment that this one applies to, or whose card it uses.'),
    webHookUrl: text('Called when the payment is complete.'),
    metaData: Type.Optional(META_DATA),
    waitPreExecute: Type.Optional(Type.Boolean({ description: 'Pause after the payer is authenticated (status 99).' })),
    customerId: text('Allows the card to be saved for this customer.'),
    paymentMethodId: text('A saved card.'),
    previousTransactionId: text(),
    cofSetup: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'Stored, without effect.' })),
  },
  { $id: 'AccessTokenRequest' },
)

/** Why a payment did not succeed. */
export const REASON = oneOf(Object.keys(PAYMENT_REASONS) as PaymentReason[], {
  description: Object.entries(PAYMENT_REASONS)
    .map(([reason, meaning]) => `\`${reason}\`: ${meaning}`)
    .join(' '),
})

const STATUS = Type.Integer({ description: '0, 3, 4, 5, 20, 30, 40, 90 or 99.' })

export const PAYMENT = Type.Object(
  {
    transactionDateTime: Type.String(),
    statusCode: STATUS,
    message: Type.String(),
    crossReference: Type.String(),
    authCode: Type.String(),
    cardNumber: Type.String({ description: 'First six and last four digits.' }),
    cardName: Type.String(),
    expiryDate: Type.String({ description: 'MM/YY' }),
    cardType: Type.String(),
    billingAddress: ADDRESS,
    shippingDetails: SHIPPING,
    userEmailAddress: Type.String(),
    userPhoneNumber: Type.String(),
    metaData: Type.Optional(META_DATA),
    paymentMethodId: text(),
  },
  { $id: 'OnlinePayment' },
)

export const OUTCOME = Type.Object(
  { statusCode: STATUS, authCode: Type.String(), message: Type.String() },
  { $id: 'PaymentOutcome' },
)

/** What a script of the payer's page knows of its browser. */
const BROWSER = Type.Object(
  {
    language: Type.String({ description: '`navigator.language`.' }),
    javaEnabled: Type.Boolean(),
    colourDepth: Type.Integer({ description: 'Bits per pixel: `screen.colorDepth`.' }),
    screenHeight: Type.Integer({ description: 'Pixels.' }),
    screenWidth: Type.Integer({ description: 'Pixels.' }),
    timeZoneMinutes: Type.Integer({ description: '`new Date().getTimezoneOffset()`.' }),
    acceptHeader: Type.Optional(
      Type.String({ description: 'The header `Accept` of the page. Default: that of this request.' }),
    ),
  },
  { description: 'For the issuer. Without it, directory servers of schemes authenticate nobody.' },
)

const CARD_EXTRAS = {
  userEmailAddress: text(),
  userPhoneNumber: text(),
  billingAddress: Type.Optional(ADDRESS),
  shippingDetails: Type.Optional(SHIPPING),
  metaData: Type.Optional(META_DATA),
  browser: Type.Optional(BROWSER),
}

export const CARD_BODY = Type.Object(
  {
    cardName: cardText(),
    cardNumber: cardText(),
    expiryDate: cardText('MM / YY'),
    cV2: cardText(),
    savePaymentMethod: Type.Optional(Type.Boolean()),
    mitConsentGiven: Type.Optional(Type.Boolean()),
    ...CARD_EXTRAS,
  },
  { $id: 'CardBody' },
)

export const SAVED_CARD_BODY = Type.Object(
  { cV2: Type.Optional(cardText()), paymentMethodId: text(), ...CARD_EXTRAS },
  { $id: 'SavedCardBody' },
)

export const BROWSER_ANSWER = Type.Object(
  {
    statusCode: STATUS,
    message: text(),
    authCode: text(),
    reason: Type.Optional(REASON),
    stepUpUrl: text('3: the issuer’s page.'),
    jwt: text('3: token to post to it.'),
    paReq: text('3: the same under its name in version 1.'),
    md: text('3: id of the authentication.'),
    acsUrl: text('3, version 1: the issuer’s page.'),
    termUrl: text('3, version 1: return address of the issuer’s page.'),
    threeDSecureVersion: text('3: 1.0 or 2.0.'),
  },
  { $id: 'BrowserAnswer' },
)

/** Error bodies of the two online areas. */
export const SHOP_ERROR = Type.String({ $id: 'ShopError', description: 'One short line.' })
export const BROWSER_ERROR = Type.Object(
  { statusCode: Type.Integer({ description: 'The same as the HTTP status.' }), message: Type.String() },
  { $id: 'BrowserError' },
)
