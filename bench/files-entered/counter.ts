// bench/files-entered/counter.ts — sales and polls at the counter, over REST and over a WebSocket.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { addressOf } from '../socket-load.ts'
import { type Json, type RequestKind, send, TILL, until } from './request-kind.ts'

/** Simulated terminal: chip, PIN, approved. */
const TERMINAL = 'VCMDEMOSIP0'
/** Simulated terminal that waits for keys. */
const ATTENDED_TERMINAL = '22160001'
const SALE = { transactionType: 'SALE', amount: 2599, currency: 'GBP' }
/** Time for a whole sale, in milliseconds; at the pace of the measurement it takes less than half of it. */
const WHOLE_SALE_MS = 6_000

export const sale: RequestKind = {
  name: 'sale',
  window: 'POST of a sale over REST until its 201',
  async perform({ url }, measure) {
    let location = ''
    await measure(async () => {
      location = await startSale(url, TERMINAL)
    })
    await until('the end of a sale', () => finished(location))
  },
}

export const wholeSale: RequestKind = {
  name: 'whole-sale',
  window: 'POST of a sale over REST until TRANSACTION_FINISHED, without a poll',
  async perform({ url }, measure) {
    let location = ''
    await measure(async () => {
      location = await startSale(url, TERMINAL)
      // Waits for a fixed time, because a poll would enter files too.
      await sleep(WHOLE_SALE_MS)
    })
    if ((await finished(location)) === null) throw new Error('the sale took longer than the measurement')
  },
}

export const poll: RequestKind = {
  name: 'poll',
  window: 'GET of a running sale until its 200',
  async perform({ url }, measure) {
    const location = await startSale(url, ATTENDED_TERMINAL)
    await until('PRESENT_CARD', async () => ((await read(location)).includes('PRESENT_CARD') ? true : null))
    await measure(() => read(location))
    await fetch(location, { method: 'DELETE', headers: TILL })
    await until('the end of a cancelled sale', () => finished(location))
  },
}

export const socketSale: RequestKind = {
  name: 'socket-sale',
  window: 'message `sale` on an open WebSocket until its answer, which is the result of the transaction',
  async perform({ url }, measure) {
    const socket = new WebSocket(addressOf(Number(new URL(url).port)))
    await once(socket, 'open')
    const params = { tid: TERMINAL, amount: SALE.amount, currency: SALE.currency }
    await measure(async () => {
      const answered = answerOn(socket)
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sale', params }))
      const { transactionResult } = await answered
      if (transactionResult !== 'SUCCESSFUL') throw new Error(`the sale ended with ${String(transactionResult)}`)
    })
    socket.close()
    await once(socket, 'close')
  },
}

async function startSale(url: string, tid: string): Promise<string> {
  const text = await send(`${url}/pac/terminals/${tid}/transactions`, { headers: TILL, body: SALE, expected: 201 })
  return String((JSON.parse(text) as Json)['location'])
}

function read(location: string): Promise<string> {
  return send(location, { headers: TILL, expected: 200 })
}

async function finished(location: string): Promise<true | null> {
  return (await read(location)).includes('TRANSACTION_FINISHED') ? true : null
}

function answerOn(socket: WebSocket): Promise<Json> {
  return new Promise((resolve, reject) => {
    socket.on('message', data => {
      const message = JSON.parse(String(data)) as Json
      if (message['id'] === undefined) return
      if (message['result'] === undefined) reject(new Error(String(data)))
      else resolve(message['result'] as Json)
    })
  })
}
