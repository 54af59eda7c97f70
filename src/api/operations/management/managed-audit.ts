// src/api/operations/management/managed-audit.ts — management API: the audit log of what users have done.
import { type Static, Type } from 'typebox'
import type { AuditEntry } from '../../../domain/people/audit-entry.ts'
import { AUDIT_ENTRY } from '../../../engine/people-machines.ts'
import { utcTimeOf } from '../../local-time.ts'
import { NEXT, PAGE_QUERY, pageOf } from '../../management-page.ts'
import { accountOperation } from '../../operation.ts'
import { EXAMPLE, nullable, TIME } from '../../schemas.ts'
import { USER_NAME } from './people-schemas.ts'

const ENTRY = Type.Object(
  {
    at: TIME,
    by: Type.String({ description: 'The user, or `command line`.' }),
    session: nullable(Type.String()),
    action: Type.String({ description: 'Name of the operation.' }),
    subject: Type.Record(Type.String(), Type.String(), {
      description: 'What it was done to: parameters of the address.',
    }),
    requestId: Type.String({ description: 'As in the answer and in the log; empty for the command line.' }),
    status: nullable(
      Type.Integer({
        description: 'HTTP status of the answer. Null: not known, because the gateway stopped in between.',
      }),
    ),
    refusal: nullable(Type.String({ description: 'Code of the refusal.' })),
  },
  { $id: 'AuditEntry' },
)

const ENTRY_EXAMPLE: Static<typeof ENTRY> = {
  ...{
    at: '2026-05-06T13:03:27.000Z',
    by: 'ann',
    session: EXAMPLE.requestId,
    action: 'changeUser',
    subject: { user: 'ben' },
  },
  ...{ requestId: EXAMPLE.requestId, status: 200, refusal: null },
}

export const listAudit = accountOperation({
  name: 'listAudit',
  summary: 'List what users have changed, newest first',
  description:
    'Each change is noted before it is made, and again with its outcome. Also attempts to sign in by names that exist.',
  tag: 'People',
  area: 'management',
  method: 'GET',
  path: '/api/audit',
  peopleOnly: true,
  right: 'own',
  query: Type.Object({ user: Type.Optional(USER_NAME), ...PAGE_QUERY }),
  responses: {
    200: {
      description: 'A page.',
      schema: Type.Object({ entries: Type.Array(ENTRY), next: NEXT }),
      example: { entries: [ENTRY_EXAMPLE], next: null },
    },
  },
  refusals: ['field_invalid'],
  async run(context, { query }) {
    const { user, ...page } = query
    const { items: entries, next } = await pageOf(
      context,
      AUDIT_ENTRY,
      { ...page, parent: user?.toLowerCase() },
      viewOf,
    )
    return { status: 200, body: { entries, next } }
  },
})

function viewOf({ begunAt, by, session, action, subject, requestId, outcome }: AuditEntry): Static<typeof ENTRY> {
  return {
    at: utcTimeOf(begunAt),
    ...{ by, session, action, subject: { ...subject }, requestId },
    status: outcome?.status ?? null,
    refusal: outcome?.refusal ?? null,
  }
}
