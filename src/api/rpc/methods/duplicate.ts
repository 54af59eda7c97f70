// src/api/rpc/methods/duplicate.ts — what a terminal remembers of its last transaction. Seed §2.6; terminal socket
// reference 5.5.
import type { TerminalTransaction } from '../../../domain/terminal-transaction.ts'
import { TERMINAL_TRANSACTION } from '../../../engine/machines.ts'
import type { Soon } from '../../../engine/soon.ts'
import { EXAMPLE_PAYMENT } from '../examples.ts'
import { startAndFollow } from '../follow.ts'
import { type Caller, type RpcAnswer, rpcMethod, type Taken } from '../method.ts'
import { repeatedPaymentOf } from '../payment.ts'
import { REPEATED_PAYMENT, TID_ONLY } from '../shapes.ts'

const EXAMPLE = {
  ...EXAMPLE_PAYMENT,
  receiptLines: { CUSTOMER: [{ value: '** DUPLICATE **', type: 'TEXT', format: ['BOLD'] }] },
}

export const duplicate = rpcMethod({
  name: 'duplicate',
  summary: 'Ask a terminal for its last transaction',
  description:
    'The last one that was processed there, whoever has started it: compare amount, currency, type and time before ' +
    'you believe that it is yours. It needs no card, and takes seconds where the terminal has to be asked: it is not, when ' +
    'it has been asked before, nothing has happened there since, and it leaves printing to the till.',
  params: TID_ONLY,
  result: REPEATED_PAYMENT,
  example: { params: { tid: EXAMPLE.tid }, result: EXAMPLE },
  refusals: ['terminal_unavailable', 'signature_pending', 'terminal_busy', 'nothing_to_repeat', 'terminal_silent'],
  run: ask,
})

/**
 * The terminal is asked, not the store: it alone knows what has happened while its line was down. ADR 10. What it has said
 * already it need not say again. ADR 28.
 */
function ask(caller: Caller, { tid }: { readonly tid: string }): Soon<Taken> {
  const { api, account } = caller
  const told = api.transactions.lastTold.again(account.id, tid)
  return told === null
    ? askTerminal(caller, tid)
    : { again: told, variant: account.timeZone, tell: () => repeatedPaymentOf(told.duplicate, account.timeZone) }
}

async function askTerminal(caller: Caller, tid: string): Promise<Taken> {
  const { api, account, partner } = caller
  const terminal = await api.transactions.atCounter(account.id, tid)
  if (terminal === null) return { refused: { code: 'terminal_unavailable', tid } }
  const note = api.transactions.lastTold.asking(terminal)
  const requestId = api.random.uuid()
  const key = { account: account.id, kind: TERMINAL_TRANSACTION.kind, id: requestId }
  const request = { ...REQUEST, currency: terminal.settings.currency }
  const started = await startAndFollow<TerminalTransaction>(
    caller,
    key,
    ({ progress }) => progress === 'finished',
    () => api.transactions.start({ requestId, account: account.id, tid, request, partner }),
  )
  if ('refused' in started) return started
  const answered = (record: TerminalTransaction | null): RpcAnswer => {
    if (record !== null) note(record)
    return answerOf(record, tid, account.timeZone)
  }
  return { underWay: started.end.then(answered) }
}

const REQUEST = {
  transactionType: 'DUPLICATE',
  amountMinor: 0,
  cashbackMinor: 0,
  cardholderNotPresent: false,
  authCode: null,
  preAuthorisedTotalMinor: null,
} as const

function answerOf(record: TerminalTransaction | null, tid: string, timeZone: string): RpcAnswer {
  if (record?.repeated) return { result: repeatedPaymentOf(record, timeZone) }
  const silent = record === null || record.result === 'TIMED_OUT'
  return { refused: { code: silent ? 'terminal_silent' : 'nothing_to_repeat', tid } }
}
