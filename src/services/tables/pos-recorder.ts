// src/services/tables/pos-recorder.ts — what a till that keeps its tables is asked and told, noted for the timelines of the visit and of
// the payments that it is about. In sandbox mode only; secrets are struck out by whoever keeps it.

import type { MerchantAccountId, TableId } from '../../domain/ids.ts'
import type { TillMessage } from '../../domain/tables/pos-message.ts'
import type { PatTable } from '../../domain/tables/table.ts'
import type { TillAnswer } from './pos-connections.ts'
import type { Waiter } from './table-providers.ts'

export interface PosRecorder {
  /**
   * The till is asked for a table. Returns what to call once there is a visit: before that there is nothing that it could
   * be noted of.
   */
  lockAsked(waiter: Waiter, name: string): (tableId: TableId, answer: unknown) => void
  /** The till is asked for a bill. Returns what to call with the answer. */
  billAsked(waiter: Waiter, table: PatTable, which: 'before' | 'final'): (answer: TillAnswer<unknown>) => void
  /** A message has gone out. */
  told(account: MerchantAccountId, tableId: TableId, message: TillMessage): void
}

/** Where nobody listens. */
export const UNHEARD: PosRecorder = {
  lockAsked: () => () => {},
  billAsked: () => () => {},
  told() {},
}
