// src/api/partner.ts — the headers that say who made and who installed the till. Seed §5.
import type { IncomingHttpHeaders } from 'node:http'
import type { Refusal } from '../domain/refusals.ts'
import type { Partner } from '../domain/terminal-transaction-events.ts'

/** Characters of a partner's id: the service operator issues them, and none is that long. */
const LONGEST = 255

/** Reads the partner headers. Any value that is not empty is taken; `demanded` makes a missing one a refusal. */
export function partnerOf(headers: IncomingHttpHeaders, demanded: boolean): Partner | { readonly refused: Refusal } {
  const softwareHouseId = textIn(headers['software-house-id'])
  const installerId = textIn(headers['installer-id'])
  if (demanded && softwareHouseId === null) return { refused: { code: 'software_house_missing' } }
  if (demanded && installerId === null) return { refused: { code: 'installer_missing' } }
  if ((softwareHouseId?.length ?? 0) > LONGEST)
    return { refused: { code: 'header_invalid', field: 'Software-House-Id' } }
  if ((installerId?.length ?? 0) > LONGEST) return { refused: { code: 'header_invalid', field: 'Installer-Id' } }
  return { softwareHouseId, installerId }
}

function textIn(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header)?.trim() || null
}
