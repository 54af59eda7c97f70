// bench/load.ts — HTTP load: keep-alive connections; each sends its next request when its last one is answered.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { answersIn } from './answers-in.ts'

/** Size of a read buffer; the measured answers are far shorter. */
const CHUNK_BYTES = 16_384

/** Connections opened at a time. */
const KNOCKING = 200

/** Result of one round. */
export interface Round {
  readonly answered: number
  readonly elapsedMs: number
}

export interface RoundOrder {
  /** Returns the next complete request; null when there are no more. */
  readonly next: () => string | null
  /** Expected status of every answer. */
  readonly status: number
  /** Time after which no more requests are sent, in milliseconds. */
  readonly limitMs: number
}

export interface Load {
  /** Sends requests on all connections until the limit, and waits for the last answer. @throws Error for a wrong answer. */
  run(order: RoundOrder): Promise<Round>
  close(): void
}

/** A connection with the listener for its answers. */
export interface Line {
  readonly socket: Socket
  onAnswer: (status: number, text: () => string) => void
}

/**
 * Opens connections to a server on this machine.
 * @param awake keeps this process busy during a round. Waking it on another processor costs a server as much as an answer from
 * memory, and only a server slower than the load would pay for it. Not for servers that need more than one processor: on a
 * machine with two they would get only half.
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

/** Opens connections in batches: more at a time would not fit into the listen backlog. */
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
    // One buffer per connection, so that no answer allocates one.
    buffer: Buffer.allocUnsafe(CHUNK_BYTES),
    callback: (length: number, buffer: Uint8Array): boolean => {
      read(buffer as Buffer, length)
      return true
    },
  }
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread })
  const line: Line = { socket, onAnswer: () => {} }
  // An error closes the socket; `converse` rejects on that.
  socket.on('error', () => {})
  await once(socket, 'connect')
  return line
}

/** Sends one request after the other on one connection; resolves to the number of answers. */
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
