// src/store/sqlite/writes.ts — the writer's prepared statements.
import type { Database, Statement } from 'better-sqlite3'
import type { StoredRecord } from '../../engine/ports/store.ts'
import { prepareTermWrites, type TermWrites } from './term-statements.ts'

export interface Writes extends TermWrites {
  readonly idempotencyExpiry: Statement<[account: string, key: string], number>
  readonly record: Statement<[kind: string, account: string, id: string], RecordRow>
  readonly storedBody: Statement<[kind: string, account: string, id: string], Pick<StoredRecord, 'version' | 'body'>>
  readonly holder: Statement<[lockKey: string], number>
  readonly uniqueHolder: Statement<[claim: string], number>
  readonly insertUniqueKey: Statement<[claim: string, record: number | bigint]>
  readonly insertRecord: Statement<
    [
      kind: string,
      account: string,
      id: string,
      version: number,
      parent: string,
      live: number,
      lockKey: string | null,
      createdAt: number,
      changedAt: number,
      body: string,
    ]
  >
  readonly updateBody: Statement<[version: number, changedAt: number, body: string, position: number]>
  readonly updateRecord: Statement<
    [
      version: number,
      changedAt: number,
      body: string,
      parent: string,
      live: number,
      lockKey: string | null,
      position: number,
    ]
  >
  readonly insertEvent: Statement<
    [record: number | bigint, account: string, version: number, at: number, type: string, body: string]
  >
  readonly insertEffect: Statement<[effectId: string, record: number | bigint, type: string, body: string]>
  readonly deleteEffect: Statement<[effectId: string]>
  readonly insertTimer: Statement<[record: number | bigint, name: string, dueAt: number]>
  readonly deleteTimers: Statement<[record: number | bigint]>
  readonly deleteEvents: Statement<[record: number | bigint]>
  readonly deleteEffects: Statement<[record: number | bigint]>
  readonly detachUniqueKeys: Statement<[record: number | bigint]>
  readonly deleteRecord: Statement<[position: number | bigint]>
  readonly writeIdempotency: Statement<
    [account: string, key: string, fingerprint: string, answer: string, expiresAt: number]
  >
  readonly rewriteRecord: Statement<[body: string, position: number, before: string]>
  readonly rewriteEvent: Statement<[body: string, cursor: number, before: string]>
  readonly writeProgress: Statement<[name: string, after: number, finished: number]>
  readonly markOthersEvent: Statement<[cursor: number | bigint]>
  readonly fence: Statement<[], number>
  readonly nextFence: Statement<[], number>
  readonly forgetOthersEvents: Statement<[]>
  readonly forgetExpired: Statement<[now: number, limit: number]>
}

export interface RecordRow {
  readonly position: number
  readonly createdAt: number
  readonly version: number
  readonly parent: string
  readonly live: number
  readonly lockKey: string | null
}

const RECORD_ROW = 'position, version, parent, live, exclusive AS lockKey, created_at AS createdAt'

export function prepareWrites(database: Database): Writes {
  return {
    ...prepareTermWrites(database),
    idempotencyExpiry: database
      .prepare<[string, string], number>('SELECT expires_at FROM idempotency WHERE account = ? AND key = ?')
      .pluck(),
    record: database.prepare(`SELECT ${RECORD_ROW} FROM records WHERE kind = ? AND account = ? AND id = ?`),
    storedBody: database.prepare('SELECT version, body FROM records WHERE kind = ? AND account = ? AND id = ?'),
    holder: database.prepare<[string], number>('SELECT position FROM records WHERE exclusive = ?').pluck(),
    uniqueHolder: database.prepare<[string], number>('SELECT record FROM claims WHERE claim = ?').pluck(),
    // Taking a key again changes nothing. `isTaken` has checked that no other record has it.
    insertUniqueKey: database.prepare(
      'INSERT INTO claims (claim, record) VALUES (?, ?) ON CONFLICT (claim) DO NOTHING',
    ),
    insertRecord: database.prepare(
      `INSERT INTO records (kind, account, id, version, parent, live, exclusive, created_at, changed_at, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    updateBody: database.prepare('UPDATE records SET version = ?, changed_at = ?, body = ? WHERE position = ?'),
    updateRecord: database.prepare(
      `UPDATE records SET version = ?, changed_at = ?, body = ?, parent = ?, live = ?, exclusive = ?
       WHERE position = ?`,
    ),
    insertEvent: database.prepare(
      'INSERT INTO events (record, account, version, at, type, body) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    insertEffect: database.prepare('INSERT INTO effects (effect_id, record, type, body) VALUES (?, ?, ?, ?)'),
    deleteEffect: database.prepare('DELETE FROM effects WHERE effect_id = ?'),
    insertTimer: database.prepare('INSERT INTO timers (record, name, due_at) VALUES (?, ?, ?)'),
    deleteTimers: database.prepare('DELETE FROM timers WHERE record = ?'),
    deleteEvents: database.prepare('DELETE FROM events WHERE record = ?'),
    // Few rows, because only open effects have one. An index over records would slow down every effect.
    deleteEffects: database.prepare('DELETE FROM effects WHERE record = ?'),
    // 0 is no record's position. The old position may be reused by another record.
    detachUniqueKeys: database.prepare('UPDATE claims SET record = 0 WHERE record = ?'),
    deleteRecord: database.prepare('DELETE FROM records WHERE position = ?'),
    writeIdempotency: database.prepare(
      // An existing row has expired, so its key is free again.
      `INSERT INTO idempotency (account, key, fingerprint, answer, expires_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (account, key) DO UPDATE
       SET fingerprint = excluded.fingerprint, answer = excluded.answer, expires_at = excluded.expires_at`,
    ),
    rewriteRecord: database.prepare('UPDATE records SET body = ? WHERE position = ? AND body = ?'),
    rewriteEvent: database.prepare('UPDATE events SET body = ? WHERE cursor = ? AND body = ?'),
    writeProgress: database.prepare(
      `INSERT INTO rewrites (name, after, finished) VALUES (?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET after = excluded.after, finished = excluded.finished`,
    ),
    markOthersEvent: database.prepare('INSERT INTO others_events (cursor) VALUES (?)'),
    fence: database.prepare<[], number>('SELECT fence FROM leases WHERE lane = 0').pluck(),
    nextFence: database
      .prepare<[], number>('UPDATE leases SET fence = fence + 1 WHERE lane = 0 RETURNING fence')
      .pluck(),
    forgetOthersEvents: database.prepare('DELETE FROM others_events'),
    forgetExpired: database.prepare(
      `DELETE FROM idempotency WHERE (account, key) IN
       (SELECT account, key FROM idempotency WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
    ),
  }
}
