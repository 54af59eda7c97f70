// src/three-d-secure/emv/later-payments.ts — what an AReq says of a payment without its payer (3RI). ADR 98.
import { type Static, Type } from 'typebox'
import type { PriorAuthentication } from '../../domain/online/three-d-secure.ts'
import { since, VERSIONS, type Version } from './versions.ts'

/** Kinds of later payments, by their code in an AReq (`threeRIInd`). 2.1 knows only those of a series. */
const KINDS = {
  recurring: { code: '01', versions: VERSIONS },
  split_shipment: { code: '06', versions: since('2.2.0') },
  other: { code: '11', versions: since('2.2.0') },
} as const
type Kind = keyof typeof KINDS
export const LATER_KINDS = Object.keys(KINDS) as readonly Kind[]

/** A member of a requestor: later payments are authenticated, as this kind. Only recurring ones name their series. */
export const LATER_PAYMENTS = Type.Object({
  kind: Type.Unsafe<Kind>({ type: 'string', enum: LATER_KINDS }),
  everyDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 9_999 })),
  until: Type.Optional(
    Type.String({ pattern: '^[0-9]{4}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])$', description: 'A day, YYYYMMDD.' }),
  ),
  priorReference: Type.Optional(Type.Unsafe<'acs' | 'ds'>({ type: 'string', enum: ['acs', 'ds'] })),
})
export type LaterPayments = Static<typeof LATER_PAYMENTS>

/** A series that promises nothing: at most one payment a day, without an end. */
const ANY_SERIES = { everyDays: 1, until: '99991231' } as const

/** A payment without its payer, and the authentication that it rests on. */
export interface Later {
  readonly payments: LaterPayments
  readonly prior: PriorAuthentication
}

/** Versions in which the issuer can be asked about this kind. */
export function versionsOfKind({ kind }: LaterPayments): readonly Version[] {
  return KINDS[kind].versions
}

/** The members of an AReq in place of those of the browser. */
export function laterMembers({ payments, prior }: Later) {
  const { kind, priorReference = 'acs', everyDays, until } = { ...ANY_SERIES, ...payments }
  return {
    deviceChannel: '03',
    threeRIInd: KINDS[kind].code,
    threeDSRequestorPriorAuthenticationInfo: [
      {
        threeDSReqPriorAuthMethod: prior.challenged ? '02' : '01',
        threeDSReqPriorAuthTimestamp: minuteOf(prior.at),
        threeDSReqPriorRef: priorReference === 'acs' ? prior.acsTransactionId : prior.directoryServerTransactionId,
      },
    ],
    ...(kind === 'recurring' && {
      recurringExpiry: until,
      recurringFrequency: String(everyDays),
      // 02: neither the amount nor the interval of each payment is promised.
      recurringInd: { amountInd: '02', frequencyInd: '02' },
    }),
  }
}

/** YYYYMMDDHHMM in UTC. */
function minuteOf(at: number): string {
  return new Date(at).toISOString().replace(/\D/g, '').slice(0, 12)
}
