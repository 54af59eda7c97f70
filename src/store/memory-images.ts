// src/store/memory-images.ts — everything an account holds in the memory store, read as one value and put back as it was.
import type { AccountImage } from '../engine/ports.ts'
import { addRecord, claimsOf, join, nameOf, type Row, removeRecord, type Tables } from './memory-tables.ts'

/** Reads an image; records in order of creation. */
export function imageOf(tables: Tables, account: string, except: readonly string[]): AccountImage {
  return {
    records: rowsOf(tables, account, except).map(row => {
      const { kind, id, version, body } = row.record
      const effects = [...tables.effects.values()].filter(
        effect => effect.account === account && effect.kind === kind && effect.id === id,
      )
      return {
        ...{ kind, id, version, body, parent: row.parent, live: row.live, exclusive: row.exclusive },
        claims: claimsOf(tables, row),
        events: (tables.eventsOfRecord.get(nameOf(row.record)) ?? []).map(({ cursor, version, at, type, body }) => ({
          ...{ cursor, version, at, type, body },
        })),
        effects: effects.map(({ effectId, type, body }) => ({ effectId, type, body })),
        timers: row.timers.map(({ name, dueAt }) => ({ name, dueAt })),
      }
    }),
    idempotency: [...tables.idempotency].flatMap(([name, kept]) => (name === join(account, kept.key) ? [kept] : [])),
  }
}

/** Puts an image in the place of everything the account holds. */
export function putImage(tables: Tables, account: string, except: readonly string[], image: AccountImage): void {
  for (const row of rowsOf(tables, account, except)) removeRecord(tables, row)
  const stays = ({ kind }: { readonly kind: string }) => except.includes(kind)
  tables.eventsOfAccount.set(account, (tables.eventsOfAccount.get(account) ?? []).filter(stays))
  for (const [effectId, effect] of tables.effects)
    if (effect.account === account && !stays(effect)) tables.effects.delete(effectId)
  for (const [name, { key }] of tables.idempotency) if (name === join(account, key)) tables.idempotency.delete(name)
  for (const record of image.records) addRecord(tables, { ...record, account })
  tables.eventsOfAccount.get(account)?.sort((one, other) => one.cursor - other.cursor)
  for (const kept of image.idempotency) tables.idempotency.set(join(account, kept.key), kept)
}

function rowsOf(tables: Tables, account: string, except: readonly string[]): readonly Row[] {
  const rows = [...tables.rows.values()].filter(
    ({ record }) => record.account === account && !except.includes(record.kind),
  )
  return rows.toSorted((one, other) => one.position - other.position)
}
