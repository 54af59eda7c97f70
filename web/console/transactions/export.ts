// web/console/transactions/export.ts — reads all pages of a filtered list for an export.
import type { Gateway } from '../gateway.ts'
import { readPage, type Source } from './source.ts'

/** Rows of one export. More would take minutes and fill the memory of the page; a period narrows the list. */
export const MOST_ROWS = 10_000
/** The largest page that the gateway gives. */
const PAGE = 200

export type Exported<Item> = { readonly rows: readonly Item[]; readonly isCut: boolean } | { readonly problem: string }

/**
 * Reads what the filters leave, newest first.
 * @param onProgress called with the number of rows so far
 * @param most limit of rows; the rest is cut
 */
export async function readAll<Item>(
  gateway: Gateway,
  source: Source<Item>,
  query: string,
  { signal, onProgress, most = MOST_ROWS }: ExportOptions,
): Promise<Exported<Item>> {
  const rows: Item[] = []
  let before: number | null = null
  for (;;) {
    const page: Awaited<ReturnType<typeof readPage<Item>>> = await readPage(gateway, source, query, {
      limit: PAGE,
      before,
      signal,
    })
    if ('problem' in page) return page
    rows.push(...page.items)
    onProgress(Math.min(rows.length, most))
    if (rows.length > most || (rows.length === most && page.next !== null))
      return { rows: rows.slice(0, most), isCut: true }
    if (page.next === null) return { rows, isCut: false }
    before = page.next
  }
}

export interface ExportOptions {
  readonly signal: AbortSignal
  readonly onProgress: (rows: number) => void
  readonly most?: number
}
