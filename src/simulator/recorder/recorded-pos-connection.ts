// src/simulator/recorder/recorded-pos-connection.ts — records the pay-at-table requests to a till that stores its own
// tables.
import type { Clocks } from '../../engine/ports/clock.ts'
import type { PosRecorder } from '../../services/tables/pos-recorder.ts'
import type { Recorder } from '../controls.ts'

export function recordPosConnection(recorder: Recorder, clocks: Clocks): PosRecorder {
  const toTill = (what: string, data: unknown) => ({ from: 'gateway', to: 'till', what, data }) as const
  return {
    noteLockRequest({ account, tid, waiterId }, name) {
      const at = clocks.of(account).now()
      const message = toTill('lock', { tid, waiterId, table: name })
      return (tableId, answer) => recorder.noteBeginning(account, tableId, message, at)(answer)
    },
    noteBillRequest({ account, tid, waiterId }, { tableId, name }, which) {
      const message = toTill(which === 'final' ? 'final_bill' : 'bill', { tid, waiterId, table: name })
      return recorder.note(account, tableId, message)
    },
    noteMessage(account, tableId, message) {
      const { type, ...data } = message
      recorder.note(account, tableId, toTill(type, data))
      if (message.type === 'unlock') return
      for (const payment of message.payments)
        if (payment.requestId !== null)
          recorder.note(account, payment.requestId, toTill(type, { ...data, payments: [payment] }))
    },
  }
}
