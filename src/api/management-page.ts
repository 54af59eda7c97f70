// src/api/management-page.ts — lists of the own interface, newest first and a page at a time.
import { Type } from 'typebox'
import { decodeRecord, type OfRecords } from '../engine/decoding.ts'
import type { ListQuery } from '../engine/ports/store.ts'
import type { AccountRequestContext } from './operation.ts'
import { LIMIT, nullable } from './schemas.ts'

const DEFAULT_LIMIT = 50

/** What every list can be asked. */
export const PAGE_QUERY = {
  before: Type.Optional(Type.Integer({ minimum: 1, description: '`next` of an earlier answer.' })),
  limit: LIMIT,
}

/** Where an answer says how to go on. */
export const NEXT = nullable(
  Type.Integer({ description: 'Ask with `before` set to this for older ones; null: no more.' }),
)

interface Asked {
  readonly parent?: string | undefined
  readonly live?: boolean | undefined
  readonly before?: number | undefined
  readonly limit?: number | undefined
}

/**
 * Lists an account's records of a machine.
 * @param view what is shown of a record
 */
export async function pageOf<Record, View>(
  { api, account }: AccountRequestContext,
  machine: OfRecords<Record> & { readonly kind: string },
  { parent, live, before, limit = DEFAULT_LIMIT }: Asked,
  view: (record: Record) => View,
): Promise<{ items: View[]; next: number | null }> {
  const query: ListQuery = {
    ...{ kind: machine.kind, limit },
    ...(parent === undefined ? {} : { parent }),
    ...(live === undefined ? {} : { live }),
    ...(before === undefined ? {} : { before }),
  }
  const page = await api.store.list(account.id, query)
  const next = page.length < limit ? null : (page.at(-1)?.position ?? null)
  return { items: page.map(({ body }) => view(decodeRecord(machine, body))), next }
}
