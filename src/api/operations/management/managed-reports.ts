// src/api/operations/management/managed-reports.ts — management API: reports.
import { type Static, Type } from 'typebox'
import { originOf, REPORT_TYPES, type Report } from '../../../domain/reports/report.ts'
import { REPORT } from '../../../engine/machines.ts'
import { reportAddress } from '../../addresses.ts'
import { filtersIn, PERIOD_QUERY, queryOf, REPORT_RESULT } from '../../list-filters.ts'
import { utcTimeOf } from '../../local-time.ts'
import { NEXT, PAGE_QUERY, pageOf } from '../../management-page.ts'
import { accountOperation } from '../../operation.ts'
import { REPORT_BODY, reportBody } from '../../report-body.ts'
import { nullable, oneOf, TIME } from '../../schemas.ts'

const MANAGED_REPORT = Type.Object(
  {
    requestId: Type.String(),
    tid: Type.String(),
    reportType: oneOf(REPORT_TYPES),
    origin: oneOf(['till', 'terminal'], { description: 'Who requested it.' }),
    progress: oneOf(['requested', 'running', 'finished']),
    result: nullable(oneOf(['COMPLETE', 'TIMED_OUT'])),
    startedAt: TIME,
    finishedAt: nullable(TIME),
    version: Type.Integer({ description: 'Number of events so far.' }),
  },
  { $id: 'ReportRecord' },
)

const MANAGED_REPORT_IN_FULL = Type.Object(
  { ...MANAGED_REPORT.properties, connect: REPORT_BODY },
  { $id: 'ReportRecordInFull', description: '`connect` is the report as the till reads it.' },
)

const FILTERS = { result: REPORT_RESULT }

export const listOwnReports = accountOperation({
  name: 'listOwnReports',
  summary: 'List reports, newest first',
  tag: 'Transactions',
  area: 'management',
  method: 'GET',
  path: '/api/reports',
  query: Type.Object({
    terminal: Type.Optional(Type.String({ maxLength: 128, description: 'Only those of this terminal.' })),
    ...queryOf(FILTERS),
    ...PERIOD_QUERY,
    ...PAGE_QUERY,
  }),
  responses: {
    200: {
      description: 'A page.',
      schema: Type.Object({
        reports: Type.Array(MANAGED_REPORT),
        next: NEXT,
      }),
    },
  },
  refusals: ['field_invalid', 'filter_invalid'],
  async run(context, { query }) {
    const read = filtersIn(FILTERS, query)
    if ('refused' in read) return read
    const page = { ...query, ...read, parent: query.terminal }
    const { items: reports, next } = await pageOf(context, REPORT, page, managedReport)
    return { status: 200, body: { reports, next } }
  },
})

export const getOwnReport = accountOperation({
  name: 'getOwnReport',
  summary: 'Read a report',
  tag: 'Transactions',
  area: 'management',
  method: 'GET',
  path: '/api/reports/{requestId}',
  responses: { 200: { description: 'The report.', schema: MANAGED_REPORT_IN_FULL } },
  refusals: ['report_unknown'],
  async run({ api, account, base }, { params }) {
    const entry = await api.engine.read(REPORT, { account: account.id, id: params.requestId })
    if (entry === null) return { refused: { code: 'report_unknown' } }
    const { record } = entry
    const location = reportAddress(base, record.tid, record.requestId)
    return { status: 200, body: { ...managedReport(record), connect: reportBody(record, location, account.timeZone) } }
  },
})

function managedReport(record: Report): Static<typeof MANAGED_REPORT> {
  const { requestId, tid, reportType, progress, result, startedAt, finishedAt, version } = record
  return {
    ...{ requestId, tid, reportType, origin: originOf(record), progress, result },
    startedAt: utcTimeOf(startedAt),
    finishedAt: finishedAt === null ? null : utcTimeOf(finishedAt),
    version,
  }
}
