// src/api/rpc/methods/reports.ts — a terminal adds up what it has done, and the answer comes when it has. Terminal socket
// reference 5.9.
import { type TSchema, Type } from 'typebox'
import { REPORT_TYPES, type Report, type ReportType } from '../../../domain/report.ts'
import { REPORT } from '../../../engine/machines.ts'
import type { JsonObject } from '../../read/json-body.ts'
import { REPORT_BODY, reportBody } from '../../report-body.ts'
import { oneOf } from '../../schemas.ts'
import { EXAMPLE_REPORT } from '../examples.ts'
import { follow } from '../follow.ts'
import { type Caller, type RpcMethod, rpcMethod, type Taken } from '../method.ts'
import { exactly, LINES, TID, TID_ONLY, to_the_letter } from '../shapes.ts'

const RESULT = exactly({
  tid: TID,
  reportType: oneOf(REPORT_TYPES),
  reportResult: oneOf(['COMPLETE', 'TIMED_OUT']),
  reportTime: LOCAL_TIME,
})
