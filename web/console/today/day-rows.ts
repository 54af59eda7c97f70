// web/console/today/day-rows.ts — reads the transactions of a day: all of them at first, then only what may have changed.
import type { Page } from '../parts/live-pages.ts'
import type { ListedTransaction } from '../transactions/listed-transaction.ts'

/** A transaction of the day. `next`: cursor of the older ones, where it is known. */
interface Known {
  readonly row: ListedTransaction
  readonly next: number | null
}

export interface DayRows {
  /** Newest first. */
  readonly known: readonly Known[]
  /** Whether the day has more than are read. */
  readonly isCut: boolean
}

export const NO_ROWS: DayRows = { known: [], isCut: false }

/** Reads a page, the newest one without a cursor. */
export type PageReader = (before: number | null) => Promise<Page<ListedTransaction> | { readonly problem: string }>

export interface RowsOptions {
  /** Limit of rows; the rest is cut. */
  readonly most: number
  /** Called with the number of rows so far. */
  readonly onProgress: (rows: number) => void
}

/**
 * Reads the newest ones down to one that is known, and those again whose outcome or money may still change. The others are kept:
 * a verdict that is final stays.
 */
export async function readRows(
  read: PageReader,
  before: DayRows,
  options: RowsOptions,
): Promise<DayRows | { readonly problem: string }> {
  const places = new Map(before.known.map(({ row }, place) => [row.requestId, place]))
  const rows: Known[] = []
  let cursor: number | null = null
  /** Of the first one that is neither read again nor kept. */
  let place = 0
  for (;;) {
    const page: Awaited<ReturnType<PageReader>> = await read(cursor)
    if ('problem' in page) return page
    rows.push(...knownIn(page))
    options.onProgress(Math.min(rows.length, options.most))
    if (page.next === null || rows.length >= options.most) return upTo(options.most, rows, page.next !== null)
    cursor = page.next
    const last = places.get(page.items.at(-1)?.requestId ?? '')
    if (last === undefined) continue
    // A snapshot was restored, or the account reset: what is known may be wrong.
    if (hasGone(before.known.slice(place, last + 1), page)) return readRows(read, NO_ROWS, options)
    const kept = keptFrom(before.known, last + 1)
    rows.push(...kept)
    place = last + 1 + kept.length
    if (place === before.known.length) return upTo(options.most, rows, before.isCut)
    cursor = rows.at(-1)?.next ?? cursor
  }
}

function knownIn({ items, next }: Page<ListedTransaction>): readonly Known[] {
  return items.map((row, index) => ({ row, next: index === items.length - 1 ? next : null }))
}

/** Those before the next open one, as far as a cursor leads. */
function keptFrom(known: readonly Known[], from: number): readonly Known[] {
  const open = known.findIndex(({ row }, place) => place >= from && !row.verdict.final)
  if (open < 0) return known.slice(from)
  const kept = known.slice(from, open)
  return kept.slice(0, kept.findLastIndex(({ next }) => next !== null) + 1)
}

function hasGone(known: readonly Known[], { items }: Page<ListedTransaction>): boolean {
  const read = new Set(items.map(({ requestId }) => requestId))
  return known.some(({ row }) => !read.has(row.requestId))
}

function upTo(most: number, rows: readonly Known[], hasMore: boolean): DayRows {
  return { known: rows.slice(0, most), isCut: hasMore || rows.length > most }
}
