// src/api/management-page.ts — paginates the lists of the management API, newest first.
import { Type } from 'typebox'
import { decodeRecord, type OfRecords } from '../engine/decoding.ts'
import type { ListQuery } from '../engine/ports/store.ts'
import type { AccountRequestContext } from './operation.ts'
import { LIMIT, nullable } from './schemas.ts'

const DEFAULT_LIMIT = 50

/** Query parameters of every list. */
export const PAGE_QUERY = {
  before: Type.Optional(Type.Integer({ minimum: 1, description: '`next` of an earlier answer.' })),
  limit: LIMIT,
}

/** The cursor of the next page. */
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
 * Lists a page of an account's records of one kind.
 * @param view builds the view of a record
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
