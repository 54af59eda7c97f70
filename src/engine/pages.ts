// src/engine/pages.ts — reads any number of records from the store, page by page. ADR 45.
import type { MerchantAccountId } from '../domain/ids.ts'
import { decodeRecord, type OfRecords } from './decoding.ts'
import type { ListedRecord, ListQuery, Store } from './ports/store.ts'

/** Records per page: takes the store some milliseconds, and little memory. */
const PAGE = 200

/** All records of a kind over all accounts, in order of creation. */
export function pagesOfKind(store: Pick<Store, 'all'>, kind: string, filter: { readonly live?: boolean } = {}): Pages {
  return pages(PAGE, after => store.all(kind, { ...filter, limit: PAGE, ...(after === null ? {} : { after }) }))
}

/** Records of an account, newest first. `limit`: records per page. */
export function newestPagesOf(
  store: Store,
  account: MerchantAccountId,
  { limit = PAGE, ...filter }: Filter & { readonly limit?: number },
): Pages {
  return pages(limit, olderThan(store, account, { ...filter, limit }))
}

/** All records of a machine in an account, in order of creation. */
export async function recordsOf<Record>(
  store: Store,
  account: MerchantAccountId,
  machine: OfRecords<Record>,
  filter: Omit<Filter, 'kind'> = {},
): Promise<readonly Record[]> {
  const read = olderThan(store, account, { kind: machine.kind, ...filter, limit: PAGE })
  const records: Record[] = []
  // Not with the generator: other work runs between its steps, and a till would get a payment after its consequences.
  for (let position: Position = null; ; ) {
    const page: Page = await read(position)
    for (const { body } of page) records.push(decodeRecord(machine, body))
    position = lastOf(page, PAGE)
    if (position === null) return records.reverse()
  }
}

type Filter = Omit<ListQuery, 'before' | 'limit'>
type Page = readonly ListedRecord[]
type Pages = AsyncGenerator<Page, void>
/** Where the last page ended; null before the first one, and after the last. */
type Position = number | null

function olderThan(store: Store, account: MerchantAccountId, query: ListQuery): (position: Position) => Promise<Page> {
  return before => store.list(account, before === null ? query : { ...query, before })
}

async function* pages(limit: number, read: (position: Position) => Promise<Page>): Pages {
  for (let position: Position = null; ; ) {
    const page: Page = await read(position)
    if (page.length > 0) yield page
    position = lastOf(page, limit)
    if (position === null) return
  }
}

function lastOf(page: Page, limit: number): Position {
  return page.length < limit ? null : (page.at(-1)?.position ?? null)
}
