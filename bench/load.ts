// bench/load.ts — the load: keep-alive connections, each of which sends its next request when its last one is answered.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { answersIn } from './answers-in.ts'

/** Bytes read from a socket at once: the answers measured here are far shorter. */
const CHUNK_BYTES = 16_384

/** Connections opened at once. */
const KNOCKING = 200

/** What one round of load came to. */
export interface Round {
  readonly answered: number
  readonly elapsedMs: number
}

export interface RoundOrder {
  /** The next request, whole; null when there are no more. */
  readonly next: () => string | null
  /** What every answer must be. */
  readonly status: number
  /** No request is sent any more after this time. */
  readonly limitMs: number
}

export interface Load {
  /** Sends requests on all connections until the limit, and waits for the last answer. @throws Error for a wrong answer. */
  run(order: RoundOrder): Promise<Round>
  close(): void
}

/** A connection, and who hears what comes on it. */
export interface Line {
  readonly socket: Socket
  onAnswer: (status: number, text: () => string) => void
}

/**
 * Opens the connections to a server on this machine.
 * @param awake this process does not sleep during a round. To wake it, on another processor, costs a server as much as
 * an answer out of memory, and only one that is slower than the load would have to do it. Not for a server that needs
 * more than one processor: it would be left with half of a machine of two.
 */
export async function openLoad(port: number, connections: number, awake: boolean): Promise<Load> {
  const lines = await openLines(port, connections)
  return {
    async run(order) {
      const startedAt = performance.now()
      const deadline = startedAt + order.limitMs
      const fallAsleep = awake ? stayAwake() : () => {}
      try {
        const answered = await Promise.all(lines.map(line => converse(line, order, deadline)))
        const elapsedMs = performance.now() - startedAt
        return { answered: answered.reduce((sum, count) => sum + count, 0), elapsedMs }
      } finally {
        fallAsleep()
      }
    },
    close() {
      for (const { socket } of lines) socket.destroy()
    },
  }
}

function stayAwake(): () => void {
  let awake = true
  const turn = (): void => {
    if (awake) setImmediate(turn)
  }
  turn()
  return () => {
    awake = false
  }
}

/** Opens so many connections, some at a time: more at once would not fit into the queue of those that knock. */
export async function openLines(port: number, connections: number): Promise<readonly Line[]> {
  const lines: Line[] = []
  while (lines.length < connections) {
    const batch = Math.min(KNOCKING, connections - lines.length)
    lines.push(...(await Promise.all(Array.from({ length: batch }, () => openLine(port)))))
  }
  return lines
}

async function openLine(port: number): Promise<Line> {
  const read = answersIn((status, text) => line.onAnswer(status, text))
  const onread = {
    // One buffer for all that comes: nothing is allocated for an answer.
    buffer: Buffer.allocUnsafe(CHUNK_BYTES),
    callback: (length: number, buffer: Uint8Array): boolean => {
      read(buffer as Buffer, length)
      return true
    },
  }
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread })
  const line: Line = { socket, onAnswer: () => {} }
  // What goes wrong closes the socket, and is noticed when somebody waits for an answer on it.
  socket.on('error', () => {})
  await once(socket, 'connect')
  return line
}

/** One request after the other on one connection; resolves to how many were answered. */
function converse(line: Line, { next, status }: RoundOrder, deadline: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let answered = 0
    const onClose = (): void => reject(new Error('the server closed a connection'))
    const send = (): void => {
      const request = performance.now() >= deadline ? null : next()
      if (request !== null) line.socket.write(request, 'latin1')
      else {
        line.socket.off('close', onClose)
        resolve(answered)
      }
    }
    line.onAnswer = (got, text) => {
      if (got !== status) {
        reject(new Error(`answered ${got} instead of ${status}: ${text()}`))
        return
      }
      answered += 1
      send()
    }
    line.socket.on('close', onClose)
    send()
  })
}
