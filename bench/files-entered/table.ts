// bench/files-entered/table.ts — a table that the till stores, paid with one card.
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { addressOf } from '../socket-load.ts'
import { type Json, type RequestKind, send, TILL } from './request-kind.ts'

const TERMINAL = 'VCMDEMOSIP0'
const TABLE = 'Window 2'
const WAITER = { script: { name: 'one_card', steps: [{ do: 'print_bill' }, { do: 'pay' }] }, table: TABLE }

/** The till's answers to pay-at-table requests. */
const ANSWERS: Json = {
  tableListRequest: { tables: [TABLE], currency: 'GBP' },
  tableLockRequest: { confirmed: true, amount: 6100, currency: 'GBP' },
  posReceiptRequest: { receiptLines: [{ type: 'TEXT', value: '3 x Pizza          61.00' }] },
}

interface Message {
  readonly id?: number
  readonly method: string
  readonly params: Json
}

export const tablePayment: RequestKind = {
  name: 'table-payment',
  window:
    'the till receives `tableListRequest` and answers it; lock, bill and card payment follow; ends when the till receives ' +
    '`tableUnlock`',
  async perform({ url }, measure) {
    const till = await connectTill(Number(new URL(url).port))
    await send(`${url}/sandbox/terminals/${TERMINAL}/waiter`, { headers: TILL, body: WAITER, expected: 202 })
    const first = await till.next()
    const told: string[] = []
    await measure(async () => {
      for (let message = first; message.method !== 'tableUnlock'; message = await till.next()) {
        told.push(message.method)
        till.answer(message)
      }
    })
    if (!told.includes('transactionResponse')) throw new Error(`no payment was told: ${told.join(', ')}`)
    till.close()
  },
}

async function connectTill(port: number) {
  const socket = new WebSocket(addressOf(port).replace('/pac?', '/pat?'))
  const received: Message[] = []
  socket.on('message', data => void received.push(JSON.parse(String(data)) as Message))
  await once(socket, 'open')
  return {
    async next(): Promise<Message> {
      for (;;) {
        const message = received.shift()
        if (message !== undefined) return message
        await once(socket, 'message')
      }
    },
    answer({ id, method }: Message): void {
      if (id !== undefined) socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: ANSWERS[method] }))
    },
    close: () => socket.terminate(),
  }
}
