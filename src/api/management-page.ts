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

/** Records that one request searches: some tens of milliseconds. */
const MOST_SEARCHED = 1_000

interface Asked<Record> {
  readonly parent?: string | undefined
  readonly live?: boolean | undefined
  readonly before?: number | undefined
  readonly limit?: number | undefined
  /** Which records are listed. Absent: all. */
  readonly fits?: ((record: Record) => boolean) | undefined
}

/**
 * Lists a page of an account's records of one kind. With `fits` a page may be short, or empty, although `next` leads to more.
 * @param view builds the view of a record
 */
export async function pageOf<Record, View>(
  { api, account }: AccountRequestContext,
  machine: OfRecords<Record> & { readonly kind: string },
  { parent, live, before, limit = DEFAULT_LIMIT, fits }: Asked<Record>,
  view: (record: Record) => View,
): Promise<{ items: View[]; next: number | null }> {
  const searched = fits === undefined ? limit : MOST_SEARCHED
  const query: ListQuery = {
    ...{ kind: machine.kind, limit: searched },
    ...(parent === undefined ? {} : { parent }),
    ...(live === undefined ? {} : { live }),
    ...(before === undefined ? {} : { before }),
  }
  const items: View[] = []
  const page = await api.store.list(account.id, query)
  for (const { body, position } of page) {
    const record = decodeRecord(machine, body)
    if (fits === undefined || fits(record)) items.push(view(record))
    if (items.length === limit) return { items, next: position }
  }
  return { items, next: page.length < searched ? null : (page.at(-1)?.position ?? null) }
}
