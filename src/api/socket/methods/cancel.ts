// src/api/socket/methods/cancel.ts — the JSON-RPC method that cancels a transaction.
import { Type } from 'typebox'
import { outcomeOfCancel, cancelTransaction as requestCancel } from '../../../services/counter/cancel-transaction.ts'
import { type Caller, type MethodOutcome, rpcMethod } from '../method.ts'
import { exactly, TID, TID_ONLY } from '../shapes.ts'

export const cancelTransaction = rpcMethod({
  name: 'cancelTransaction',
  summary: 'Request to cancel the transaction on a terminal',
  description:
    'Also if another client started it. Answered at once; the result of the transaction has the outcome. Possible until a ' +
    'card is presented. Reports cannot be cancelled.',
  params: TID_ONLY,
  result: exactly({ tid: TID, cancelling: Type.Literal(true) }),
  example: { params: { tid: '22160001' }, result: { tid: '22160001', cancelling: true } },
  refusals: ['terminal_unavailable', 'nothing_to_cancel'],
  run: cancel,
})

async function cancel(caller: Caller, { tid }: { readonly tid: string }): Promise<MethodOutcome> {
  const { api, account } = caller
  const live = await api.transactions.liveOn(account.id, tid)
  if (live?.kind !== 'transaction') {
    const terminal = await api.transactions.atCounter(account.id, tid)
    return { refused: { code: terminal === null ? 'terminal_unavailable' : 'nothing_to_cancel', tid } }
  }
  const { requestId: id } = live.transaction
  const answered = api.interceptor.record(caller, id, { what: 'cancelTransaction', params: { tid } })
  const key = { account: account.id, id }
  const cancelled = await requestCancel(api.transactions, key)
  if ('refused' in cancelled) return cancelled
  // The transaction ended between the look-up and the cancel.
  if (cancelled.record.progress === 'finished') return { refused: { code: 'nothing_to_cancel', tid } }
  const result = { tid, cancelling: true }
  answered({ result })
  return {
    result,
    async outcome() {
      const refused = await outcomeOfCancel({ ...api, whenGone: caller.whenGone }, key, tid)
      return refused === null ? { result } : { refused }
    },
  }
}
