// src/api/partner.ts — the headers that say who made and who installed the till. Seed §5.
import type { IncomingHttpHeaders } from 'node:http'
import { isCardNumber } from '../domain/card.ts'
import type { Refusal } from '../domain/refusals.ts'
import type { Partner } from '../domain/terminal-transaction-events.ts'

/** Characters of a partner's id: the service operator issues them, and none is that long. */
const LONGEST = 255

/**
 * Reads the partner headers. Any value that is not empty is taken; `demanded` makes a missing one a refusal, and
 * `noted` passes over one that cannot be kept: for callers of whom nobody asks for them.
 */
export function partnerOf(
  headers: IncomingHttpHeaders,
  how: 'demanded' | 'checked' | 'noted',
): Partner | { readonly refused: Refusal } {
  const softwareHouseId = textIn(headers['software-house-id'])
  const installerId = textIn(headers['installer-id'])
  if (how === 'demanded' && softwareHouseId === null) return { refused: { code: 'software_house_missing' } }
  if (how === 'demanded' && installerId === null) return { refused: { code: 'installer_missing' } }
  if (how === 'noted') return { softwareHouseId: fitting(softwareHouseId), installerId: fitting(installerId) }
  if (fitting(softwareHouseId) !== softwareHouseId)
    return { refused: { code: 'header_invalid', field: 'Software-House-Id' } }
  if (fitting(installerId) !== installerId) return { refused: { code: 'header_invalid', field: 'Installer-Id' } }
  return { softwareHouseId, installerId }
}

/** The id as it may be kept; null when it may not. What is kept in clear must not be a card number, whoever put it there. */
export function fitting(text: string | null): string | null {
  return text !== null && text.length <= LONGEST && !isCardNumber(text) ? text : null
}

function textIn(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header)?.trim() || null
}
