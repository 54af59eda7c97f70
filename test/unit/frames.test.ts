// test/unit/frames.test.ts — what goes over the line is read by the library of the other side as the message that it was.
import { deepEqual, equal } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterAll, beforeAll, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { frameOf, Kept } from '../../src/api/rpc/frames.ts'

let server: Server
let wire: Duplex
let till: WebSocket

beforeAll(async () => {
  const sockets = new WebSocketServer({ noServer: true })
  server = createServer().on('upgrade', (request, socket, head) => {
    wire = socket
    sockets.handleUpgrade(request, socket, head, () => {})
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  till = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await once(till, 'open')
})

afterAll(() => {
  till.terminate()
  server.close()
})

/** So many messages out of some frames, as `ws` hears them. */
function heard(frames: string, count: number): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    const messages: unknown[] = []
    till.removeAllListeners('message')
    till.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) reject(new Error('a binary frame'))
      messages.push(JSON.parse(data.toString('utf8')))
      if (messages.length === count) resolve(messages)
    })
    till.removeAllListeners('error')
    till.on('error', reject)
    wire.write(frames, 'latin1')
  })
}

/** A message whose JSON has so many bytes. */
function ofLength(bytes: number): object {
  return { a: 'x'.repeat(bytes - JSON.stringify({ a: '' }).length) }
}

for (const bytes of [8, 125, 126, 127, 255, 256, 32_768, 65_535, 65_536, 65_537, 300_000])
  test(`a message of ${bytes} bytes`, async () => {
    const message = ofLength(bytes)
    equal(JSON.stringify(message).length, bytes)
    deepEqual(await heard(frameOf(message), 1), [message])
  })

const WORDS = ['plain', 'Café £4.50', 'zł 12 €', '東京', '😀', '\u0000\u001f\u007f\u0080\u00ff', 'é'.repeat(63)]

for (const word of WORDS)
  test(`the word ${JSON.stringify(word)}, as news and as what is told again`, async () => {
    const news = { jsonrpc: '2.0', method: 'terminalNotification', params: { word } }
    const result = { word, amount: 1250 }
    const reply = { jsonrpc: '2.0', id: 999_999, result }
    const again = { ...reply, result: new Kept(result, {}, 'Europe/London') }
    deepEqual(await heard(frameOf(news), 1), [news])
    equal(frameOf(again), frameOf(reply))
    equal(JSON.stringify(again), JSON.stringify(reply))
    // One behind the other, as they leave when a turn has several.
    deepEqual(await heard(frameOf(news) + frameOf(again), 2), [news, reply])
  })
