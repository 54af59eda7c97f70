// src/api/people/session-caller.ts — identifies a signed-in user, and what the user may do. ADR 77.
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { MerchantAccount } from '../../domain/accounts/merchant-account.ts'
import { mayDo } from '../../domain/people/roles.ts'
import type { Refusal } from '../../domain/refusals.ts'
import { pageTokenOf } from '../../services/people/sessions.ts'
import type { Operation } from '../operation.ts'
import type { ServingParts } from '../parts.ts'
import type { Person } from './person.ts'
import { rightFor } from './right-for.ts'
import { type SessionParts, sessionIn } from './session-cookie.ts'

export type PersonIdentified =
  | { readonly account: MerchantAccount; readonly person: Person }
  | { readonly refused: Refusal }

type Refused = { readonly refused: Refusal }

const SIGNED_OUT: Refused = { refused: { code: 'signed_out' } }
const WRONG_TOKEN: Refused = { refused: { code: 'page_token_wrong' } }
const WRONG_ORIGIN: Refused = { refused: { code: 'origin_refused' } }

/**
 * Whether a request is to be identified by its session: one of a browser page without an API key. The cookie does not count for
 * tills, web shops and payers, whatever their requests bear.
 */
export function hasSession({ area, auth }: Operation, { headers }: IncomingMessage): boolean {
  if (auth !== 'basic' || (area !== 'management' && area !== 'sandbox')) return false
  if (headers.authorization !== undefined) return false
  return headers['tollgate-page-token'] !== undefined || sessionIn({ headers }) !== null
}

/** Identifies the user of a request, and checks that it comes from a page of the console. */
export async function identifyPerson(
  api: Pick<ServingParts, 'people' | 'log' | 'settings'>,
  operation: Operation,
  request: IncomingMessage,
  base: string,
): Promise<PersonIdentified> {
  if (!isFromConsole(request, originOf(api.settings.consoleUrl ?? base), operation.method === 'GET'))
    return WRONG_ORIGIN
  const sent = sessionIn(request)
  if (sent === null) return SIGNED_OUT
  // Before anything is read: who was not given the token learns nothing.
  if (!hasToken(request, sent)) return WRONG_TOKEN
  const found = await api.people.sessions.find(sent.account, sent.id, sent.secret)
  if (found === null) return SIGNED_OUT
  const right = rightFor(operation)
  const { role } = found.user
  if (!mayDo(role, right)) return { refused: { code: 'right_missing', detail: role } }
  api.people.sessions
    .noteUse(found.session)
    .catch(error => api.log.warn({ error: String(error) }, 'use of a session not noted'))
  return { account: found.account, person: found }
}

/**
 * Browsers say where a request comes from and let no script change it. They leave `Origin` out only when a page reads from its own host, and say
 * so in `Sec-Fetch-Site`.
 */
export function isFromConsole({ headers }: Pick<IncomingMessage, 'headers'>, origin: string, isRead: boolean): boolean {
  if (headers.origin !== undefined) return headers.origin === origin
  const site = headers['sec-fetch-site']
  return isRead && (site === undefined || site === 'same-origin')
}

export function originOf(url: string): string {
  return new URL(url).origin
}

function hasToken({ headers }: IncomingMessage, { secret }: SessionParts): boolean {
  const given = headers['tollgate-page-token']
  const expected = Buffer.from(pageTokenOf(secret))
  return typeof given === 'string' && given.length === expected.length && timingSafeEqual(Buffer.from(given), expected)
}
