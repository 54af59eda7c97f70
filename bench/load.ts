// bench/load.ts — the load: keep-alive connections, each of which sends its next request when its last one is answered.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createAnswerReader } from './answer-reader.ts'

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

/** Opens the connections to a server on this machine. */
export async function openLoad(port: number, connections: number): Promise<Load> {
  const sockets = Array.from({ length: connections }, () => connect({ host: '127.0.0.1', port, noDelay: true }))
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  return {
    async run(order) {
      const startedAt = performance.now()
      let spinning = process.env['SPIN'] === '1'
      const spin = (): void => {
        if (spinning) setImmediate(spin)
      }
      spin()
      const deadline = startedAt + order.limitMs
      const answered = await Promise.all(sockets.map(socket => converse(socket, order, deadline)))
      spinning = false
      return { answered: answered.reduce((sum, count) => sum + count, 0), elapsedMs: performance.now() - startedAt }
    },
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** One request after the other on one connection; resolves to how many were answered. */
function converse(socket: Socket, { next, status, limitMs }: RoundOrder, deadline: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let answered = 0
    const finish = (error: Error | null): void => {
      socket.off('data', onData)
      socket.off('close', onClose)
      if (error === null) resolve(answered)
      else reject(error)
    }
    const send = (): void => {
      const request = limitMs > 0 && performance.now() >= deadline ? null : next()
      if (request === null) finish(null)
      else socket.write(request, 'latin1')
    }
    const read = createAnswerReader((got, text) => {
      if (got !== status) {
        finish(new Error(`answered ${got} instead of ${status}: ${text()}`))
        return
      }
      answered += 1
      send()
    })
    const onData = (chunk: Buffer): void => read(chunk)
    const onClose = (): void => finish(new Error('the server closed a connection'))
    socket.on('data', onData)
    socket.on('close', onClose)
    send()
  })
}
