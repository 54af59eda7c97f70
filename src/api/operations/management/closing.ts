// src/api/operations/management/closing.ts — closing by hand: who may do it, and what they say. ADR 31, 85.
import { hash, timingSafeEqual } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { holdsCardNumber } from '../../../domain/card-numbers.ts'
import { MAY_BE_CARD, type Refusal } from '../../../domain/refusals.ts'
import type { AccountRequestContext } from '../../operation.ts'
import { oneOf, plainText } from '../../schemas.ts'

export const CLOSING = Type.Object(
  {
    outcome: oneOf(['taken', 'not_taken'], { description: 'Whether the money was taken.' }),
    authCode: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9]{1,8}$', description: 'If known.' })),
    operator: plainText(100, { description: 'The person who closes it.' }),
    reason: plainText(255, { description: 'How the outcome is known.' }),
  },
  { additionalProperties: false },
)

/** The refusal of a text that may hold a card number; null when none does. */
export function misplacedCard({ operator, reason }: Static<typeof CLOSING>): Refusal | null {
  for (const [field, text] of Object.entries({ operator, reason }))
    if (holdsCardNumber(text)) return { code: 'field_invalid', field, detail: MAY_BE_CARD }
  return null
}

/** Whether the caller may close: anybody, or an owner who is signed in and the command line beside the gateway. */
export function mayClose({ api, request, person }: AccountRequestContext): boolean {
  const { closingKey } = api.settings
  if (closingKey === null || person !== null) return true
  const given = request.headers['tollgate-closing-key']
  return (
    typeof given === 'string' && timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', closingKey, 'buffer'))
  )
}
