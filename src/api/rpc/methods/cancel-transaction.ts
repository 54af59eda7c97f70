// src/api/rpc/methods/cancel-transaction.ts — a till asks a terminal to stop. Terminal socket reference 5.6.
import { Type } from 'typebox'
import type { TerminalTransaction } from '../../../domain/terminal-transaction.ts'
import { TERMINAL_TRANSACTION } from '../../../engine/machines.ts'
import { isSettled, LONGEST_CANCEL_WAIT_MS, refusalOfCancel } from '../../cancel-outcome.ts'
import { follow } from '../follow.ts'
import { type Caller, type RpcAnswer, rpcMethod, type Taken } from '../method.ts'
import { exactly, TID, TID_ONLY } from '../shapes.ts'

export const cancelTransaction = rpcMethod({
  name: 'cancelTransaction',
  summary: 'Ask to cancel what runs on a terminal',
  description:
    'Whoever has started it. Answered at once; whether it worked is told by the result of the transaction. A cancel ' +
    'is obeyed until a card was presented. Reports cannot be cancelled.',
  params: TID_ONLY,
  result: exactly({ tid: TID, cancelling: Type.Literal(true) }),
  example: { params: { tid: '22160001' }, result: { tid: '22160001', cancelling: true } },
  refusals: ['terminal_unavailable', 'nothing_to_cancel'],
  run: cancel,
})

async function cancel(caller: Caller, { tid }: { readonly tid: string }): Promise<Taken> {
  const { api, account } = caller
  const live = await api.transactions.liveOn(account.id, tid)
  if (live?.kind !== 'transaction') {
    const terminal = await api.transactions.atCounter(account.id, tid)
    return { refused: { code: terminal === null ? 'terminal_unavailable' : 'nothing_to_cancel', tid } }
  }
  const { requestId } = live.transaction
  const answered = api.interceptor.call(caller, requestId, 'cancelTransaction', { tid })
  const executed = await api.transactions.execute({ account: account.id, id: requestId }, { type: 'cancel' })
  if ('refused' in executed) return executed
  // It ended between the look and the wish.
  if (!('record' in executed) || executed.record.progress === 'finished')
    return { refused: { code: 'nothing_to_cancel', tid } }
  const result = { tid, cancelling: true }
  answered({ result })
  return { result, outcome: () => outcomeOf(caller, requestId, result) }
}

async function outcomeOf(caller: Caller, requestId: string, result: { readonly tid: string }): Promise<RpcAnswer> {
  const { api, account } = caller
  const key = { account: account.id, kind: TERMINAL_TRANSACTION.kind, id: requestId }
  const settled = follow<TerminalTransaction>(caller, key, isSettled)
  const alarm = api.clock.alarm(api.clock.now() + LONGEST_CANCEL_WAIT_MS, settled.stop)
  try {
    // What has been decided before anybody listened is found by looking.
    const entry = await api.engine.read(TERMINAL_TRANSACTION, key)
    const record = entry !== null && isSettled(entry.record) ? entry.record : await settled.end
    const refused = refusalOfCancel(record, result.tid)
    return refused === null ? { result } : { refused }
  } finally {
    alarm.cancel()
    settled.stop()
  }
}
