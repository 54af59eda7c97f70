// src/api/people/person.ts — who calls an operation, when it is a user.
import type { Session } from '../../domain/people/session.ts'
import type { User } from '../../domain/people/user.ts'

/** A user who is signed in. `secret`: of the session. */
export interface Person {
  readonly user: User
  readonly session: Session
  readonly secret: string
}

/** An operation for people was admitted with one. */
export function signedInPerson(person: Person | null): Person {
  if (person === null) throw new Error('an operation for people was admitted without one')
  return person
}
