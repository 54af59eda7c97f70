// src/api/socket/methods/report-methods.ts — the JSON-RPC methods that run reports.
import { Type } from 'typebox'
import { REPORT_TYPES, type Report, type ReportType } from '../../../domain/reports/report.ts'
import { startAndFollow } from '../../../engine/follow.ts'
import { REPORT } from '../../../engine/machines.ts'
import { REPORT_BODY, reportBody } from '../../report-body.ts'
import { oneOf } from '../../schemas.ts'
import { closed } from '../closed-schema.ts'
import { EXAMPLE_REPORT } from '../examples.ts'
import { type Caller, type MethodOutcome, type RpcAnswer, type RpcMethod, rpcMethod } from '../method.ts'
import { exactly, LINES, LOCAL_TIME, TID, TID_ONLY } from '../shapes.ts'

const NOTHING = exactly({})

const RESULT = exactly({
  tid: TID,
  reportType: oneOf(REPORT_TYPES),
  reportResult: oneOf(['COMPLETE', 'TIMED_OUT']),
  reportTime: LOCAL_TIME,
  reportLines: LINES,
  balances: Type.Union([closed(REPORT_BODY.properties.balances), NOTHING], {
    description: 'For X_BALANCE, Z_BALANCE and END_OF_DAY; else empty.',
  }),
  banking: closed(REPORT_BODY.properties.banking),
})

export const reportEndOfDay = reporting('reportEndOfDay', 'END_OF_DAY', 'Close the day: banking and Z balance in one')
export const reportBanking = reporting('reportBanking', 'BANKING', 'Read and reset the totals at each acquirer')
export const reportXBalance = reporting('reportXBalance', 'X_BALANCE', 'Read the totals of the session')
export const reportZBalance = reporting('reportZBalance', 'Z_BALANCE', 'Read and reset the totals of the session')

/** Runs a report by its type, as over REST. */
export const report = rpcMethod({
  ...described('report', 'Run any of the four reports'),
  params: exactly({ tid: TID, reportType: oneOf(REPORT_TYPES) }),
  example: { params: { tid: EXAMPLE_REPORT.tid, reportType: 'X_BALANCE' }, result: EXAMPLE_REPORT },
  run: (caller, { tid, reportType }) => run(caller, tid, reportType),
})

function reporting(name: string, reportType: ReportType, summary: string): RpcMethod {
  return rpcMethod({
    ...described(name, summary),
    params: TID_ONLY,
    example: { params: { tid: EXAMPLE_REPORT.tid }, result: { ...EXAMPLE_REPORT, reportType } },
    run: (caller, { tid }) => run(caller, tid, reportType),
  })
}

function described(name: string, summary: string) {
  return {
    name,
    summary,
    description: 'Answered when the report is done: wait for two minutes. The terminal is BUSY meanwhile.',
    result: RESULT,
    refusals: ['terminal_unavailable', 'terminal_busy', 'terminal_silent'],
  } as const
}

async function run(caller: Caller, tid: string, reportType: ReportType): Promise<MethodOutcome> {
  const { api, account } = caller
  const requestId = api.random.uuid()
  const key = { account: account.id, kind: REPORT.kind, id: requestId }
  const started = await startAndFollow<Report>(
    { feed: api.feed, whenGone: caller.whenGone },
    key,
    ({ progress }) => progress === 'finished',
    () => api.reports.start({ requestId, account: account.id, tid, reportType }),
  )
  if ('refused' in started) return started
  return { underWay: started.end.then(record => answerOf(record, tid, account.timeZone)) }
}

function answerOf(record: Report | null, tid: string, timeZone: string): RpcAnswer {
  if (record === null) return { refused: { code: 'terminal_silent', tid } }
  const { requestId, location, notifications, ...members } = reportBody(record, '', timeZone)
  return { result: { ...members, balances: members.balances ?? {}, banking: members.banking ?? {} } }
}
