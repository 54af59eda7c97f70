// src/peers/directory-server/authentications.ts — the authentications that the directory server was asked for, and how they ended.
import type { Behaviour, Status } from './behaviour.ts'
import type { Json } from './schemas.ts'

/** Older ones are forgotten: the peer runs for days. */
const MOST = 10_000

export interface Authentication {
  /** The request. It holds the card number, so it is never shown. */
  readonly areq: Json
  readonly acsTransId: string
  readonly dsTransId: string
  /** Of the answer. */
  readonly status: Status
  readonly behaviour: Behaviour
  /** Epoch milliseconds. */
  readonly at: number
  challenge: 'none' | 'waiting' | 'passed' | 'failed' | 'cancelled'
  /** Wrong codes so far. */
  wrongCodes: number
  /** Of the RReq: `none` before a challenge has ended. */
  result: 'none' | 'sent' | 'confirmed' | 'refused' | 'lost'
}

export interface Authentications {
  add(authentication: Authentication): void
  /** By the issuer's transaction id. */
  of(acsTransId: string): Authentication | undefined
  /** The newest first. */
  all(): readonly Authentication[]
}

/** Creates an empty list. */
export function createAuthentications(): Authentications {
  const known = new Map<string, Authentication>()
  return {
    add(authentication) {
      known.set(authentication.acsTransId, authentication)
      const [oldest] = known.keys()
      if (known.size > MOST && oldest !== undefined) known.delete(oldest)
    },
    of: acsTransId => known.get(acsTransId),
    all: () => [...known.values()].reverse(),
  }
}

/** As the control port shows it: the card is masked. */
export function authenticationView({ areq, behaviour: _, at, ...authentication }: Authentication) {
  const number = String(areq['acctNumber'])
  return {
    ...authentication,
    at: new Date(at).toISOString(),
    threeDSServerTransId: areq['threeDSServerTransID'],
    version: areq['messageVersion'],
    card: masked(number),
    amountMinor: Number(areq['purchaseAmount']),
    currencyNumeric: areq['purchaseCurrency'],
    merchantName: areq['merchantName'],
    deviceData: areq['threeDSCompInd'],
    challengeWish: areq['threeDSRequestorChallengeInd'] ?? null,
  }
}

/** First six and last four digits. */
export function masked(number: string): string {
  return `${number.slice(0, 6)}${'*'.repeat(Math.max(number.length - 10, 0))}${number.slice(-4)}`
}
