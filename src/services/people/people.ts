// src/services/people/people.ts — users, sessions and audit log of merchant accounts.
import type { PasswordHash } from '../../domain/people/user.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { Store } from '../../engine/ports/store.ts'
import { type Audit, createAudit } from './audit.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createUsers, type Users } from './users.ts'

export interface People {
  readonly users: Users
  readonly sessions: Sessions
  readonly audit: Audit
  readonly passwords: Passwords
}

/** `clock`: of the gateway. People go by it, also in a sandbox whose clock was moved. */
export function createPeople(parts: {
  readonly engine: Engine
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  /** Cost of new passwords. Default: the usual one. */
  readonly passwordCost?: PasswordHash['cost']
}): People {
  const passwords = createPasswords(parts.random, parts.passwordCost)
  return {
    users: createUsers({ ...parts, passwords }),
    sessions: createSessions({ ...parts, passwords }),
    audit: createAudit(parts),
    passwords,
  }
}
