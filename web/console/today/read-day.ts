// web/console/today/read-day.ts — reads the transactions and reports of the shop's day, and reads them again.
import { useEffect, useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { type ListedTransaction, totalMinorOf } from '../transactions/listed-transaction.ts'
import { AT_TERMINALS, readPage } from '../transactions/source.ts'
import { hoursIn, hoursUntil, startOfDay } from './day.ts'
import { type DayRows, NO_ROWS, readRows } from './day-rows.ts'
import type { DayReport, ReportInFull } from './reports.ts'
import type { DayItem } from './sums.ts'

/** Transactions of a day that are read. More would take minutes and fill the memory of the page. */
export const MOST_OF_A_DAY = 10_000
/** The largest page that the gateway gives. */
const PAGE = 200
/** How often the day is read again, in milliseconds. What is final is kept. */
const AGAIN_MS = 5_000
const MOST_REPORTS = 50

export interface Day {
  readonly timeZone: string
  /** Time of the account's clock, epoch milliseconds. */
  readonly now: number
  readonly hours: readonly number[]
  readonly items: readonly DayItem[]
  readonly reports: readonly DayReport[]
  /** Whether the day has more transactions than are read. */
  readonly isCut: boolean
}

export interface DayReading {
  /** Null before the first answer. */
  readonly day: Day | null
  readonly problem: string | null
  /** What is being read, for people who wait for the first time. */
  readonly progress: string
}

type Problem = { readonly problem: string }

/** What has been read of a day. */
interface Known {
  /** Which day: its beginning and its time zone. */
  readonly of: string
  readonly rows: DayRows
  readonly items: WeakMap<ListedTransaction, DayItem>
  /** By their request ids. */
  readonly reports: Map<string, ReportInFull>
}

export function useDay(gateway: Gateway): DayReading {
  const [reading, setReading] = useState<DayReading>({ day: null, problem: null, progress: '' })
  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    // A day that is shown is not drawn again for it.
    const onProgress = (progress: string) =>
      setReading(before => (before.day === null ? { ...before, progress } : before))
    const readDay = dayReader(gateway, signal, onProgress)
    const readAgain = async () => {
      while (!signal.aborted) {
        const read = document.hidden ? null : await readDay()
        if (signal.aborted) return
        if (read !== null)
          setReading(before =>
            'problem' in read ? { ...before, problem: read.problem } : { day: read, problem: null, progress: '' },
          )
        await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
      }
    }
    void readAgain().catch(() => {})
    return () => ended.abort()
  }, [gateway])
  return reading
}

/** Reads the day, and each time it is called again what may have changed. */
function dayReader(
  gateway: Gateway,
  signal: AbortSignal,
  onProgress: (progress: string) => void,
): () => Promise<Day | Problem> {
  let known: Known | null = null
  return async () => {
    const [account, clock] = await Promise.all([
      gateway.get<{ readonly timeZone: string }>('/api/account', { signal }),
      // Only accounts of a sandbox have clocks of their own.
      gateway.isSandbox ? gateway.get<{ readonly now: string }>('/sandbox/clock', { signal }) : null,
    ])
    if (!account.ok) return { problem: account.sentence }
    if (clock !== null && !clock.ok) return { problem: clock.sentence }
    const { timeZone } = account.body
    const now = clock === null ? Date.now() : Date.parse(clock.body.now)
    const query = `&from=${encodeURIComponent(new Date(startOfDay(now, timeZone)).toISOString())}`
    const of = `${timeZone} ${query}`
    if (known?.of !== of) known = { of, rows: NO_ROWS, items: new WeakMap(), reports: new Map() }
    const rows = await readRows(
      before => readPage(gateway, AT_TERMINALS, query, { limit: PAGE, before, signal }),
      known.rows,
      { most: MOST_OF_A_DAY, onProgress: count => onProgress(`${count.toLocaleString()} transactions read…`) },
    )
    if ('problem' in rows) return rows
    known = { ...known, rows }
    const reports = await readReports(gateway, query, known.reports, signal)
    if ('problem' in reports) return reports
    const items = itemsOf(known, timeZone)
    return { timeZone, now, hours: hoursUntil(now, timeZone), items, reports, isCut: rows.isCut }
  }
}

/** @param known filled with what is read: a report that is complete stays as it is */
async function readReports(
  gateway: Gateway,
  query: string,
  known: Map<string, ReportInFull>,
  signal: AbortSignal,
): Promise<readonly DayReport[] | Problem> {
  const path = `/api/reports?limit=${MOST_REPORTS}&result=COMPLETE${query}`
  const listed = await gateway.get<{ readonly reports: readonly DayReport[] }>(path, { signal })
  if (!listed.ok) return { problem: listed.sentence }
  const missing = listed.body.reports.filter(({ requestId }) => !known.has(requestId))
  const read = await Promise.all(
    missing.map(({ requestId }) => gateway.get<ReportInFull>(`/api/reports/${requestId}`, { signal })),
  )
  for (const answered of read) if (answered.ok) known.set(answered.body.requestId, answered.body)
  return listed.body.reports.flatMap(({ requestId }) => known.get(requestId) ?? [])
}

function itemsOf({ rows, items }: Known, timeZone: string): readonly DayItem[] {
  const hourOf = hoursIn(timeZone)
  return rows.known.map(({ row }) => {
    const item = items.get(row) ?? itemOf(row, hourOf)
    items.set(row, item)
    return item
  })
}

function itemOf(row: ListedTransaction, hourOf: (at: number) => number): DayItem {
  const { tid, currency, transactionType, startedAt, finishedAt, result, verdict, scheme, gratuityMinor } = row
  const began = Date.parse(startedAt)
  return {
    ...{ tid, currency, transactionType, result, scheme: scheme ?? '' },
    moneyTaken: verdict.moneyTaken,
    totalMinor: totalMinorOf(row),
    gratuityMinor: gratuityMinor ?? 0,
    tookMs: finishedAt === null ? null : Date.parse(finishedAt) - began,
    hour: hourOf(began),
  }
}
