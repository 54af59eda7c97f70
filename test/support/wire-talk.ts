// test/support/wire-talk.ts — raw HTTP over a real port, for input that no client library sends.
import { connect, type Socket } from 'node:net'
import type { Shop } from './shop.ts'

export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface WireTalk {
  readonly socket: Socket
  send(text: string | Uint8Array): void
  /** The next answer. Rejects when the other side closes before it is complete. */
  answer(): Promise<WireAnswer>
  /** Resolves when the other side has closed. */
  readonly closed: Promise<void>
}

/** Port of a shop, which starts to listen if it does not yet. */
export async function portOf({ api }: Shop): Promise<number> {
  const address = api.server.address()
  if (typeof address === 'object' && address !== null) return address.port
  return (await api.listen({ host: '127.0.0.1', port: 0 })).port
}

/** Connects to a shop. */
export async function talkTo(shop: Shop): Promise<WireTalk> {
  const socket = connect({ host: '127.0.0.1', port: await portOf(shop) })
  let bytes = Buffer.alloc(0)
  let isClosed = false
  let heard = () => {}
  socket.on('data', chunk => {
    bytes = Buffer.concat([bytes, chunk])
    heard()
  })
  socket.on('error', () => {})
  const closed = new Promise<void>(resolve =>
    socket.once('close', () => {
      isClosed = true
      heard()
      resolve()
    }),
  )
  await new Promise<void>(resolve => socket.once('connect', resolve))
  return {
    socket,
    closed,
    send: text => void socket.write(text),
    async answer() {
      for (;;) {
        const found = takeAnswer(bytes)
        if (found !== null) {
          bytes = Buffer.from(bytes.subarray(found.length))
          return found.answer
        }
        if (isClosed) throw new Error(`closed after ${JSON.stringify(bytes.toString())}`)
        await new Promise<void>(resolve => {
          heard = resolve
        })
      }
    },
  }
}

function takeAnswer(bytes: Buffer): { readonly answer: WireAnswer; readonly length: number } | null {
  const head = bytes.indexOf('\r\n\r\n')
  if (head === -1) return null
  const [first = '', ...lines] = bytes.subarray(0, head).toString('latin1').split('\r\n')
  const headers = Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const end = head + 4 + Number(headers['content-length'] ?? 0)
  if (bytes.length < end) return null
  const body = bytes.subarray(head + 4, end).toString()
  return { answer: { status: Number(first.split(' ')[1]), headers, body }, length: end }
}
