// src/engine/people-machines.ts — the machines of users, their sessions and the audit log.
import * as auditEntry from '../domain/people/audit-entry.ts'
import * as session from '../domain/people/session.ts'
import * as user from '../domain/people/user.ts'
import type { Machine } from './machines.ts'

const NOTHING = () => []

export const USER: Machine<user.User, user.UserCommand, user.UserFacts | null, user.UserEvent> = {
  kind: 'user',
  changedOutside: true,
  decide: user.decide,
  apply: user.apply,
  effectsOf: NOTHING,
  timersOf: NOTHING,
  indexColumnsOf: ({ status }) => ({ parent: '', live: status === 'active', lockKey: null }),
}

export const SESSION: Machine<session.Session, session.SessionCommand, null, session.SessionEvent> = {
  kind: 'session',
  changedOutside: true,
  decide: session.decide,
  apply: session.apply,
  effectsOf: NOTHING,
  timersOf: NOTHING,
  indexColumnsOf: record => ({ parent: record.user, live: record.status === 'active', lockKey: null }),
}

export const AUDIT_ENTRY: Machine<auditEntry.AuditEntry, auditEntry.AuditCommand, null, auditEntry.AuditEvent> = {
  kind: 'audit-entry',
  changedOutside: true,
  decide: auditEntry.decide,
  apply: auditEntry.apply,
  effectsOf: NOTHING,
  timersOf: NOTHING,
  indexColumnsOf: ({ by, state }) => ({ parent: by, live: state === 'begun', lockKey: null }),
}

/** Kinds of records about people. They are in no feed of a merchant, and no snapshot of a sandbox. */
export const PEOPLE_KINDS: readonly string[] = [USER.kind, SESSION.kind, AUDIT_ENTRY.kind]
