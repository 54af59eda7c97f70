// test/support/wire-frames.ts — WebSocket frames byte by byte, for what no client library would send.
import type { Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Shop } from './shop.ts'
import { talkTo } from './wire-talk.ts'

const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'

export interface FrameTalk {
  readonly socket: Socket
  send(bytes: Uint8Array): void
  /** Resolves to the code of the close frame that the other side sends. */
  readonly closeCode: Promise<number>
  /** Resolves when the line is gone. */
  readonly closed: Promise<void>
}

/** A masked frame. `opcode` holds all bits of the first byte but the last-piece bit; `length` may lie. */
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

/** Connects without a library, and completes the handshake. The close is not answered. */
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

/** Walks over the frames of the other side, which are not masked. */
function closeCodeIn(bytes: Buffer): number | null {
  for (let at = 0; at + 4 <= bytes.length; ) {
    const opcode = bytes.readUInt8(at) & 0x0f
    const short = bytes.readUInt8(at + 1)
    if (opcode === 0x8) return bytes.readUInt16BE(at + 2)
    at += short < 126 ? 2 + short : short === 126 ? 4 + bytes.readUInt16BE(at + 2) : 10 + bytes.readUInt32BE(at + 6)
  }
  return null
}
