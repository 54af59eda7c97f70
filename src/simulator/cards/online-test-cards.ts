// src/simulator/cards/online-test-cards.ts — test cards of the online sandbox: what to enter, the issuer's answer, and the
// authentication. Public test numbers that no bank has issued (`tollgate cards` lists them).
import type { CardScheme } from '../../domain/card-number.ts'

/**
 * `no`: not enrolled. `frictionless 2.0`: version 2 without a challenge. `2.0`, `1.0`: a challenge in that version. `yes`: a
 * challenge, in version 2.
 */
export type ThreeDSecureMode = 'no' | 'frictionless 2.0' | '2.0' | '1.0' | 'yes'

export interface OnlineTestCard {
  readonly number: string
  readonly scheme: CardScheme
  /** `MM/YY`; null for any future month. */
  readonly expiry: string | null
  readonly securityCode: string
  /** Name on the card; null for any name. Distinguishes two cards with the same number, and is not checked otherwise. */
  readonly holder: string | null
  /** Status of a payment with this card. */
  readonly expected: 0 | 4 | 5
  readonly mode: ThreeDSecureMode
  /** Password for the issuer's page. Null when a button is enough, or when there is no page. */
  readonly password: string | null
}

export const ONLINE_TEST_CARDS: readonly OnlineTestCard[] = [
  {
    number: '4456530000001096',
    scheme: 'VISA',
    expiry: '12/30',
    securityCode: '020',
    holder: 'John Watson',
    expected: 0,
    mode: '2.0',
    password: '1234',
  },
  {
    number: '5200000000001096',
    scheme: 'MASTERCARD',
    expiry: '12/30',
    securityCode: '020',
    holder: null,
    expected: 0,
    mode: '2.0',
    password: '1234',
  },
  {
    number: '4456530000000007',
    scheme: 'VISA',
    expiry: '12/30',
    securityCode: '020',
    holder: 'Geoff Wayne',
    expected: 0,
    mode: '1.0',
    password: '1234',
  },
  {
    number: '5200000000000007',
    scheme: 'MASTERCARD',
    expiry: null,
    securityCode: '020',
    holder: 'John Watson',
    expected: 0,
    mode: '1.0',
    password: '1234',
  },
  {
    number: '6759410000006404',
    scheme: 'MAESTRO',
    expiry: null,
    securityCode: '020',
    holder: 'John Watson',
    expected: 0,
    mode: 'yes',
    password: '1234',
  },
  {
    number: '371449111020228',
    scheme: 'AMEX',
    expiry: null,
    securityCode: '0200',
    holder: 'John Watson',
    expected: 0,
    mode: 'yes',
    password: '1234',
  },
  {
    number: '5200000000001005',
    scheme: 'MASTERCARD',
    expiry: null,
    securityCode: '020',
    holder: null,
    expected: 0,
    mode: 'frictionless 2.0',
    password: null,
  },
  {
    number: '5200000000000056',
    scheme: 'MASTERCARD',
    expiry: null,
    securityCode: '341',
    holder: 'John Watson',
    expected: 0,
    mode: 'no',
    password: null,
  },
  {
    number: '4456530000001013',
    scheme: 'VISA',
    expiry: null,
    securityCode: '341',
    holder: null,
    expected: 5,
    mode: 'frictionless 2.0',
    password: null,
  },
  {
    number: '4976000000003436',
    scheme: 'VISA',
    expiry: null,
    securityCode: '452',
    holder: 'John Watson',
    expected: 0,
    mode: 'no',
    password: null,
  },
  {
    number: '4976350000006891',
    scheme: 'VISA',
    expiry: null,
    securityCode: '342',
    holder: 'Geoff Wayne',
    expected: 0,
    mode: 'yes',
    password: null,
  },
  {
    number: '5100000000005460',
    scheme: 'MASTERCARD',
    expiry: null,
    securityCode: '524',
    holder: 'Luke Johns',
    expected: 0,
    mode: 'no',
    password: null,
  },
  {
    number: '5100000000001907',
    scheme: 'MASTERCARD',
    expiry: null,
    securityCode: '654',
    holder: 'Jon Robb',
    expected: 0,
    mode: 'yes',
    password: null,
  },
  {
    number: '340000432128428',
    scheme: 'AMEX',
    expiry: null,
    securityCode: '3469',
    holder: 'Jake Keaton',
    expected: 0,
    mode: 'no',
    password: null,
  },
  {
    number: '340000061790712',
    scheme: 'AMEX',
    expiry: null,
    securityCode: '5464',
    holder: 'Mark Dalton',
    expected: 0,
    mode: 'yes',
    password: null,
  },
  {
    number: '4921810000009076',
    scheme: 'VISA',
    expiry: null,
    securityCode: '875',
    holder: 'Jack Lewis',
    expected: 5,
    mode: 'no',
    password: null,
  },
  {
    number: '4792840000009202',
    scheme: 'VISA',
    expiry: null,
    securityCode: '654',
    holder: 'George Toole',
    expected: 4,
    mode: 'no',
    password: null,
  },
  {
    number: '4282730000002397',
    scheme: 'VISA',
    expiry: null,
    securityCode: '985',
    holder: 'Kirsty Catlin',
    expected: 5,
    mode: 'yes',
    password: null,
  },
  {
    number: '4104710000005315',
    scheme: 'VISA',
    expiry: null,
    securityCode: '487',
    holder: 'Julie Bean',
    expected: 4,
    mode: 'yes',
    password: null,
  },
  {
    number: '340000150358074',
    scheme: 'AMEX',
    expiry: null,
    securityCode: '7654',
    holder: 'Lee Chase',
    expected: 5,
    mode: 'no',
    password: null,
  },
  {
    number: '6011000000001002',
    scheme: 'DISCOVER',
    expiry: null,
    securityCode: '123',
    holder: 'John Watson',
    expected: 0,
    mode: 'no',
    password: null,
  },
  {
    number: '5555555555555599',
    scheme: 'MASTERCARD',
    expiry: null,
    securityCode: '123',
    holder: 'John Watson',
    expected: 0,
    mode: 'no',
    password: null,
  },
  {
    number: '4111111111111111',
    scheme: 'VISA',
    expiry: null,
    securityCode: '123',
    holder: 'John Watson',
    expected: 0,
    mode: 'no',
    password: null,
  },
  {
    number: '4111111111111111',
    scheme: 'VISA',
    expiry: null,
    securityCode: '123',
    holder: 'Julie Bean',
    expected: 0,
    mode: 'yes',
    password: '12345678',
  },
  {
    number: '4000000000000002',
    scheme: 'VISA',
    expiry: null,
    securityCode: '123',
    holder: 'John Watson',
    expected: 5,
    mode: 'no',
    password: null,
  },
]

/** The card with this number, or null. Of two with the same number, the one with this holder, else the first. */
export function onlineTestCardOf(number: string, holder: string): OnlineTestCard | null {
  const cards = ONLINE_TEST_CARDS.filter(card => card.number === number)
  const named = cards.find(card => card.holder?.toLowerCase() === holder.trim().toLowerCase())
  return named ?? cards[0] ?? null
}
