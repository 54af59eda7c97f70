// src/terminals/nexo/reports.ts — runs reports: totals of the current period, or the end of it.
import type { MerchantAccountId, TerminalId } from '../../domain/ids.ts'
import type { Report } from '../../domain/reports/report.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { ReportCall } from '../../engine/ports/terminal.ts'
import type { Deliveries } from './deliveries.ts'
import type { Exchange, Journal, Noted, ReportExchange } from './journal.ts'
import { LineError } from './line.ts'
import type { Link } from './link.ts'
import type { Links } from './links.ts'
import { periodOf, sumsOf } from './period-sums.ts'
import { type Members, memberAt, textOf } from './wire/lenient.ts'
import {
  type Category,
  endsPeriod,
  loginBody,
  previousReconciliationBody,
  reconciliationBody,
  totalsBody,
} from './wire/messages.ts'
import { differenceFrom, otherCurrencies, reportLines, totalsOf } from './wire/totals.ts'

export interface Reports {
  /** Starts a report. Resolves once the terminal has taken the login. @throws LineError when it cannot be reached */
  run(call: ReportCall): Promise<void>
  /** Continues a report that an earlier process has begun. */
  resume(noted: Noted<ReportExchange>): void
  /** Whether one runs on the terminal. */
  isRunning(account: string, tid: string): boolean
  close(): void
}

export interface ReportsParts {
  readonly reports: Journal<ReportExchange>
  /** Notes on payments, whose sums of cashback and tips the terminal does not count. */
  readonly exchanges: Pick<Journal<Exchange>, 'createdSince'>
  /** Asks for the outcome of payments whose answers are open. */
  readonly settled: (account: MerchantAccountId, tid: TerminalId) => Promise<unknown>
  readonly deliveries: Pick<Deliveries, 'reportStarted' | 'reportEnded' | 'reportLost'>
  readonly links: Pick<Links, 'to' | 'byId'>
  readonly clock: Clock
  readonly log: Log
  /** Name and version of this program. */
  readonly software: { readonly name: string; readonly version: string }
}

const AGAIN_MS = 5_000

