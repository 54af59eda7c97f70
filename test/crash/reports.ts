// test/crash/reports.ts — runs terminal reports between payments.
import { deepEqual, equal } from 'node:assert/strict'
import type { SeededRandom } from '../support/seeded-random.ts'
import type { Line } from './line.ts'
import { PATIENCE_MS } from './mortal-gateway.ts'

export interface ReportEntry {
  readonly account: string
  readonly tid: string
  readonly requestId: string
  readonly result: string
}

export interface ReportParts {
  readonly account: string
  readonly tid: string
  readonly line: Line
  readonly random: SeededRandom
  readonly reports: ReportEntry[]
}

const TYPES = ['X_BALANCE', 'Z_BALANCE', 'END_OF_DAY'] as const

/** Starts a report under one key, repeated until answered, and reads it until it ends. */
export async function runReport({ account, tid, line, random, reports }: ReportParts): Promise<void> {
  const headers = { 'idempotency-key': random.uuid() }
  const body = { reportType: TYPES[random.integer(TYPES.length)]! }
  const started = await line.insist('POST', `/pac/terminals/${tid}/reports`, { headers, body })
  equal(started.status, 201, started.text)
  const { requestId } = JSON.parse(started.text) as { readonly requestId: string }
  const read = untilItsEnd(line, `/pac/terminals/${tid}/reports/${requestId}`)
  const result = await line.gateway.patiently(`the end of report ${requestId}`, PATIENCE_MS.payment, read)
  const again = await line.insist('POST', `/pac/terminals/${tid}/reports`, { headers, body })
  deepEqual([again.status, again.text], [201, started.text])
  reports.push({ account, tid, requestId, result })
}

async function untilItsEnd(line: Line, path: string): Promise<string> {
  for (let etag = ''; ; ) {
    const headers = { prefer: 'wait=20', 'if-none-match': etag }
    const heard = await line.insist('GET', path, { headers })
    if (heard.status === 304) continue
    equal(heard.status, 200, heard.text)
    etag = String(heard.headers.etag)
    const { reportResult } = JSON.parse(heard.text) as { readonly reportResult?: string }
    if (reportResult !== undefined) return reportResult
  }
}
