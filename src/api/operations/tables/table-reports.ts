// src/api/operations/tables/table-reports.ts — lists and reads the reports run at terminals in table mode.

import { Type } from 'typebox'
import { originOf, type Report } from '../../../domain/reports/report.ts'
import { decodeRecord } from '../../../engine/decoding.ts'
import { REPORT } from '../../../engine/machines.ts'
import { newestPagesOf } from '../../../engine/pages.ts'
import type { Store } from '../../../engine/ports/store.ts'
import { tableReportAddress } from '../../addresses.ts'
import { type AccountRequestContext, accountOperation } from '../../operation.ts'
import { TABLE_REPORT_BODY, type TableReportBody, tableReportBody } from '../../report-body.ts'
import { TABLE_REPORT_RETENTION_MS } from '../../retention.ts'

export const listTableReports = accountOperation({
  name: 'listTableReports',
  summary: 'List the reports of terminals in table mode',
  description: 'Reports of the last three days, newest first. They are started at the terminal, not by a till.',
  tag: 'Pay at table',
  area: 'connect',
  method: 'GET',
  path: '/pat/reports',
  query: Type.Object({ tid: Type.Optional(Type.String({ description: 'Only those of this terminal.' })) }),
  responses: {
    200: { description: 'The reports.', schema: Type.Object({ reports: Type.Array(TABLE_REPORT_BODY) }) },
  },
  async run(context, { query: { tid = '' } }) {
    const reports = await recentReports(context.api.store, context.account.id, tid, retainedFrom(context))
    return { status: 200, body: { reports: reports.flatMap(report => bodyOf(context, report) ?? []) } }
  },
})

export const getTableReport = accountOperation({
  name: 'getTableReport',
  summary: 'Read a report of a terminal in table mode',
  tag: 'Pay at table',
  area: 'connect',
  method: 'GET',
  path: '/pat/reports/{reportId}',
  responses: { 200: { description: 'The report.', schema: TABLE_REPORT_BODY } },
  refusals: ['report_unknown'],
  async run(context, { params: { reportId } }) {
    const entry = await context.api.engine.read(REPORT, { account: context.account.id, id: reportId })
    const body = entry === null ? null : bodyOf(context, entry.record)
    return body === null ? { refused: { code: 'report_unknown' } } : { status: 200, body }
  },
})

/** Body of a report. Null when the report was not run at a terminal, is not finished, or is too old. */
function bodyOf(context: AccountRequestContext, report: Report): TableReportBody | null {
  if ((report.finishedAt ?? 0) <= retainedFrom(context)) return null
  return tableReportBody(report, tableReportAddress(context.base, report.requestId), context.account.timeZone)
}

function retainedFrom({ api, account }: AccountRequestContext): number {
  return api.clocks.of(account.id).now() - TABLE_REPORT_RETENTION_MS
}

/**
 * Reports of terminals, newest first. Includes reports that started before `since` (epoch milliseconds) and may have ended
 * after it.
 */
async function recentReports(store: Store, account: string, tid: string, since: number): Promise<readonly Report[]> {
  const found: Report[] = []
  const query = { kind: REPORT.kind, live: false, ...(tid === '' ? {} : { parent: tid }) }
  for await (const page of newestPagesOf(store, account, query)) {
    const reports = page.map(({ body }) => decodeRecord(REPORT, body))
    found.push(...reports.filter(report => originOf(report) === 'terminal'))
    const last = reports.at(-1)
    if (last === undefined || last.startedAt + last.limitMs < since) break
  }
  return found
}
