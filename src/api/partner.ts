// src/api/partner.ts — reads the partner ids of a till: software house and installer.
import type { IncomingHttpHeaders } from 'node:http'
import { maskCardNumbers } from '../domain/card-numbers.ts'
import type { Partner } from '../domain/counter/transaction-events.ts'
import type { Refusal } from '../domain/refusals.ts'

/** Longest partner id, in characters. The service operator issues the ids, and none is that long. */
const LONGEST = 255

/** What is wrong with an invalid id. */
export const ID_TOO_LONG = `is too long. It must have ${LONGEST} characters at most.`

/** Refusals of a transport for missing and invalid ids. */
export interface PartnerRefusals {
  readonly missing: Readonly<Record<keyof Partner, Refusal>>
  readonly invalid: Readonly<Record<keyof Partner, Refusal>>
}

/**
 * Validates the partner ids. API versions that demand them refuse an invalid id, and also a missing one when the caller has
 * named the version and `setting` is `require`. Other versions replace invalid ids by null.
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
  if (isTooLong(softwareHouseId)) return { refused: invalid.softwareHouseId }
  if (isTooLong(installerId)) return { refused: invalid.installerId }
  return keepablePartner({ softwareHouseId, installerId })
}

/** Replaces invalid ids by null, where ids are optional. */
export function keepablePartner({ softwareHouseId, installerId }: Partner): Partner {
  return { softwareHouseId: keepable(softwareHouseId), installerId: keepable(installerId) }
}

/** Reads the partner headers of an HTTP request. */
export function partnerInHeaders(headers: IncomingHttpHeaders): Partner {
  return { softwareHouseId: textIn(headers['software-house-id']), installerId: textIn(headers['installer-id']) }
}

/** Returns an id that may be stored, card numbers masked: a header must not cost the sale. Null when it is too long. ADR 52. */
function keepable(id: string | null): string | null {
  return id === null || isTooLong(id) ? null : maskCardNumbers(id)
}

function isTooLong(id: string | null): boolean {
  return id !== null && id.length > LONGEST
}

function textIn(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header)?.trim() || null
}
