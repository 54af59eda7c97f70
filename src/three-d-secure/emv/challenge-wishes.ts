// src/three-d-secure/emv/challenge-wishes.ts — what a merchant would like of the issuer: a preference, or an exemption. ADR 94.
import { type Static, Type } from 'typebox'
import type { Exemption } from '../../domain/online/three-d-secure.ts'
import type { AuthenticationOrder } from '../../engine/ports/three-d-secure.ts'

interface Wish {
  /** In an AReq, see `threeDSRequestorChallengeInd`. */
  readonly code: string
  /** What the authorisation says when the issuer authenticates nobody. */
  readonly exemption?: Exemption
}

const WISHES = {
  no_preference: { code: '01' },
  no_challenge: { code: '02' },
  challenge: { code: '03' },
  transaction_risk_analysis: { code: '05', exemption: 'transaction_risk_analysis' },
  data_share_only: { code: '06' },
  trust_list: { code: '08', exemption: 'trusted_beneficiary' },
  low_value: { code: '10', exemption: 'low_value' },
  secure_corporate: { code: '11', exemption: 'corporate' },
} as const satisfies Readonly<Record<string, Wish>>

export type ChallengeWish = keyof typeof WISHES
export const CHALLENGE_WISHES = Object.keys(WISHES) as readonly ChallengeWish[]

const MANDATED = '04'

/** Code of the challenge in an AReq. A demanded challenge comes before any wish. */
export function challengeCode(wish: ChallengeWish, mustChallenge: boolean): string {
  return mustChallenge ? MANDATED : WISHES[wish].code
}

/** The exemption that an AReq asks for; null when it asks for none. */
export function exemptionAskedFor(wish: ChallengeWish, mustChallenge: boolean): Exemption | null {
  const wanted: Wish = WISHES[wish]
  return mustChallenge ? null : (wanted.exemption ?? null)
}

const WISH = Type.Unsafe<ChallengeWish>({ type: 'string', enum: [...CHALLENGE_WISHES] })

type MerchantWish = Readonly<Static<typeof MERCHANT_WISHES>[number]>

/** Wishes of a merchant, in order of precedence, each for all payments or up to an amount of one currency. */
export const MERCHANT_WISHES = Type.Array(
  Type.Object({
    wish: WISH,
    upTo: Type.Optional(
      Type.Object({
        amountMinor: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
        currencyNumeric: Type.String({ pattern: '^[0-9]{3}$', description: 'The three digits of ISO 4217.' }),
      }),
    ),
  }),
  { minItems: 1, maxItems: 20 },
)

/**
 * The first wish that fits the order. An order that saves its card asks for no exemption, because later payments rest on its
 * authentication.
 */
export function wishFor(
  { amount, currencyNumeric, savesCard = false }: Pick<AuthenticationOrder, 'amount' | 'currencyNumeric' | 'savesCard'>,
  wishes: readonly MerchantWish[],
): ChallengeWish {
  const fits = ({ wish, upTo }: MerchantWish) =>
    (!savesCard || wish === 'challenge') &&
    (upTo === undefined || (upTo.currencyNumeric === currencyNumeric && amount.minor <= upTo.amountMinor))
  return wishes.find(fits)?.wish ?? 'no_preference'
}
