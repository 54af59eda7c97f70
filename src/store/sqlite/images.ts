// src/store/sqlite/images.ts — reads all data of an account as one value and restores it.
import type { Database } from 'better-sqlite3'
import type { AccountImage, ImageRecord } from '../../engine/ports/account-images.ts'
import type { Idempotency } from '../../engine/ports/store.ts'
import { changeTerms } from './term-writes.ts'
import type { Writes } from './writes.ts'

interface RecordRow extends Omit<ImageRecord, 'live' | 'claims' | 'terms' | 'events' | 'effects' | 'timers'> {
  readonly position: number
  readonly live: number
}

const OF_ACCOUNT = `(SELECT position FROM records WHERE account = @account
  AND kind NOT IN (SELECT value FROM json_each(@except)))`

/** Prepares reading an image. It is read in one transaction, so it is consistent. */
export function prepareImages(database: Database): (account: string, except: readonly string[]) => AccountImage {
  const records = database.prepare<[Named], RecordRow>(
    `SELECT position, kind, id, version, parent, live, exclusive, body FROM records
     WHERE position IN ${OF_ACCOUNT} ORDER BY position`,
  )
  const claims = database.prepare<[Named], { readonly record: number; readonly claim: string }>(
    `SELECT record, claim FROM claims WHERE record IN ${OF_ACCOUNT} ORDER BY claim`,
  )
  const events = database.prepare<[Named], ImageRecord['events'][number] & { readonly record: number }>(
    `SELECT record, cursor, version, at, type, body FROM events WHERE record IN ${OF_ACCOUNT} ORDER BY cursor`,
  )
  const effects = database.prepare<[Named], ImageRecord['effects'][number] & { readonly record: number }>(
    `SELECT record, effect_id AS effectId, type, body FROM effects WHERE record IN ${OF_ACCOUNT} ORDER BY place`,
  )
  const timers = database.prepare<[Named], ImageRecord['timers'][number] & { readonly record: number }>(
    `SELECT record, name, due_at AS dueAt FROM timers WHERE record IN ${OF_ACCOUNT} ORDER BY record, name`,
  )
  const idempotency = database.prepare<[string], Idempotency>(
    'SELECT key, fingerprint, answer, expires_at AS expiresAt FROM idempotency WHERE account = ? ORDER BY key',
  )
  return database.transaction((account: string, except: readonly string[]): AccountImage => {
    const named = { account, except: JSON.stringify(except) }
    const claimsOf = byRecord(claims.all(named))
    const eventsOf = byRecord(events.all(named))
    const effectsOf = byRecord(effects.all(named))
    const timersOf = byRecord(timers.all(named))
    return {
      records: records.all(named).map(({ position, live, ...record }) => ({
        ...record,
        live: live === 1,
        claims: claimsOf(position).map(({ claim }) => claim),
        events: eventsOf(position),
        effects: effectsOf(position),
        timers: timersOf(position),
      })),
      idempotency: idempotency.all(account),
    }
  })
}

type Named = { readonly account: string; readonly except: string }

/** Prepares replacing all data of an account by an image. Call it inside a transaction. Returns the number of records. */
export function prepareImageWrites(
  database: Database,
  writes: Writes,
): (account: string, except: readonly string[], image: AccountImage) => number {
  const clear = ['events', 'effects', 'timers', 'claims'].map(table =>
    database.prepare<[Named]>(`DELETE FROM ${table} WHERE record IN ${OF_ACCOUNT}`),
  )
  const clearSearch = ['search_terms', 'search_days'].map(table =>
    database.prepare<[Named]>(
      `DELETE FROM ${table} WHERE account = @account AND kind NOT IN (SELECT value FROM json_each(@except))`,
    ),
  )
  const clearRecords = database.prepare<[Named]>(`DELETE FROM records WHERE position IN ${OF_ACCOUNT}`)
  const clearKeys = database.prepare<[string]>('DELETE FROM idempotency WHERE account = ?')
  const record = database.prepare<[RecordToWrite]>(
    `INSERT INTO records (kind, account, id, version, parent, live, exclusive, created_at, changed_at, body)
     VALUES (@kind, @account, @id, @version, @parent, @live, @exclusive, @createdAt, @changedAt, @body)`,
  )
  const event = database.prepare<[number, number | bigint, string, number, number, string, string]>(
    'INSERT INTO events (cursor, record, account, version, at, type, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const effect = database.prepare<[string, number | bigint, string, string]>(
    'INSERT INTO effects (effect_id, record, type, body) VALUES (?, ?, ?, ?)',
  )
  // Its record may have been erased since (0); no other record can have taken it.
  const claim = database.prepare<[string, number | bigint]>(
    `INSERT INTO claims (claim, record) VALUES (?, ?)
     ON CONFLICT (claim) DO UPDATE SET record = excluded.record WHERE record = 0`,
  )
  const timer = database.prepare<[number | bigint, string, number]>(
    'INSERT INTO timers (record, name, due_at) VALUES (?, ?, ?)',
  )
  const key = database.prepare<[string, string, string, string, number]>(
    'INSERT INTO idempotency (account, key, fingerprint, answer, expires_at) VALUES (?, ?, ?, ?, ?)',
  )
  return (account, except, image) => {
    const named = { account, except: JSON.stringify(except) }
    for (const statement of [...clear, ...clearSearch]) statement.run(named)
    clearRecords.run(named)
    clearKeys.run(account)
    for (const { claims = [], terms, events, effects, timers, live, ...rest } of image.records) {
      const createdAt = events[0]?.at ?? 0
      const changedAt = events.at(-1)?.at ?? createdAt
      // Another record may have its old position by now. The order within the account stays.
      const position = record.run({ ...rest, account, live: live ? 1 : 0, createdAt, changedAt }).lastInsertRowid
      for (const taken of claims) claim.run(taken, position)
      if (terms !== undefined)
        changeTerms(
          writes,
          { account, kind: rest.kind, at: createdAt },
          { added: terms, removed: [] },
          { position, isNew: true },
        )
      for (const { cursor, version, at, type, body } of events)
        event.run(cursor, position, account, version, at, type, body)
      for (const { effectId, type, body } of effects) effect.run(effectId, position, type, body)
      for (const { name, dueAt } of timers) timer.run(position, name, dueAt)
    }
    for (const { key: name, fingerprint, answer, expiresAt } of image.idempotency)
      key.run(account, name, fingerprint, answer, expiresAt)
    return image.records.length
  }
}

interface RecordToWrite extends Omit<RecordRow, 'position'> {
  readonly account: string
  readonly createdAt: number
  readonly changedAt: number
}

function byRecord<Row extends { readonly record: number }>(
  rows: readonly Row[],
): (position: number) => readonly Omit<Row, 'record'>[] {
  const found = new Map<number, Omit<Row, 'record'>[]>()
  for (const { record, ...row } of rows) {
    const list = found.get(record)
    if (list === undefined) found.set(record, [row])
    else list.push(row)
  }
  return position => found.get(position) ?? []
}
