// src/three-d-secure/emv/request-document.ts — the document with which an operator describes an authentication to try.
import { type Static, Type } from 'typebox'
import { CardNumber, type CardScheme } from '../../domain/card-number.ts'
import { currencyOf } from '../../domain/currency.ts'
import { money } from '../../domain/money.ts'
import type { BrowserRequest } from './areq.ts'
import { CHALLENGE_WISHES, type ChallengeWish } from './challenge-wishes.ts'
import { REQUESTOR } from './directory-document.ts'

const text = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description })
const digits = (least: number, most: number, description: string) =>
  Type.String({ pattern: `^[0-9]{${least},${most}}$`, description })
const country = digits(3, 3, 'The three digits of ISO 3166.')
const pixels = Type.Integer({ minimum: 1, maximum: 999_999 })
const wish = Type.Unsafe<ChallengeWish>({ type: 'string', enum: [...CHALLENGE_WISHES] })
const line = Type.Optional(text(200, '1 to 200 characters.'))
const ADDRESS = Type.Object({
  ...{ address1: line, address2: line, address3: line, city: line, state: line, postcode: line },
  countryCode: Type.Optional(country),
})

/** Unknown members are refused: they may be misspelt. */
export const REQUEST_DOCUMENT = Type.Object({
  card: Type.Object({
    number: digits(13, 19, '13 to 19 digits.'),
    expiry: Type.Object({
      month: Type.Integer({ minimum: 1, maximum: 12 }),
      year: Type.Integer({ minimum: 2000, maximum: 2099 }),
    }),
    holder: text(200, 'The name on the card.'),
  }),
  amountMinor: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  currencyNumeric: Type.Unsafe<string>({ ...digits(3, 3, 'The three digits of ISO 4217.') }),
  wish: Type.Optional(wish),
  mustChallenge: Type.Optional(Type.Boolean()),
  notificationUrl: Type.String({ pattern: '^https://[^\\s@\\\\]+$', maxLength: 256, description: 'An https address.' }),
  requestor: REQUESTOR,
  browser: Type.Object({
    acceptHeader: text(4096, 'The header Accept.'),
    userAgent: text(4096, 'The header User-Agent.'),
    acceptLanguage: Type.Optional(Type.Array(text(100, 'A language tag.'), { maxItems: 99 })),
    ip: Type.Optional(Type.String({ pattern: '^[0-9A-Fa-f.:]{2,45}$', description: 'An IP address.' })),
    language: text(100, 'A language tag.'),
    javaEnabled: Type.Boolean(),
    colourDepth: Type.Integer({ minimum: 1, maximum: 64 }),
    screenHeight: pixels,
    screenWidth: pixels,
    timeZoneMinutes: Type.Integer({ minimum: -1440, maximum: 1440 }),
  }),
  payer: Type.Optional(
    Type.Object({
      emailAddress: Type.Optional(text(254, '1 to 254 characters.')),
      billingAddress: Type.Optional(ADDRESS),
      shippingAddress: Type.Optional(ADDRESS),
    }),
  ),
})

export type RequestDocument = Static<typeof REQUEST_DOCUMENT>

/** The request of a document, without a 3DS method. Null when its currency is none. @param scheme of the card */
export function requestOf(document: RequestDocument, scheme: CardScheme): BrowserRequest | null {
  const { card, amountMinor, currencyNumeric, mustChallenge = false, wish: wanted = 'no_preference' } = document
  const currency = currencyOf(currencyNumeric)
  if (currency === null) return null
  const { requestor, browser, payer = {}, notificationUrl } = document
  return {
    order: {
      card: { number: new CardNumber(card.number, scheme), expiry: card.expiry, holder: card.holder },
      amount: money(amountMinor, currency.code),
      ...{ currencyNumeric, mustChallenge },
    },
    ...{ requestor, payer, notificationUrl, wish: wanted, methodCompleted: 'U' },
    browser: { ...browser, acceptLanguage: browser.acceptLanguage ?? [] },
  }
}
