// web/console/people/people-page.tsx — who signs in to the account: users, sessions, the own password, and the audit log.
import type { Gateway } from '../gateway.ts'
import type { SignedIn } from '../given.ts'
import { AuditLog } from './audit-log.tsx'
import { OneTimeCodes } from './one-time-codes.tsx'
import { OwnPassword } from './own-password.tsx'
import { Passkeys } from './passkeys.tsx'
import { Sessions } from './sessions.tsx'
import { Users } from './users.tsx'

export interface PeoplePageProps {
  readonly gateway: Gateway
  readonly signedIn: SignedIn
}

export function PeoplePage({ gateway, signedIn }: PeoplePageProps) {
  const isOwner = signedIn.rights.includes('own')
  return (
    <>
      <h1>People</h1>
      {isOwner && <Users gateway={gateway} />}
      <Sessions gateway={gateway} />
      <OneTimeCodes gateway={gateway} />
      <Passkeys gateway={gateway} />
      <OwnPassword gateway={gateway} user={signedIn.user} />
      {isOwner && <AuditLog gateway={gateway} />}
    </>
  )
}
