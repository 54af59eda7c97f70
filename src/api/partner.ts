// src/api/partner.ts — reads who made and who installed the till, over REST and on a socket. Seed §5.
import type { IncomingHttpHeaders } from 'node:http'
import { isCardNumber } from '../domain/card.ts'
import type { Partner } from '../domain/counter/transaction-events.ts'
import type { Refusal } from '../domain/refusals.ts'

/** Characters of a partner's id: the service operator issues them, and none is that long. */
const LONGEST = 255

/** How a transport refuses an id that is missing or cannot be kept. */
export interface PartnerRefusals {
  readonly missing: Readonly<Record<keyof Partner, Refusal>>
  readonly invalid: Readonly<Record<keyof Partner, Refusal>>
}

/**
 * Reads the ids. Any value that is not empty is taken. A version that demands them refuses one that cannot be kept, and
 * one that is missing too if the caller has named the version and the setting requires it. Others leave such ids out.
 */
export function partnerOf(
  { softwareHouseId, installerId }: Partner,
  { demandsPartner, named }: { readonly demandsPartner: boolean; readonly named: boolean },
  setting: 'require' | 'accept',
  { missing, invalid }: PartnerRefusals,
): Partner | { readonly refused: Refusal } {
  if (!demandsPartner) return keepablePartner({ softwareHouseId, installerId })
  const demanded = named && setting === 'require'
  if (demanded && softwareHouseId === null) return { refused: missing.softwareHouseId }
  if (demanded && installerId === null) return { refused: missing.installerId }
  if (keepable(softwareHouseId) !== softwareHouseId) return { refused: invalid.softwareHouseId }
  if (keepable(installerId) !== installerId) return { refused: invalid.installerId }
  return { softwareHouseId, installerId }
}

/** The ids where nobody demands them: those that cannot be kept are left out. */
export function keepablePartner({ softwareHouseId, installerId }: Partner): Partner {
  return { softwareHouseId: keepable(softwareHouseId), installerId: keepable(installerId) }
}

/** The ids that a request over HTTP bears. */
export function partnerInHeaders(headers: IncomingHttpHeaders): Partner {
  return { softwareHouseId: textIn(headers['software-house-id']), installerId: textIn(headers['installer-id']) }
}

/** The id as it may be kept; null when it may not. It is kept in clear, so it must not be a card number. */
function keepable(id: string | null): string | null {
  return id !== null && id.length <= LONGEST && !isCardNumber(id) ? id : null
}

function textIn(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header)?.trim() || null
}
