// web/console/today/read-day.ts — reads the transactions and reports of the shop's day, and reads them again.
import { useEffect, useState } from 'preact/hooks'
import type { Answered, Gateway } from '../gateway.ts'
import { readAll } from '../transactions/export.ts'
import { type TransactionInFull, totalMinorOf } from '../transactions/in-full.ts'
import type { ListedTransaction } from '../transactions/listed-transaction.ts'
import { AT_TERMINALS } from '../transactions/source.ts'
import { hourOf, hoursUntil, startOfDay } from './day.ts'
import type { DayReport, ReportInFull } from './reports.ts'
import type { DayItem } from './sums.ts'

/** Transactions of a day that are read: scheme and total of each take a request of its own. */
export const MOST_OF_A_DAY = 1_000
/** Requests at a time. */
const AT_A_TIME = 8
/** How often the day is read again, in milliseconds. What has ended is kept. */
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

export function useDay(gateway: Gateway): DayReading {
  const [reading, setReading] = useState<DayReading>({ day: null, problem: null, progress: '' })
  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    const known = new Map<string, TransactionInFull>()
    const onProgress = (progress: string) => setReading(before => ({ ...before, progress }))
    const readAgain = async () => {
      while (!signal.aborted) {
        const read = document.hidden ? null : await readDay(gateway, known, signal, onProgress)
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

async function readDay(
  gateway: Gateway,
  known: Map<string, TransactionInFull>,
  signal: AbortSignal,
  onProgress: (progress: string) => void,
): Promise<Day | { readonly problem: string }> {
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
  const listed = await readAll(gateway, AT_TERMINALS, query, {
    signal,
    onProgress: rows => onProgress(`${rows} transactions listed…`),
    most: MOST_OF_A_DAY,
  })
  if ('problem' in listed) return listed
  const problem = await readInFull(gateway, listed.rows, known, signal, onProgress)
  if (problem !== null) return { problem }
  const reports = await readReports(gateway, query, signal)
  if ('problem' in reports) return reports
  const items = listed.rows.map(row => itemOf(row, known.get(row.requestId), timeZone))
  return { timeZone, now, hours: hoursUntil(now, timeZone), items, reports, isCut: listed.isCut }
}

/** Reads scheme and total of the finished ones, those that are not known. Returns why it failed, or null. */
async function readInFull(
  gateway: Gateway,
  rows: readonly ListedTransaction[],
  known: Map<string, TransactionInFull>,
  signal: AbortSignal,
  onProgress: (progress: string) => void,
): Promise<string | null> {
  // The verdict of a finished one may still change.
  const missing = rows.filter(
    ({ requestId, result }) => result !== null && known.get(requestId)?.verdict.final !== true,
  )
  for (let from = 0; from < missing.length; from += AT_A_TIME) {
    const part = missing.slice(from, from + AT_A_TIME)
    const read: readonly Answered<TransactionInFull>[] = await Promise.all(
      part.map(({ requestId }) => gateway.get<TransactionInFull>(`/api/transactions/${requestId}`, { signal })),
    )
    for (const answered of read) {
      if (!answered.ok) return answered.sentence
      known.set(answered.body.requestId, answered.body)
    }
    onProgress(`${from + part.length} of ${missing.length} transactions read…`)
  }
  return null
}

async function readReports(
  gateway: Gateway,
  query: string,
  signal: AbortSignal,
): Promise<readonly DayReport[] | { readonly problem: string }> {
  const path = `/api/reports?limit=${MOST_REPORTS}&result=COMPLETE${query}`
  const listed = await gateway.get<{ readonly reports: readonly DayReport[] }>(path, { signal })
  if (!listed.ok) return { problem: listed.sentence }
  const full = await Promise.all(
    listed.body.reports.map(({ requestId }) => gateway.get<ReportInFull>(`/api/reports/${requestId}`, { signal })),
  )
  return full.flatMap(answered => (answered.ok ? [answered.body] : []))
}

function itemOf(row: ListedTransaction, full: TransactionInFull | undefined, timeZone: string): DayItem {
  const { tid, currency, transactionType, startedAt, finishedAt, result, verdict } = full ?? row
  const began = Date.parse(startedAt)
  return {
    ...{ tid, currency, transactionType, result },
    scheme: full?.connect.cardSchemeName ?? '',
    moneyTaken: verdict.moneyTaken,
    totalMinor: full === undefined ? row.amountMinor : totalMinorOf(full),
    gratuityMinor: full?.connect.amountGratuity ?? 0,
    tookMs: finishedAt === null ? null : Date.parse(finishedAt) - began,
    hour: hourOf(began, timeZone),
  }
}
