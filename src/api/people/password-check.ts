// src/api/people/password-check.ts — asks users for their password again before a change.
import type { User } from '../../domain/people/user.ts'
import type { Refusal } from '../../domain/refusals.ts'
import type { ApiContext } from '../operation.ts'

/** Asks users for their password again, before a change that somebody at an unlocked desk may not make. Null when it is right. */
export async function refusalOfPassword(
  { people, maySignIn }: Pick<ApiContext, 'people' | 'maySignIn'>,
  user: User,
  password: string,
): Promise<{ readonly refused: Refusal } | null> {
  if (!maySignIn(`${user.merchantAccount}\n${user.id}`)) return { refused: { code: 'too_fast' } }
  const isRight = await people.passwords.matches(password, user.password)
  return isRight === true ? null : { refused: { code: isRight === null ? 'gateway_busy' : 'sign_in_refused' } }
}
