// src/services/terminal-sink.ts — receives deliveries of terminals and passes each to its use case.
import { LONGER_THAN_A_REFERENCE, maskCardNumbers } from '../domain/card-numbers.ts'
import type { TerminalReport } from '../domain/counter/transaction-events.ts'
import type { ReceiptLine, Receipts } from '../domain/receipt.ts'
import type { ReportReport } from '../domain/reports/report.ts'
import type { Effects } from '../engine/effects.ts'
import { REPORT, TERMINAL_TRANSACTION } from '../engine/machines.ts'
import type { TerminalSink } from '../engine/ports/terminal.ts'
import type { Reports } from './counter/reports.ts'
import type { Terminals } from './counter/terminals.ts'
import type { Transactions } from './counter/transactions.ts'
import type { Waiters } from './tables/waiters.ts'

export interface SinkParts {
  readonly terminals: Terminals
  readonly transactions: Transactions
  readonly reports: Reports
  readonly effects: Effects
  readonly waiters: Waiters
}

/** Creates the sink of all drivers. */
export function createSink({ terminals, transactions, reports, effects, waiters }: SinkParts): TerminalSink {
  return {
    async report(delivery) {
      await transactions.receive({ ...delivery, reports: delivery.reports.map(withPlainReceipts) })
      // The transaction has ended: effects that waited for that are retried at once.
      const { account, requestId: id, reports: delivered } = delivery
      const hasEnded = delivered.some(({ type }) => type === 'ended')
      if (hasEnded && (await transactions.awaitsTerminal(account, id)))
        effects.hurry({ account, kind: TERMINAL_TRANSACTION.kind, id })
    },
    reportProgress: delivery => reports.receive({ ...delivery, reports: delivery.reports.map(withPlainLines) }),
    atTable: waiters.answer,
    async reconnected(account, tid) {
      const live = await terminals.liveOn(account, tid, true)
      const terminal = await terminals.installed(account, tid)
      if (terminal === null) return
      if (live !== null) {
        const { requestId } = live.kind === 'report' ? live.report : live.transaction
        const memory = await terminals.fleet.driverOf(terminal).lastTransaction(terminal, requestId)
        if (memory.state === 'forgotten')
          await (live.kind === 'report' ? reports : transactions).forgotten(account, requestId)
        if (live.kind === 'report') effects.hurry({ account, kind: REPORT.kind, id: requestId })
      }
      // Effects that wait for this terminal are retried at once, not after their delay. That includes a timed-out sale, of
      // which only the terminal knows whether it was completed.
      const last = await terminals.lastOn(account, tid)
      // A terminal runs one transaction at a time, so only the last one may still wait for its authorisation.
      if (live === null && last[0] !== undefined) await transactions.reconnected(account, last[0])
      for (const id of last) effects.hurry({ account, kind: TERMINAL_TRANSACTION.kind, id })
    },
  }
}

/** Receipts are stored and shown: a terminal that prints a whole card number on one has it masked here. */
function withPlainReceipts(report: TerminalReport): TerminalReport {
  if (report.type === 'signature_requested') return { ...report, receipts: plainReceipts(report.receipts) }
  if (report.type !== 'ended') return report
  return { ...report, ending: { ...report.ending, receipts: plainReceipts(report.ending.receipts) } }
}

function withPlainLines(report: ReportReport): ReportReport {
  return report.type === 'totals_read' ? { ...report, lines: report.lines.map(plainLine) } : report
}

function plainReceipts({ MERCHANT, CUSTOMER }: Receipts): Receipts {
  return { MERCHANT: MERCHANT.map(plainLine), CUSTOMER: CUSTOMER.map(plainLine) }
}

function plainLine(line: ReceiptLine): ReceiptLine {
  const value = maskCardNumbers(line.value, LONGER_THAN_A_REFERENCE)
  return value === line.value ? line : { ...line, value }
}
