// src/simulator/terminals/reporting.ts — totals of a simulated terminal, and its reports. Pure.

import type { TransactionResult } from '../../domain/counter/transaction-events.ts'
import { totalOf } from '../../domain/money.ts'
import type { ReportReport, ReportType } from '../../domain/reports/report.ts'
import { bankingReset, counted, sessionReset, type TerminalTotals, type Totals } from '../../domain/reports/totals.ts'
import { testCardOf } from '../cards/test-cards.ts'
import { PLANS_BY_OUTCOME } from '../scenarios/built-in.ts'
import { type DeviceState, type Running, type RunningReport, type Setup, withPast } from './device.ts'
import { reportLines } from './report-printer.ts'
import { scenarioOf } from './scripted-ids.ts'

/** Name of the acquirer in reports. */
const ACQUIRER = 'SIMULATED ACQUIRER'

export interface ReportInput {
  readonly type: 'run_report'
  readonly effectId: string
  readonly requestId: string
  readonly reportType: ReportType
  readonly setup: Setup
}

/** Starts a report. */
export function startReport(state: DeviceState, input: ReportInput, at: number): DeviceState {
  const { requestId, reportType, setup } = input
  const dueAt = at + setup.paceMs
  return { ...state, report: { requestId, reportType, setup, started: false, sequence: 0, dueAt } }
}

/** Takes the next step of a report: started, then its totals. */
export function reportStep(state: DeviceState, report: RunningReport, at: number): DeviceState {
  if (!report.started) {
    const dueAt = staysSilent(state.tid) ? null : at + report.setup.paceMs
    return reported({ ...state, report: { ...report, started: true, dueAt } }, { type: 'started' })
  }
  const totals = totalsFor(report, state.totals)
  const lines = reportLines({ ...report, tid: state.tid, totals, at })
  const done = reported(state, { type: 'totals_read', totals, lines })
  const past = { requestId: report.requestId, state: 'successful' } as const
  return withPast({ ...done, report: null, totals: afterReport(report.reportType, state.totals, at) }, past)
}

/** Abandons the report: the terminal was unplugged, or the gateway gave it up. */
export function reportForgotten(state: DeviceState): DeviceState {
  if (state.report === null) return state
  const { requestId } = state.report
  const reportOutbox = state.reportOutbox.filter(delivery => delivery.requestId !== requestId)
  return withPast({ ...state, report: null, reportOutbox }, { requestId, state: 'forgotten' })
}

/** Adds a finished transaction to the totals. */
export function withCounted(state: DeviceState, running: Running, result: TransactionResult): DeviceState {
  const { request, amounts, presented, transactionNumber } = running
  if (presented === null) return state
  const totals = counted(state.totals, {
    transactionType: request.transactionType,
    result,
    totalMinor: totalOf(amounts),
    cashbackMinor: amounts.cashbackMinor,
    gratuityMinor: amounts.gratuityMinor,
    issuer: testCardOf(presented.token)?.cardSchemeName ?? 'UNKNOWN',
    acquirer: ACQUIRER,
    waiter: request.table?.waiterId ?? '',
    transactionNumber,
  })
  return totals === state.totals ? state : { ...state, totals }
}

function reported(state: DeviceState, report: ReportReport): DeviceState {
  if (state.report === null) return state
  const sequence = state.report.sequence + 1
  const { account } = state
  const delivery = { account, requestId: state.report.requestId, sequence, reports: [report] }
  return { ...state, report: { ...state.report, sequence }, reportOutbox: [...state.reportOutbox, delivery] }
}

/** A terminal that never finishes payments never finishes reports. */
function staysSilent(tid: string): boolean {
  return scenarioOf(tid).plans === PLANS_BY_OUTCOME.timed_out
}

function totalsFor({ reportType, setup }: RunningReport, { session, byAcquirer }: TerminalTotals): Totals {
  const { currency } = setup.settings
  return {
    currency,
    balances: reportType === 'BANKING' ? null : session,
    banking: reportType === 'BANKING' || reportType === 'END_OF_DAY' ? byAcquirer : null,
  }
}

function afterReport(reportType: ReportType, totals: TerminalTotals, at: number): TerminalTotals {
  switch (reportType) {
    case 'X_BALANCE':
      return totals
    case 'Z_BALANCE':
      return sessionReset(totals, at)
    case 'BANKING':
      return bankingReset(totals)
    case 'END_OF_DAY':
      return sessionReset(bankingReset(totals), at)
  }
}
