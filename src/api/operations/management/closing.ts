// src/api/operations/management/closing.ts — closing by hand: who may do it, and what they say. ADR 31, 85.
import { hash, timingSafeEqual } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { holdsCardNumber } from '../../../domain/card-numbers.ts'
import type { Closing } from '../../../domain/closing.ts'
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

/** Reads who closes, and as what. Refused: a caller who may not, and texts that may hold a card number. */
export async function closingIn(
  context: AccountRequestContext,
  body: () => Promise<{ readonly value: Static<typeof CLOSING> } | { readonly refused: Refusal }>,
): Promise<{ readonly closing: Closing } | { readonly refused: Refusal }> {
  if (!mayClose(context)) return { refused: { code: 'command_line_only' } }
  const read = await body()
  if ('refused' in read) return read
  const { outcome, authCode = '', operator, reason } = read.value
  for (const [field, text] of Object.entries({ operator, reason }))
    if (holdsCardNumber(text)) return { refused: { code: 'field_invalid', field, detail: MAY_BE_CARD } }
  return { closing: { outcome, authCode, operator, reason } }
}

/** Whether the caller may close: anybody, or an owner who is signed in and the command line beside the gateway. */
function mayClose({ api, request, person }: AccountRequestContext): boolean {
  const { closingKey } = api.settings
  if (closingKey === null || person !== null) return true
  const given = request.headers['tollgate-closing-key']
  return (
    typeof given === 'string' && timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', closingKey, 'buffer'))
  )
}
