// src/services/tables/pos-recorder.ts — records exchanges with tills that store their own tables, for timelines in sandbox
// mode. The recorder redacts secrets.

import type { MerchantAccountId, TableId } from '../../domain/ids.ts'
import type { TillMessage } from '../../domain/tables/pos-message.ts'
import type { PatTable } from '../../domain/tables/table.ts'
import type { TillAnswer } from './pos-connections.ts'
import type { Waiter } from './table-providers.ts'

export interface PosRecorder {
  /**
   * A lock request is sent to the till. Returns the function to call once a table session exists, because an exchange is
   * recorded with its session.
   */
  noteLockRequest(waiter: Waiter, name: string): (tableId: TableId, answer: unknown) => void
  /** A bill request is sent to the till. Returns the function to call with the answer. */
  noteBillRequest(waiter: Waiter, table: PatTable, which: 'before' | 'final'): (answer: TillAnswer<unknown>) => void
  /** A message was sent. */
  noteMessage(account: MerchantAccountId, tableId: TableId, message: TillMessage): void
}

/** Records nothing. */
export const NO_POS_RECORDER: PosRecorder = {
  noteLockRequest: () => () => {},
  noteBillRequest: () => () => {},
  noteMessage() {},
}
