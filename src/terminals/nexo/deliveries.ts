// src/terminals/nexo/deliveries.ts — hands outcomes to the gateway until it has taken them.
import type { TerminalReport } from '../../domain/counter/transaction-events.ts'
import type { RequestId } from '../../domain/ids.ts'
import type { Alarm, Clock } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { TerminalSink } from '../../engine/ports/terminal.ts'
import type { Exchange, Journal, Noted, ReportExchange } from './journal.ts'
import { PLACE_OF_END, type Shown } from './wire/displays.ts'
import type { PaymentEnd } from './wire/payments.ts'

export interface Deliveries {
  /** The sink of the gateway. Nothing is delivered before. */
  listen(sink: TerminalSink): void
  /** Delivers what the terminal shows, once: nothing depends on it. @throws Error when the gateway has not taken it */
  shown(note: Exchange, shown: Shown): Promise<void>
  /** Delivers the end of a transaction. Resolves after the first try; what is not taken is delivered again. */
  end(noted: Noted<Exchange>): Promise<void>
  /** Delivers that a report has started. */
  reportStarted(note: ReportExchange): Promise<void>
  /** Delivers the totals of a report. */
  reportEnded(noted: Noted<ReportExchange>): Promise<void>
  /** Nothing more is delivered of a report. */
  reportLost(note: ReportExchange): void
  /** Tells the gateway that a terminal is back, until it has taken it. */
  reconnected(account: string, tid: string): Promise<void>
  close(): void
}

export interface DeliveriesParts {
  readonly exchanges: Journal<Exchange>
  readonly reports: Journal<ReportExchange>
  readonly clock: Clock
  readonly log: Log
}

/** After a try that the gateway did not take. */
const AGAIN_MS = 2_000

/** Creates the outbox. Its content is in the journal, so that it outlives the process. */
export function createDeliveries({ exchanges, reports, clock, log }: DeliveriesParts): Deliveries {
  let sink: TerminalSink | null = null
  let isClosed = false
  const alarms = new Set<Alarm>()
  /** Reports whose start the gateway has taken. A terminal runs one at a time, and each leaves with its end. */
  const startsTaken = new Set<RequestId>()

  /** Resolves after the first try. */
  async function untilTaken(what: object, attempt: (to: TerminalSink) => Promise<unknown>): Promise<void> {
    if (isClosed || sink === null) return
    try {
      await attempt(sink)
    } catch (error) {
      log.warn({ ...what, error: String(error) }, 'delivery was not taken')
      if (isClosed) return
      const alarm = clock.alarm(clock.now() + AGAIN_MS, () => {
        alarms.delete(alarm)
        void untilTaken(what, attempt)
      })
      alarms.add(alarm)
    }
  }

  /** Once in this process. After a crash it may be a repetition, which the gateway ignores. */
  async function started(to: TerminalSink, { account, requestId }: ReportExchange): Promise<void> {
    if (startsTaken.has(requestId)) return
    await to.reportProgress({ account, requestId, sequence: 1, reports: [{ type: 'started' }] })
    startsTaken.add(requestId)
  }

  return {
    listen(given) {
      sink = given
    },
    async shown({ account, requestId }, { place: sequence, report }) {
      await sink?.report({ account, requestId, sequence, reports: [report] })
    },
    async end(noted) {
      const { account, requestId, end } = noted.note
      if (end === null) return
      await untilTaken(namesIn(noted.note), async to => {
        await to.report({ account, requestId, sequence: PLACE_OF_END, reports: reportsOf(end) })
        await exchanges.change(noted, { delivered: true })
      })
    },
    reportStarted: note => untilTaken(namesIn(note), to => started(to, note)),
    async reportEnded(noted) {
      const { account, requestId, totals, lines } = noted.note
      if (totals === null) return
      await untilTaken(namesIn(noted.note), async to => {
        await started(to, noted.note)
        await to.reportProgress({ account, requestId, sequence: 2, reports: [{ type: 'totals_read', totals, lines }] })
        await reports.change(noted, { delivered: true })
        startsTaken.delete(requestId)
      })
    },
    reportLost({ requestId }) {
      startsTaken.delete(requestId)
    },
    reconnected: (account, tid) => untilTaken({ tid }, to => to.reconnected(account, tid)),
    close() {
      isClosed = true
      for (const alarm of alarms) alarm.cancel()
    },
  }
}

function namesIn({ requestId, tid }: Exchange | ReportExchange) {
  return { requestId, tid }
}

/** The answer to a payment says everything at its end. What is shown before comes as notifications, if at all. */
function reportsOf({ ending, shown }: PaymentEnd): readonly TerminalReport[] {
  const { card } = ending
  const isRead = card.paymentMethod !== 'UNKNOWN' || card.primaryAccountNumber !== ''
  return [
    ...(isRead && ending.repeated === null ? [{ type: 'card_read', card } as const] : []),
    ...(shown === null ? [] : [{ type: 'outcome_shown', outcome: shown } as const]),
    { type: 'ended', ending },
  ]
}
