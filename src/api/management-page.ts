// src/api/management-page.ts — paginates the lists of the management API, newest first.
import { Type } from 'typebox'
import { decodeRecord } from '../engine/decoding.ts'
import type { FoundRecords } from '../engine/ports/store.ts'
import type { OfSearch } from '../engine/search.ts'
import type { Filters } from './list-filters.ts'
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
  Type.Integer({
    description:
      'Ask with `before` set to this for older ones; null: no more. A page of a filtered list may be short, or empty, ' +
      'although there are more.',
  }),
)

interface Query {
  readonly parent?: string | undefined
  readonly live?: boolean | undefined
  readonly before?: number | undefined
  readonly limit?: number | undefined
  readonly filters?: Filters
}

/**
 * Lists a page of an account's records of one kind.
 * @param view builds the view of a record
 */
export async function pageOf<Record, View>(
  { api, account }: AccountRequestContext,
  machine: OfSearch<Record> & { readonly kind: string },
  { parent, live, before, limit = DEFAULT_LIMIT, filters = {} }: Query,
  view: (record: Record) => View,
): Promise<{ items: View[]; next: number | null }> {
  const { records, next }: FoundRecords = await api.search.records(account.id, machine, {
    ...filters,
    limit,
    ...(parent === undefined ? {} : { parent }),
    ...(live === undefined ? {} : { live }),
    ...(before === undefined ? {} : { before }),
  })
  return { items: records.map(({ body }) => view(decodeRecord(machine, body))), next }
}
