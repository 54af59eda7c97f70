// test/support/wire-frames.ts — raw WebSocket frames, for input that no client library sends.
import type { Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Shop } from './shop.ts'
import { talkTo } from './wire-talk.ts'

const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'

export interface FrameTalk {
  readonly socket: Socket
  send(bytes: Uint8Array): void
  /** Resolves to the code of the close frame from the other side. */
  readonly closeCode: Promise<number>
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>
}

/** A masked frame. `opcode`: the first byte without the FIN bit. `length` may differ from the real one. */
export function frame(
  payload: Uint8Array,
  { opcode = 0x1, length = payload.length }: { readonly opcode?: number; readonly length?: number } = {},
): Buffer {
  const first = 0x80 | opcode
  if (length < 126) return Buffer.concat([Buffer.from([first, 0x80 | length, 0, 0, 0, 0]), payload])
  const head = Buffer.alloc(14)
  head.set([first, 0x80 | 127])
  head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, payload])
}

/** Connects without a library and completes the handshake. Does not answer a close frame. */
export async function talkFrames(shop: Shop): Promise<FrameTalk> {
  const talk = await talkTo(shop)
  onTestFinished(() => void talk.socket.destroy())
  talk.send(`GET /pac?token=demo-api-key HTTP/1.1\r\nHost: pay.example\r\n${UPGRADE}\r\n`)
  await talk.answer()
  let heard = Buffer.alloc(0)
  const closeCode = new Promise<number>((resolve, reject) => {
    talk.socket.on('data', chunk => {
      heard = Buffer.concat([heard, chunk])
      const code = closeCodeIn(heard)
      if (code !== null) resolve(code)
    })
    talk.socket.once('close', () => reject(new Error('closed without a word')))
  })
  closeCode.catch(() => {})
  return { socket: talk.socket, send: bytes => void talk.socket.write(bytes), closeCode, closed: talk.closed }
}

/** Code of the close frame, if there is one. Frames from the gateway are not masked. */
function closeCodeIn(bytes: Buffer): number | null {
  for (let at = 0; at + 4 <= bytes.length; ) {
    const opcode = bytes.readUInt8(at) & 0x0f
    const short = bytes.readUInt8(at + 1)
    if (opcode === 0x8) return bytes.readUInt16BE(at + 2)
    at += short < 126 ? 2 + short : short === 126 ? 4 + bytes.readUInt16BE(at + 2) : 10 + bytes.readUInt32BE(at + 6)
  }
  return null
}
