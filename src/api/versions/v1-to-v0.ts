// src/api/versions/v1-to-v0.ts — maps REST v1 to v0. The differences: docs/versions.md.
import { OLDER_MESSAGES } from '../../domain/counter/user-messages.ts'
import type { JsonObject } from '../read/json-body.ts'
import { zonedTime } from './older-words.ts'
import { only, withBody, without } from './reshape.ts'
import type { VersionMapping, WireAnswer } from './version-mapping.ts'

const RUNNING_FIELDS = ['requestId', 'location', 'notifications']

export const V0: VersionMapping = {
  deferredOperations: new Set(),
  differences: {
    listTerminals: 'Addresses begin with `/retail`.',
    getTerminal: 'Addresses begin with `/retail`.',
    startTransaction: '423 has a list of strings in `location`.',
    getTransaction: 'No card data before the end, not even at the signature stage; `transactionTime` ends in Z.',
    startReport: '200 instead of 201.',
    getReport:
      '409 while the report runs, 404 when the terminal gave none; no `notifications` and no `reportResult`; ' +
      '`balances` and `banking` are always present; `reportTime` ends in Z.',
    createTable: 'The method is POST; PUT is accepted too.',
    listTables: 'Includes `receipt`, the bill.',
    getTable: 'Always includes `receipt`, the bill; no `receiptLines`.',
    listTableReports: 'No `reportResult`.',
    getTableReport: 'No `reportResult`.',
  },
  upgradeQuery(operation, query) {
    switch (operation) {
      case 'listTables':
        return { ...query, withBill: true }
      case 'getTable':
        return { ...query, receipt: true }
      default:
        return query
    }
  },
  upgrade: (_, body) => body,
  downgrade(operation, answer) {
    const moved = withOldAddresses(answer)
    if (answer.status === 423) return withBody(moved, listedLocation)
    if (answer.status >= 300) return moved
    switch (operation) {
      case 'getTransaction':
        return withBody(moved, transaction)
      case 'startReport':
        return { ...moved, status: 200 }
      case 'getReport':
        return moved.body === undefined ? moved : report(moved.body)
      case 'listTables':
        return withBody(moved, ({ tables }) => ({ tables: (tables as JsonObject[]).map(table) }))
      case 'getTable':
        return withBody(moved, table)
      case 'listTableReports':
        return withBody(moved, ({ reports }) => ({ reports: (reports as JsonObject[]).map(tableReport) }))
      case 'getTableReport':
        return withBody(moved, tableReport)
      default:
        return moved
    }
  },
}

/** Addresses begin with `/retail` in v0. Requests to them are served as under `/pac`. */
function withOldAddresses(answer: WireAnswer): WireAnswer {
  const { headers } = answer
  const moved = withBody(answer, movedLocations)
  return headers?.['location'] === undefined
    ? moved
    : { ...moved, headers: { ...headers, location: oldAddress(headers['location']) } }
}

function movedLocations(body: JsonObject): JsonObject {
  const { terminals, location } = body
  return {
    ...body,
    ...(Array.isArray(terminals) ? { terminals: terminals.map(each => movedLocations(each)) } : {}),
    ...(typeof location === 'string' ? { location: oldAddress(location) } : {}),
  }
}

function oldAddress(location: string): string {
  return location.replace(/\/pac(?=\/terminals\/[^/]+(?:\/\w+\/[^/]+)?$)/, '/retail')
}

/** `location` is a list in v0. It is absent when a table is locked. */
function listedLocation(body: JsonObject): JsonObject {
  return body['location'] === undefined ? body : { ...body, location: [body['location']] }
}

function table(body: JsonObject): JsonObject {
  return without(body, ['receiptLines'])
}

function tableReport(body: JsonObject): JsonObject {
  return without(body, ['reportResult'])
}

function transaction(body: JsonObject): JsonObject {
  if (body['transactionResult'] === undefined) return only(body, RUNNING_FIELDS)
  return { ...body, transactionTime: zonedTime(body['transactionTime']) }
}

/** v0 has no progress and no result of a report: it is 409 while it runs and 404 when it timed out. */
function report(body: JsonObject): WireAnswer {
  const { reportResult, reportTime, ...rest } = without(body, ['notifications'])
  if (reportResult === undefined)
    return { status: 409, body: { messages: { error: [OLDER_MESSAGES.report_not_ready] } } }
  if (reportResult !== 'COMPLETE')
    return { status: 404, body: { messages: { error: [OLDER_MESSAGES.report_missing] } } }
  const { balances, banking = {} } = rest
  return {
    status: 200,
    body: {
      ...rest,
      balances: balances ?? emptyBalances(banking as JsonObject),
      banking,
      reportTime: zonedTime(reportTime),
    },
  }
}

/** Balances of a banking report, which has none. v0 requires them. */
function emptyBalances(banking: JsonObject): JsonObject {
  const [first] = Object.values(banking) as readonly JsonObject[]
  return {
    currency: first?.['currency'] ?? 'GBP',
    totalsSince: '',
    totalAmount: 0,
    totalSalesAmount: 0,
    totalSalesCount: 0,
    totalRefundsAmount: 0,
    totalRefundsCount: 0,
    totalCashbackAmount: 0,
    totalCashbackCount: 0,
    totalGratuityAmount: 0,
    totalGratuityCount: 0,
    issuerTotals: {},
    waiterTotals: {},
  }
}
