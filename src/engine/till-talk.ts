// src/engine/till-talk.ts — what a till that keeps its tables is asked and told, noted for the timelines of the visit and of
// the payments that it is about. In sandbox mode only; secrets are struck out by whoever keeps it.
import type { PatTable } from '../domain/table.ts'
import type { TillMessage } from '../domain/till-message.ts'
import type { Clocks } from './ports.ts'
import type { Recorder } from './sandbox/ports.ts'
import type { Waiter } from './table-hosts.ts'
import type { TillAnswer } from './till-lines.ts'

export interface TillTalk {
  /**
   * The till is asked for a table. Returns what to call once there is a visit: before that there is nothing that it could
   * be noted of.
   */
  lockAsked(waiter: Waiter, name: string): (tableId: string, answer: unknown) => void
  /** The till is asked for a bill. Returns what to call with the answer. */
  billAsked(waiter: Waiter, table: PatTable, which: 'before' | 'final'): (answer: TillAnswer<unknown>) => void
  /** A message has gone out. */
  told(account: string, tableId: string, message: TillMessage): void
}

/** Where nobody listens. */
export const UNHEARD: TillTalk = {
  lockAsked: () => () => {},
  billAsked: () => () => {},
  told() {},
}

/** Notes what is said. */
export function overheardTill(recorder: Recorder, clocks: Clocks): TillTalk {
  const toTill = (what: string, data: unknown) => ({ from: 'gateway', to: 'till', what, data }) as const
  return {
    lockAsked({ account, tid, waiterId }, name) {
      const at = clocks.of(account).now()
      const said = toTill('lock', { tid, waiterId, table: name })
      return (tableId, answer) => recorder.noteBeginning(account, tableId, said, at)(answer)
    },
    billAsked({ account, tid, waiterId }, { tableId, name }, which) {
      const said = toTill(which === 'final' ? 'final_bill' : 'bill', { tid, waiterId, table: name })
      return recorder.note(account, tableId, said)
    },
    told(account, tableId, message) {
      const { type, ...data } = message
      recorder.note(account, tableId, toTill(type, data))
      if (message.type === 'unlock') return
      for (const payment of message.payments)
        if (payment.requestId !== null)
          recorder.note(account, payment.requestId, toTill(type, { ...data, payments: [payment] }))
    },
  }
}
