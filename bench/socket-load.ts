// bench/socket-load.ts — WebSocket load: each till sends its next request when its last one is answered.
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Load, RoundOrder } from './load.ts'
import { API_KEY } from './terminals.ts'

/** Bytes of a message that are inspected. No more, because the load must cost less than what it measures. */
const HEAD = 48

/** Handshakes at a time. */
const BATCH = 100

/** Address for a till's connection, with the current version and partner ids. */
export function addressOf(port: number, key = API_KEY): string {
  const query = new URLSearchParams({
    token: key,
    'api-version': 'v1',
    'software-house-id': 'bench',
    'installer-id': 'bench',
  })
  return `ws://127.0.0.1:${port}/pac?${query}`
}

/** Opens connections in batches. */
export async function openSockets(addresses: readonly string[]): Promise<readonly WebSocket[]> {
  const sockets: WebSocket[] = []
  for (let from = 0; from < addresses.length; from += BATCH) {
    const batch = addresses
      .slice(from, from + BATCH)
      .map(address => new WebSocket(address, { perMessageDeflate: false, skipUTF8Validation: true }))
    await Promise.all(batch.map(socket => once(socket, 'open')))
    sockets.push(...batch)
  }
  return sockets
}

export interface SocketLoad extends Load {
  /** Number of pushed messages (without an id) so far. */
  readonly pushed: number
}

/**
 * A load over open connections, which other loads may also use, one after the other. Only time limits it.
 * @param messageOf returns the request that connection number `index` repeats
 */
export function socketLoad(sockets: readonly WebSocket[], messageOf: (index: number) => string): SocketLoad {
  let pushed = 0
  return {
    async run({ limitMs }: Pick<RoundOrder, 'limitMs'>) {
      const startedAt = performance.now()
      const deadline = startedAt + limitMs
      const heardPush = (): void => {
        pushed += 1
      }
      const answered = await Promise.all(
        sockets.map((socket, index) => converse(socket, messageOf(index), deadline, heardPush)),
      )
      return { answered: answered.reduce((sum, count) => sum + count, 0), elapsedMs: performance.now() - startedAt }
    },
    close() {
      for (const socket of sockets) socket.terminate()
    },
    get pushed() {
      return pushed
    },
  }
}

/** Sends one request after the other on one connection; resolves to the number of answers. */
function converse(socket: WebSocket, message: string, deadline: number, heardPush: () => void): Promise<number> {
  return new Promise((resolve, reject) => {
    let answered = 0
    const onClose = (code: number, reason: Buffer): void =>
      reject(new Error(`the server closed a connection: ${code} ${reason.toString()}`))
    const onMessage = (data: Buffer): void => {
      const head = data.toString('latin1', 0, HEAD)
      if (!head.includes('"id":')) {
        heardPush()
        return
      }
      if (head.includes('"error":')) {
        reject(new Error(`answered with an error: ${data.toString()}`))
        return
      }
      answered += 1
      send()
    }
    const send = (): void => {
      if (performance.now() < deadline) socket.send(message)
      else {
        socket.off('message', onMessage)
        socket.off('close', onClose)
        resolve(answered)
      }
    }
    socket.on('message', onMessage)
    socket.on('close', onClose)
    send()
  })
}
