// src/simulator/terminals/reporting.ts — a simulated terminal counts what it has taken, and runs reports on it. Pure.

import type { TransactionResult } from '../../domain/counter/transaction-events.ts'
import { totalOf } from '../../domain/money.ts'
import type { ReportReport, ReportType } from '../../domain/reports/report.ts'
import { bankingReset, counted, sessionReset, type TerminalTotals, type Totals } from '../../domain/reports/totals.ts'
import { testCardOf } from '../cards/test-cards.ts'
import { PLANS_BY_OUTCOME } from '../scenarios/built-in.ts'
import { scenarioOf } from './codes.ts'
import { type DeviceState, type Running, type RunningReport, type Setup, withPast } from './device.ts'
import { reportLines } from './report-printer.ts'

/** The bank behind the simulated terminals, as reports name it. */
const ACQUIRER = 'SIMULATED ACQUIRER'

export interface ReportInput {
  readonly type: 'run_report'
  readonly effectId: string
  readonly requestId: string
  readonly reportType: ReportType
  readonly setup: Setup
}

/** Begins a report. A terminal that has heard of it does not begin again. */
export function startReport(state: DeviceState, input: ReportInput, at: number): DeviceState {
  const { requestId, reportType, setup } = input
  const dueAt = at + setup.paceMs
  return { ...state, report: { requestId, reportType, setup, started: false, sequence: 0, dueAt } }
}

/** The next step of the report: it has begun, or its totals are there. */
export function reportStep(state: DeviceState, report: RunningReport, at: number): DeviceState {
  if (!report.started) {
    const dueAt = staysSilent(state.tid) ? null : at + report.setup.paceMs
    return told({ ...state, report: { ...report, started: true, dueAt } }, { type: 'started' })
  }
  const totals = totalsFor(report, state.totals)
  const lines = reportLines({ ...report, tid: state.tid, totals, at })
  const done = told(state, { type: 'totals_read', totals, lines })
  const past = { requestId: report.requestId, state: 'successful' } as const
  return withPast({ ...done, report: null, totals: afterReport(report.reportType, state.totals, at) }, past)
}

/** The terminal gives up its report: unplugged, or the gateway has. */
export function reportForgotten(state: DeviceState): DeviceState {
  if (state.report === null) return state
  const { requestId } = state.report
  const reportOutbox = state.reportOutbox.filter(delivery => delivery.requestId !== requestId)
  return withPast({ ...state, report: null, reportOutbox }, { requestId, state: 'forgotten' })
}

/** Counts a transaction that the terminal is done with. */
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

function told(state: DeviceState, report: ReportReport): DeviceState {
  if (state.report === null) return state
  const sequence = state.report.sequence + 1
  const { account } = state
  const delivery = { account, requestId: state.report.requestId, sequence, reports: [report] }
  return { ...state, report: { ...state.report, sequence }, reportOutbox: [...state.reportOutbox, delivery] }
}

/** A terminal that goes silent in payments does so in reports. */
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
