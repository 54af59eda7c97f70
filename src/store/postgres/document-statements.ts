// src/store/postgres/document-statements.ts — the SQL of documents on Postgres: a sandbox's simulated world. ADR 71.
import type { ScopedStatement } from './statements.ts'

function statement(name: string, scope: ScopedStatement['scope'], text: string): ScopedStatement {
  return { name, scope, text }
}

const COLUMNS = 'd.account, d.collection, d.key, d.position, d.body, d.changed_at AS "changedAt"'

export const DOCUMENTS = {
  /** Counts a change of each account ($1), whose lanes are $2; $3: whether it erases. Locks them, so that changes have an order. */
  count: statement(
    'count_document_changes',
    'account',
    `INSERT INTO document_feeds (account, lane, revision, erased)
     SELECT account, lane, 1, erases::int FROM unnest($1::text[], $2::int[], $3::bool[]) AS u (account, lane, erases)
     ON CONFLICT (account) DO UPDATE SET revision = document_feeds.revision + 1,
       erased = CASE WHEN excluded.erased = 0 THEN document_feeds.erased ELSE document_feeds.revision + 1 END
     RETURNING account, revision`,
  ),
  erase: statement(
    'erase_documents',
    'account',
    `DELETE FROM documents AS d USING unnest($1::text[], $2::text[], $3::text[]) AS u (account, collection, key)
     WHERE d.account = u.account AND d.collection = u.collection AND d.key = u.key RETURNING d.key`,
  ),
  put: statement(
    'put_documents',
    'account',
    `INSERT INTO documents (account, collection, key, position, revision, changed_at, body)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[])
     ON CONFLICT (account, collection, key) DO UPDATE SET position = excluded.position, revision = excluded.revision,
       changed_at = excluded.changed_at, body = excluded.body`,
  ),
  find: statement(
    'find_document',
    'account',
    'SELECT body FROM documents WHERE account = $1 AND collection = $2 AND key = $3',
  ),
  /** Accounts whose revision is not the known one. */
  changed: statement(
    'changed_documents',
    'account',
    `SELECT f.account, f.revision, f.erased, u.revision AS known FROM unnest($1::text[], $2::bigint[]) AS u (account, revision)
     JOIN document_feeds AS f ON f.account = u.account WHERE f.revision <> u.revision`,
  ),
  /** Documents in some collections ($3) behind a revision of each account. */
  since: statement(
    'documents_since',
    'account',
    `SELECT ${COLUMNS} FROM unnest($1::text[], $2::bigint[]) AS u (account, revision)
     JOIN documents AS d ON d.account = u.account
     WHERE d.revision > u.revision AND d.collection = ANY ($3::text[]) ORDER BY d.account, d.position`,
  ),
  /** A page behind account $2 and position $3. */
  ofLanes: statement(
    'documents_of_lanes',
    'gateway',
    `SELECT ${COLUMNS} FROM document_feeds AS f JOIN documents AS d ON d.account = f.account
     WHERE f.lane = ANY ($1::int[]) AND (d.account, d.position) > ($2::text, $3::bigint)
     ORDER BY d.account, d.position LIMIT $4`,
  ),
  any: statement('any_documents', 'gateway', 'SELECT EXISTS (SELECT 1 FROM document_feeds) AS exists'),
  ofCollection: statement(
    'documents_of_collection',
    'gateway',
    'SELECT key, body FROM documents WHERE collection = $1 ORDER BY account, position',
  ),
} as const
