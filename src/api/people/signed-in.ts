// src/api/people/signed-in.ts — what a page of the console is told about who is signed in.
import { mayDo, RIGHTS, type Right, type Role } from '../../domain/people/roles.ts'
import { endOf } from '../../domain/people/session.ts'
import { pageTokenOf } from '../../services/people/sessions.ts'
import { utcTimeOf } from '../local-time.ts'
import type { Person } from './person.ts'

export type SignedInView = {
  readonly account: string
  readonly user: string
  readonly name: string
  readonly role: Role
  readonly rights: Right[]
  /** For the header `Tollgate-Page-Token` of each request. */
  readonly pageToken: string
  /** RFC 3339. */
  readonly endsAt: string
}

export function signedIn({ user, session, secret }: Person): SignedInView {
  return {
    ...{ account: user.merchantAccount, user: user.id, name: user.name, role: user.role },
    rights: RIGHTS.filter(right => mayDo(user.role, right)),
    pageToken: pageTokenOf(secret),
    endsAt: utcTimeOf(endOf(session)),
  }
}
