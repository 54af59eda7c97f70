// src/terminals/nexo/period-sums.ts — what the gateway noted of a terminal's period: the terminal itself counts no cashback and no tips.
import { totalOf } from '../../domain/money.ts'
import { type CountedTransaction, counted, NO_TOTALS, type SessionTotals } from '../../domain/reports/totals.ts'
import type { Asked, Exchange, Journal, ReportExchange } from './journal.ts'
import { endsPeriod } from './wire/messages.ts'
import type { PaymentEnd } from './wire/payments.ts'

/** Which payments a report is about. Times in epoch milliseconds. */
export interface Period {
  /** By the terminal's count; null when it does not say. */
  readonly id: string | null
  /** When the gateway ended the period before; null when it never has. */
  readonly since: number | null
  /** When the gateway ended this one; null while it runs. */
  readonly until: number | null
}

/** A payment is sent so long after its note was written, at most: the limit of a transaction. */
const LONGEST_BEFORE_SENDING_MS = 400_000

/** The period of a report, by the one that ended the period before it. @param reports of the terminal, newest first */
export function periodOf(report: ReportExchange, id: string | null, reports: readonly ReportExchange[]): Period {
  const earlier = reports.find(
    each => each.requestId !== report.requestId && each.phase === 'ended' && endsPeriod(each.reportType),
  )
  return { id, since: earlier?.closedAt ?? null, until: endsPeriod(report.reportType) ? report.closedAt : null }
}

/** Sums of the payments of a period in the currency of the report. */
export async function sumsOf(
  exchanges: Pick<Journal<Exchange>, 'createdSince'>,
  { account, tid, currency }: ReportExchange,
  period: Period,
): Promise<SessionTotals> {
  const notes = await exchanges.createdSince(account, tid, (period.since ?? 0) - LONGEST_BEFORE_SENDING_MS)
  const paid = notes.flatMap(({ note }) => (isIn(period, note) ? paidIn(note) : []))
  const none = { ...NO_TOTALS, session: { ...NO_TOTALS.session, since: period.since } }
  return paid
    .filter(({ asked }) => asked.request.currency === currency)
    .reduce((totals, { asked, end }) => counted(totals, countedOf(asked, end)), none).session
}

interface Paid {
  readonly asked: Asked
  readonly end: PaymentEnd
}

function paidIn({ asked, end }: Exchange): readonly Paid[] {
  return asked === null || end === null ? [] : [{ asked, end }]
}

/** By the terminal's word for it, else by the time when the payment was sent. */
function isIn({ id, since, until }: Period, { end, sentAt }: Exchange): boolean {
  if (sentAt === null || end === null) return false
  // Notes of earlier versions have no such member.
  const named = end.period ?? null
  if (id !== null && named !== null) return id === named
  return sentAt >= (since ?? 0) && (until === null || sentAt < until)
}

function countedOf({ request }: Asked, { ending }: PaymentEnd): CountedTransaction {
  const { result, amounts, transactionNumber } = ending
  return {
    ...{ transactionType: request.transactionType, result, transactionNumber },
    ...{ issuer: '', acquirer: '', waiter: request.table?.waiterId ?? '' },
    ...{ totalMinor: totalOf(amounts), cashbackMinor: amounts.cashbackMinor, gratuityMinor: amounts.gratuityMinor },
  }
}