/** Creates the runner of reports. */
export function createReports(parts: ReportsParts): Reports {
  const { reports, exchanges, deliveries, links, clock, log } = parts
  const running = new Set<string>()
  let isClosed = false
  const login = (link: Link) => ask(link, 'Login', loginBody(clock.now(), parts.software))

  async function follow(first: Noted<ReportExchange>): Promise<void> {
    const { account, tid, requestId } = first.note
    const key = `${account}/${tid}`
    running.add(key)
    try {
      await deliveries.reportStarted(first.note)
      let noted = first
      while (!isClosed) {
        const next = await attempt(noted).catch(error => {
          log.warn({ requestId, tid, error: String(error) }, 'report was not read yet')
          return noted
        })
        if (next === null) return
        if (next.note.phase === 'ended') return await deliveries.reportEnded(next)
        noted = next
        if (clock.now() >= noted.note.limitAt) {
          await reports.change(noted, { phase: 'lost' })
          deliveries.reportLost(noted.note)
          log.error({ requestId, tid }, 'report was given up')
          return
        }
        await pause()
      }
    } finally {
      running.delete(key)
    }
  }

  const pause = () => new Promise<void>(resolve => clock.alarm(clock.now() + AGAIN_MS, resolve))

  /** One try. Resolves to the note after it; null when another process goes on with it. */
  async function attempt(noted: Noted<ReportExchange>): Promise<Noted<ReportExchange> | null> {
    const { account, tid, reportType, phase, reconciliationId } = noted.note
    const link = await links.byId(account, tid)
    const totals = await ask(link, 'GetTotals', totalsBody(link.settings.saleId))
    if (isLoggedOut(totals)) await login(link)
    if (!isSuccess(totals)) return noted
    if (!endsPeriod(reportType)) return ended(noted, totals)
    const period = textOf(memberAt(totals, 'POIReconciliationID'))
    // The answer to a reconciliation was lost. A new period says that it took place, and asking again would end an empty one.
    if (phase === 'closing' && (reconciliationId === null || period !== reconciliationId)) {
      if (reconciliationId === null) return noted
      return endedBy(noted, await ask(link, 'Reconciliation', previousReconciliationBody(reconciliationId)))
    }
    const reconciled = { reconciliationId: period === '' ? null : period, closedAt: clock.now() }
    const closing = await reports.change(noted, { phase: 'closing', ...reconciled })
    if (closing === null) return null
    const answer = await ask(link, 'Reconciliation', reconciliationBody()).catch(() => null)
    return answer === null ? closing : endedBy(closing, answer)
  }

  async function endedBy(noted: Noted<ReportExchange>, answer: Members | null) {
    return answer === null || !isSuccess(answer) ? noted : ended(noted, answer)
  }

  async function ended(noted: Noted<ReportExchange>, answer: Members): Promise<Noted<ReportExchange> | null> {
    const { account, tid, requestId, reportType, currency } = noted.note
    const given = memberAt(answer, 'TransactionTotals')
    const others = otherCurrencies(given, currency)
    if (others.length > 0) log.warn({ requestId, tid, others }, 'totals in other currencies are left out')
    // A payment whose answer was lost is counted by the terminal, so its outcome is asked for first.
    await parts.settled(account, tid)
    const id = textOf(memberAt(answer, 'POIReconciliationID')) || null
    const latest = (await reports.latest(account, tid)).map(({ note }) => note)
    const sums = await sumsOf(exchanges, noted.note, periodOf(noted.note, id, latest))
    const totals = totalsOf(given, currency, sums)
    const differenceMinor = differenceFrom(sums, totals)
    if (differenceMinor !== 0) log.warn({ requestId, tid, differenceMinor }, 'terminal has counted what was not noted')
    const lines = reportLines(reportType, tid, totals, differenceMinor)
    return reports.change(noted, { phase: 'ended', totals, lines })
  }

  return {
    async run({ terminal, report }) {
      const { merchantAccount: account, requestId } = report
      const known = (await reports.load(account, requestId)) ?? (await begun(parts, terminal.settings.currency, report))
      if (known === null || known.note.phase !== 'intended') return
      const link = await links.to(terminal)
      if (report.reportType === 'BANKING')
        return log.warn({ requestId, tid: report.tid }, 'a terminal of this make has no banking report')
      if (!isSuccess(await login(link))) throw new LineError('lost', 'The terminal has not accepted the login.')
      const started = await reports.change(known, { phase: 'running' })
      if (started !== null) void follow(started)
    },
    resume: noted => void follow(noted),
    isRunning: (account, tid) => running.has(`${account}/${tid}`),
    close() {
      isClosed = true
    },
  }
}

function begun(
  { reports, clock }: ReportsParts,
  currency: ReportExchange['currency'],
  { merchantAccount: account, tid, requestId, reportType, limitMs }: Report,
): Promise<Noted<ReportExchange> | null> {
  return reports.add({
    ...{ account, tid, requestId, reportType, currency, phase: 'intended', limitAt: clock.now() + limitMs },
    ...{ reconciliationId: null, closedAt: null, totals: null, lines: [], delivered: false },
  })
}

/** @throws LineError also when the answer is lost */
async function ask(link: Link, category: Category, body: Members): Promise<Members> {
  const answer = await link.ask(category, link.newNames(), body)
  if (answer.answer === 'response') return answer.response
  throw new LineError('lost', `No answer to ${category}.`)
}

function isSuccess(response: Members): boolean {
  return textOf(memberAt(response, 'Response', 'Result')) === 'Success'
}

function isLoggedOut(response: Members): boolean {
  return textOf(memberAt(response, 'Response', 'ErrorCondition')) === 'LoggedOut'
}
