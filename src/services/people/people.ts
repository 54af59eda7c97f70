// src/services/people/people.ts — the people of merchant accounts: users, how they sign in, sessions, and the audit log.
import type { PasswordHash } from '../../domain/people/user.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { Store } from '../../engine/ports/store.ts'
import type { Vault } from '../../engine/ports/vault.ts'
import { type Audit, createAudit } from './audit.ts'
import { createOneTimeCodes, type OneTimeCodesService } from './one-time-codes.ts'
import { createPasskeys, type Passkeys } from './passkeys.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createUsers, type Users } from './users.ts'

/** Who the people are. The command line needs no more. */
export interface Directory {
  readonly users: Users
  readonly audit: Audit
  readonly passwords: Passwords
}

export interface People extends Directory {
  readonly sessions: Sessions
  readonly oneTimeCodes: OneTimeCodesService
  readonly passkeys: Passkeys
}

export interface DirectoryParts {
  readonly engine: Engine
  readonly store: Store
  /** Of the gateway. People go by it, also in a sandbox whose clock was moved. */
  readonly clock: Clock
  readonly random: Random
  /** Cost of new passwords. Default: the usual one. */
  readonly passwordCost?: PasswordHash['cost']
}

export function createDirectory(parts: DirectoryParts): Directory {
  const passwords = createPasswords(parts.random, parts.passwordCost)
  return { users: createUsers({ ...parts, passwords }), audit: createAudit(parts), passwords }
}

export function createPeople(parts: DirectoryParts & { readonly vault: Vault }): People {
  const directory = createDirectory(parts)
  const oneTimeCodes = createOneTimeCodes(parts)
  return {
    ...directory,
    sessions: createSessions({ ...parts, ...directory, oneTimeCodes }),
    oneTimeCodes,
    passkeys: createPasskeys({ ...parts, ...directory }),
  }
}
