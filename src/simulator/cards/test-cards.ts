// src/simulator/cards/test-cards.ts — test cards of the simulated terminals. The numbers are public test numbers that no
// bank has issued, and appear on sandbox pages only: a terminal reports the mask, and the acquirer gets the token.
import type { DeclineReason } from '../../domain/counter/transaction-events.ts'

export interface TestCard {
  /** Id of the card for terminal and acquirer. Opaque to everything else. */
  readonly token: string
  /** Display name. */
  readonly name: string
  readonly number: string
  readonly cardSchemeName: string
  readonly sequence: string
  /** Application id of the chip, hexadecimal. Empty for a card without a chip. */
  readonly applicationId: string
  readonly applicationLabel: string
  /** `MM/YY` */
  readonly dateOfExpiry: string
  readonly dateOfStart: string
  readonly contactless: boolean
  /** A card with a broken chip may be swiped after three failed inserts, one without a chip at once. */
  readonly chip: 'works' | 'broken' | 'none'
  readonly stripe: boolean
  /** A phone or watch, which verifies its owner itself. */
  readonly device: boolean
  /** Null for a chip card without a PIN, which is verified by signature. */
  readonly pin: string | null
  /** Debit cards allow cashback, credit cards do not. */
  readonly cashback: boolean
  /** Whether the simulated merchants accept this scheme. */
  readonly taken: boolean
  /** The issuer's answer, unless the amount selects another. */
  readonly issuer: 'approves' | DeclineReason
}

const VISA = { cardSchemeName: 'VISA', applicationId: 'A0000000031010' } as const
const MASTERCARD = { cardSchemeName: 'MASTERCARD', applicationId: 'A0000000041010' } as const

/** A typical card: contactless, chip, magnetic stripe and PIN. */
const ORDINARY = {
  sequence: '01',
  dateOfStart: '01/24',
  dateOfExpiry: '12/49',
  contactless: true,
  chip: 'works',
  stripe: true,
  device: false,
  pin: '1234',
  cashback: false,
  taken: true,
  issuer: 'approves',
} as const

const VISA_DEBIT = { ...ORDINARY, ...VISA, applicationLabel: 'VISA DEBIT', cashback: true } as const
const MASTERCARD_DEBIT = { ...ORDINARY, ...MASTERCARD, applicationLabel: 'DEBIT MASTERCARD', cashback: true } as const
const PHONE = { chip: 'none', stripe: false, device: true, pin: null, sequence: '00' } as const

export const TEST_CARDS = [
  { ...VISA_DEBIT, token: 'sim-visa-debit', name: 'Visa debit', number: '4462030000000000' },
  {
    ...ORDINARY,
    ...VISA,
    token: 'sim-visa-credit',
    name: 'Visa credit',
    number: '4111111111111111',
    applicationLabel: 'VISA CREDIT',
  },
  { ...MASTERCARD_DEBIT, token: 'sim-mastercard-debit', name: 'Mastercard debit', number: '5200828282828210' },
  {
    ...ORDINARY,
    ...MASTERCARD,
    token: 'sim-mastercard-credit',
    name: 'Mastercard credit',
    number: '5555555555554444',
    applicationLabel: 'MASTERCARD',
  },
  {
    ...ORDINARY,
    token: 'sim-maestro',
    name: 'Maestro',
    number: '6759649826438453',
    cardSchemeName: 'MAESTRO',
    applicationId: 'A0000000043060',
    applicationLabel: 'MAESTRO',
    cashback: true,
  },
  {
    ...ORDINARY,
    token: 'sim-amex',
    name: 'American Express',
    number: '378282246310005',
    cardSchemeName: 'AMEX',
    applicationId: 'A00000002501',
    applicationLabel: 'AMERICAN EXPRESS',
  },
  {
    ...ORDINARY,
    token: 'sim-discover',
    name: 'Discover',
    number: '6011111111111117',
    cardSchemeName: 'DISCOVER',
    applicationId: 'A0000001523010',
    applicationLabel: 'DISCOVER',
  },
  { ...VISA_DEBIT, ...PHONE, token: 'sim-visa-phone', name: 'Visa on a phone', number: '4012888888881881' },
  {
    ...MASTERCARD_DEBIT,
    ...PHONE,
    token: 'sim-mastercard-phone',
    name: 'Mastercard on a phone',
    number: '2223003122003222',
  },
  {
    ...VISA_DEBIT,
    token: 'sim-visa-signature',
    name: 'Visa debit, signature instead of a PIN',
    number: '4917610000000000',
    pin: null,
  },
  {
    ...VISA_DEBIT,
    token: 'sim-visa-broken-chip',
    name: 'Visa debit, chip does not work',
    number: '4484070000000000',
    contactless: false,
    chip: 'broken',
  },
  {
    ...VISA_DEBIT,
    token: 'sim-visa-declined',
    name: 'Visa debit, declined',
    number: '4000000000000002',
    issuer: 'do_not_honour',
  },
  {
    ...MASTERCARD_DEBIT,
    token: 'sim-mastercard-declined',
    name: 'Mastercard debit, declined',
    number: '5105105105105100',
    issuer: 'do_not_honour',
  },
  {
    ...VISA_DEBIT,
    token: 'sim-visa-insufficient-funds',
    name: 'Visa debit, insufficient funds',
    number: '4000000000009995',
    issuer: 'insufficient_funds',
  },
  {
    ...VISA_DEBIT,
    token: 'sim-visa-referred',
    name: 'Visa debit, issuer asks for a call',
    number: '4929421234600821',
    issuer: 'refer_to_issuer',
  },
  {
    ...VISA_DEBIT,
    token: 'sim-visa-lost-or-stolen',
    name: 'Visa debit, lost or stolen',
    number: '4000000000009979',
    issuer: 'lost_or_stolen',
  },
  {
    ...VISA_DEBIT,
    token: 'sim-visa-expired',
    name: 'Visa debit, expired',
    number: '4000000000000069',
    dateOfStart: '01/17',
    dateOfExpiry: '12/19',
    issuer: 'expired_card',
  },
  {
    ...ORDINARY,
    token: 'sim-jcb',
    name: 'JCB, not taken here',
    number: '3530111333300000',
    cardSchemeName: 'JCB',
    applicationId: 'A0000000651010',
    applicationLabel: 'JCB CREDIT',
    taken: false,
    issuer: 'card_not_supported',
  },
] as const satisfies readonly TestCard[]

export type TestCardToken = (typeof TEST_CARDS)[number]['token']

const BY_TOKEN: ReadonlyMap<string, TestCard> = new Map(TEST_CARDS.map(card => [card.token, card]))

/** The card with this token, or null. */
export function testCardOf(token: string): TestCard | null {
  return BY_TOKEN.get(token) ?? null
}
