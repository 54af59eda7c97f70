// src/api/operations/till/report-operations.ts — starts and reads reports of terminals.
import { Type } from 'typebox'
import { REPORT_TYPES, type Report } from '../../../domain/reports/report.ts'
import type { Entry } from '../../../engine/cache.ts'
import { REPORT } from '../../../engine/machines.ts'
import { reportAddress } from '../../addresses.ts'
import { answerPoll } from '../../http/polling.ts'
import { idempotencyKeyOf, startedAnswer, startOnce } from '../../http/start-once.ts'
import { type AccountRequestContext, accountOperation } from '../../operation.ts'
import { REPORT_BODY, reportBody } from '../../report-body.ts'
import { EXAMPLE, oneOf } from '../../schemas.ts'
import {
  report,
  reportBanking,
  reportEndOfDay,
  reportXBalance,
  reportZBalance,
} from '../../socket/methods/report-methods.ts'
import { findOnTerminal, type RecordParams } from './records-of-terminal.ts'

const EXAMPLE_LOCATION = reportAddress(EXAMPLE.base, EXAMPLE.tid, EXAMPLE.requestId)

export const startReport = accountOperation({
  name: 'startReport',
  summary: 'Start a report on a terminal',
  description:
    'X_BALANCE returns the totals of the session; Z_BALANCE returns and resets them. BANKING returns the totals at each ' +
    'acquirer since the last BANKING and resets them: the current session becomes the previous one. END_OF_DAY is BANKING ' +
    'and Z_BALANCE in one. The terminal is BUSY meanwhile.',
  tag: 'Pay at counter',
  area: 'connect',
  method: 'POST',
  path: '/pac/terminals/{tid}/reports',
  rpc: [reportEndOfDay, reportBanking, reportXBalance, reportZBalance, report],
  headers: ['Idempotency-Key'],
  body: {
    schema: Type.Object({ reportType: oneOf(REPORT_TYPES) }),
    examples: { 'end of day': { reportType: 'END_OF_DAY' }, 'X balance': { reportType: 'X_BALANCE' } },
  },
  responses: {
    201: {
      description: 'The report runs. Poll its location.',
      schema: Type.Object({ requestId: Type.String(), location: Type.String({ format: 'uri' }) }),
      headers: ['Location', 'Idempotency-Replayed'],
      example: { requestId: EXAMPLE.requestId, location: EXAMPLE_LOCATION },
    },
  },
  refusals: ['terminal_unavailable', 'header_invalid', 'idempotency_key_reused', 'terminal_busy'],
  async run(context, { params: { tid }, body }) {
    const { api, account, base } = context
    const unavailable = { refused: { code: 'terminal_unavailable', tid } } as const
    const terminal = await api.transactions.connected(account.id, tid)
    // A repeated idempotency key gets the first answer even if the terminal is unavailable now.
    if (terminal === null && idempotencyKeyOf(context) === undefined) return unavailable
    const read = await body()
    if ('refused' in read) return terminal === null ? unavailable : read
    const { reportType } = read.value
    const outcome = await startOnce(context, ['startReport', tid, reportType], under =>
      api.reports.start({ ...under, account: account.id, tid, reportType }),
    )
    if ('refused' in outcome) return outcome
    const { requestId, replayed } = outcome.answer
    return startedAnswer(requestId, reportAddress(base, tid, requestId), replayed)
  },
})

export const getReport = accountOperation({
  name: 'getReport',
  summary: 'Read a report',
  description:
    'Poll until the newest notification is REPORT_FINISHED. `If-None-Match` and `Prefer: wait=30` as with a transaction.',
  tag: 'Pay at counter',
  area: 'connect',
  method: 'GET',
  path: '/pac/terminals/{tid}/reports/{requestId}',
  headers: ['If-None-Match', 'Prefer'],
  responses: {
    200: {
      description: 'The report.',
      schema: REPORT_BODY,
      headers: ['ETag', 'Preference-Applied'],
      example: {
        requestId: EXAMPLE.requestId,
        location: EXAMPLE_LOCATION,
        notifications: ['REPORT_STARTED'],
        tid: EXAMPLE.tid,
      },
    },
    304: { description: 'Not changed.', headers: ['ETag', 'Preference-Applied'] },
  },
  refusals: ['terminal_unavailable', 'report_unknown'],
  run: (context, { params }) =>
    answerPoll(context, {
      key: keyOf(context, params),
      find: () => find(context, params),
      represent: entry => represent(context, entry),
      isFinished: record => record.progress === 'finished',
    }),
})

function keyOf({ account }: AccountRequestContext, { requestId }: RecordParams) {
  return { account: account.id, kind: REPORT.kind, id: requestId }
}

function find(context: AccountRequestContext, params: RecordParams) {
  const { connected } = context.api.transactions
  return findOnTerminal(context, REPORT, params, 'report_unknown', connected)
}

function represent({ api, account, apiVersion, base }: AccountRequestContext, entry: Entry<Report>) {
  const { tid, requestId } = entry.record
  return api.representations.of(entry, { operation: 'getReport', apiVersion, base }, () =>
    reportBody(entry.record, reportAddress(base, tid, requestId), account.timeZone),
  )
}
