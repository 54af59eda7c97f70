// src/simulator/cards/test-cards.ts — the plastic of the simulated world. Terminals read it, the issuer recognises it.
// The numbers are public test numbers that no bank has issued; even so they are shown on the sandbox's own pages only.
// A terminal reports the mask, and the acquirer is given the token.
import type { DeclineReason } from '../../domain/counter/transaction-events.ts'

export interface TestCard {
  /** What terminal and acquirer call it. Means nothing to anybody else. */
  readonly token: string
  /** What a person calls it. */
  readonly name: string
  readonly number: string
  readonly cardSchemeName: string
  readonly sequence: string
  /** Chip application, hexadecimal; empty on a card without a chip. */
  readonly applicationId: string
  readonly applicationLabel: string
  /** `MM/YY` */
  readonly dateOfExpiry: string
  readonly dateOfStart: string
  readonly contactless: boolean
  /** A card with a broken chip may be swiped after three tries, one without a chip at once. */
  readonly chip: 'works' | 'broken' | 'none'
  readonly stripe: boolean
  /** A phone or watch checks its owner by itself. */
  readonly device: boolean
  /** Null: a chip card without a PIN, whose owner signs. */
  readonly pin: string | null
  /** Debit cards give cashback, credit cards do not. */
  readonly cashback: boolean
  /** Whether the simulated shops take this scheme. */
  readonly taken: boolean
  /** What the issuer says as long as the amount does not ask for another answer. */
  readonly issuer: 'approves' | DeclineReason
}

const VISA = { cardSchemeName: 'VISA', applicationId: 'A0000000031010' } as const
const MASTERCARD = { cardSchemeName: 'MASTERCARD', applicationId: 'A0000000041010' } as const

/** An ordinary card of today: contactless, chip, stripe and PIN. */
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
