// src/api/socket/pos-connection.ts — the connection to a POS table provider: sends requests in the version of the till.

import type { TillMessage } from '../../domain/tables/pos-message.ts'
import type { TablePayment } from '../../domain/tables/table.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import {
  type PosConnection,
  type RequestingTerminal,
  TILL_ANSWERS_WITHIN_MS,
} from '../../services/tables/pos-connections.ts'
import type { JsonObject } from '../read/json-body.ts'
import type { Read } from '../read/schema-reader.ts'
import type { PushSchemas, TablePushes } from '../versions/socket-schemas.ts'
import { createPendingRequests, type PendingRequests } from './pending-requests.ts'
import { confirms, readBill, readLock, readTables } from './table-answers.ts'

const SECOND_MS = 1_000

export interface TableConnection extends Pick<PendingRequests, 'reply' | 'end'> {
  readonly connection: PosConnection
}

/**
 * @param send sends a message; returns false when the connection is closed
 * @param wantsFinalBill whether the till connected with the flag `final-pos-receipt-request`
 */
export function createTableConnection(
  clock: Clock,
  pushes: TablePushes,
  send: (message: object) => boolean,
  wantsFinalBill: boolean,
): TableConnection {
  const pending = createPendingRequests(clock, TILL_ANSWERS_WITHIN_MS)

  const request = <Value>(
    form: PushSchemas,
    params: JsonObject,
    read: (result: unknown) => Read<Value>,
    unusable?: (result: unknown) => void,
  ) =>
    pending.request({
      send: id => send({ jsonrpc: '2.0', id, method: form.name, params: form.downgrade(params) }),
      read,
      ...(unusable === undefined ? {} : { unusable }),
    })

  const connection: PosConnection = {
    wantsFinalBill,
    tables: who => request(pushes.tables, paramsOf(who), readTables),
    lock: (who, tableId, tooLate) =>
      request(pushes.lock, { ...paramsOf(who), tableId }, readLock, result => {
        if (confirms(result)) tooLate()
      }),
    bill: (who, tableId, which) =>
      request(which === 'final' ? pushes.finalBill : pushes.bill, { ...paramsOf(who), tableId }, readBill),
    notify(message) {
      const { form, params } = pushOf(pushes, message)
      return send({ jsonrpc: '2.0', method: form.name, params: form.downgrade(params) })
    },
  }
  return { connection, reply: pending.reply, end: pending.end }
}

function paramsOf({ tid, waiterId }: RequestingTerminal): JsonObject {
  return { tid, ...named(waiterId), timeout: TILL_ANSWERS_WITHIN_MS / SECOND_MS }
}

function named(waiterId: string | null): JsonObject {
  return waiterId === null || waiterId === '' ? {} : { waiterId }
}

function pushOf(
  pushes: TablePushes,
  message: TillMessage,
): { readonly form: PushSchemas; readonly params: JsonObject } {
  const { tid, table: tableId } = message
  switch (message.type) {
    case 'unlock':
      return { form: pushes.unlock, params: { tid, tableId } }
    case 'payments': {
      const { waiterId, currency } = message
      const payments = message.payments.map(payment => paymentBody(payment, currency))
      const sum = (name: 'amountPaid' | 'amountGratuity' | 'amountCashback') =>
        payments.reduce((total, each) => total + each[name], 0)
      const sums = {
        amountPaid: sum('amountPaid'),
        amountGratuity: sum('amountGratuity'),
        amountCashback: sum('amountCashback'),
      }
      return { form: pushes.payments, params: { tid, tableId, ...named(waiterId), currency, ...sums, payments } }
    }
  }
}

/** `amountPaid` includes cashback and excludes gratuity. See docs/pay-at-table.md. */
function paymentBody(payment: TablePayment, currency: string) {
  const { paymentId, amountMinor, cashbackMinor, gratuityMinor, paymentMethod, cardSchemeName, authCode } = payment
  return {
    paymentId,
    amountPaid: amountMinor + cashbackMinor,
    amountGratuity: gratuityMinor,
    amountCashback: cashbackMinor,
    currency,
    ...{ paymentMethod, cardSchemeName, authCode },
    time: new Date(payment.takenAt).toISOString().replace(/\.\d{3}Z$/, 'Z'),
  }
}
