// src/services/tables/waiters.ts — answers pay-at-table requests of waiters at terminals. Every request may be repeated after
// a crash of either side and is then the same request. See docs/pay-at-table.md.

import { tableSettingsOf } from '../../domain/accounts/terminal.ts'
import type { MerchantAccountId, TableId, TablePaymentId, TerminalId } from '../../domain/ids.ts'
import { sentenceOf } from '../../domain/refusals.ts'
import { type PatTable, sumsOf } from '../../domain/tables/table.ts'
import type { Engine } from '../../engine/engine.ts'
import { MERCHANT_ACCOUNT, REPORT } from '../../engine/machines.ts'
import type { PayAtTableReply, PayAtTableRequest } from '../../engine/ports/pay-at-table.ts'
import type { Reports } from '../counter/reports.ts'
import type { Terminals } from '../counter/terminals.ts'
import type { Transactions } from '../counter/transactions.ts'
import type { PosConnections } from './pos-connections.ts'
import type { TableProvider, Waiter } from './table-providers.ts'
import type { Tables } from './tables.ts'

export interface Waiters {
  /** Answers one request. @throws Fault when the store is busy or gone; the terminal then repeats the request. */
  answer(
    account: MerchantAccountId,
    by: { readonly tid: TerminalId; readonly waiterId: string },
    request: PayAtTableRequest,
  ): Promise<PayAtTableReply>
}

export interface WaitersParts {
  readonly terminals: Terminals
  readonly tables: Tables
  readonly posConnections: PosConnections
  readonly uploaded: TableProvider
  readonly till: TableProvider
  readonly engine: Engine
  readonly reports: Pick<Reports, 'start'>
  readonly transactions: Pick<Transactions, 'execute'>
}

const DONE: PayAtTableReply = { reply: 'done' }

/** Binds waiters' requests to the table providers. A connected till has precedence over uploaded tables. */
export function createWaiters(parts: WaitersParts): Waiters {
  const { terminals, tables, posConnections, uploaded, till } = parts
  const hostOf = (host: PatTable['host']) => (host === 'till' ? till : uploaded)
  return {
    async answer(account, by, request) {
      const terminal = await terminals.installed(account, by.tid)
      if (terminal === null || (BEGINS.has(request.ask) && (await isRevoked(parts.engine, account))))
        return refused({ code: 'terminal_unavailable', tid: by.tid })
      const { currency } = terminal.settings
      const { waiterIds } = tableSettingsOf(terminal.settings)
      const waiter: Waiter = { account, tid: by.tid, waiterId: waiterIds ? by.waiterId : null, currency }
      const here = async () => ((await posConnections.find(account)).connection === null ? uploaded : till)
      switch (request.ask) {
        case 'tables':
          return { reply: 'tables', names: await (await here()).tables(waiter) }
        case 'hold': {
          const result = await (await here()).lock(waiter, request.table)
          return 'locked' in result ? { reply: 'held', held: result.locked } : { reply: 'refused', says: result.says }
        }
        case 'report':
          return runReport(parts, waiter, request)
        case 'bill':
        case 'pay':
        case 'pay_other':
        case 'look':
        case 'sign':
        case 'let_go': {
          const entry = await tables.read({ account, tableId: request.tableId })
          if (entry === null) return refused({ code: 'table_unknown' })
          return atTable(parts, hostOf(entry.record.host), waiter, entry.record, request)
        }
      }
    },
  }
}

/** Requests that begin something, which a closed account may not. The others bring what runs to its end. */
const BEGINS: ReadonlySet<PayAtTableRequest['ask']> = new Set(['tables', 'hold', 'pay', 'pay_other', 'report'])

async function isRevoked(engine: Engine, account: MerchantAccountId): Promise<boolean> {
  return (await engine.read(MERCHANT_ACCOUNT, { account, id: account }))?.record.status === 'revoked'
}

/** Starts a report, unless it runs or has run. */
async function runReport(
  { engine, reports }: WaitersParts,
  { account, tid }: Waiter,
  { reportId, reportType }: Extract<PayAtTableRequest, { ask: 'report' }>,
): Promise<PayAtTableReply> {
  if ((await engine.read(REPORT, { account, id: reportId })) !== null) return DONE
  const started = await reports.start({ requestId: reportId, account, tid, reportType, origin: 'terminal' })
  return 'refused' in started ? refused(started.refused) : DONE
}

type AtTable = Extract<PayAtTableRequest, { readonly tableId: TableId }>

async function atTable(
  { tables, transactions }: WaitersParts,
  host: TableProvider,
  waiter: Waiter,
  table: PatTable,
  request: AtTable,
): Promise<PayAtTableReply> {
  const { tid, account } = waiter
  const key = { account, tableId: table.tableId }
  switch (request.ask) {
    case 'bill':
      return {
        reply: 'bill',
        lines: await (request.which === 'final' ? host.finalBill(waiter, table) : host.bill(waiter, table)),
      }
    case 'pay': {
      const { paymentId, amountMinor, gratuityMinor } = request
      const taken = await tables.takePayment(key, { paymentId, tid, amountMinor, gratuityMinor })
      return 'refused' in taken ? refused(taken.refused) : { reply: 'started', requestId: taken.requestId }
    }
    case 'pay_other': {
      const { paymentId, amountMinor, gratuityMinor } = request
      const shares = { paymentId, tid, amountMinor, gratuityMinor, cashbackMinor: 0 }
      const recorded = await tables.recordPayment(key, { ...shares, ...BY_OTHER_MEANS })
      return 'refused' in recorded ? refused(recorded.refused) : DONE
    }
    case 'look':
      return look(table, request.paymentId)
    case 'sign': {
      // Too late is not an error: the table has the outcome of the payment.
      const { requestId: id, accepted } = request
      const isUnderWay = table.begun.some(({ requestId }) => requestId === id)
      if (isUnderWay) await transactions.execute({ account, id }, { type: 'decide_signature', accepted })
      return DONE
    }
    case 'let_go': {
      const answer = await tables.unlockFor(key, { tid })
      if ('refused' in answer)
        return answer.refused.code === 'table_payment_under_way' ? { reply: 'later' } : refused(answer.refused)
      return DONE
    }
  }
}

/** Card fields of a share that was paid by other means. See docs/pay-at-table.md. */
const BY_OTHER_MEANS = { paymentMethod: 'UNKNOWN', cardSchemeName: '', authCode: '' } as const

function look(table: PatTable, id: TablePaymentId): PayAtTableReply {
  const openMinor = sumsOf(table).open.minor
  if (table.begun.some(({ paymentId }) => paymentId === id)) return { reply: 'later' }
  const taken = table.payments.some(({ paymentId }) => paymentId === id)
  const dropped = table.dropped.find(({ paymentId }) => paymentId === id)
  return { reply: 'settled', taken, why: dropped?.why ?? null, openMinor }
}

function refused(refusal: Parameters<typeof sentenceOf>[0]): PayAtTableReply {
  return { reply: 'refused', says: sentenceOf(refusal) }
}
