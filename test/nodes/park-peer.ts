// test/nodes/park-peer.ts — calls in both directions over one connection between a node and the terminal park: a line of JSON each.
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'

type Handler = (...args: never[]) => unknown

interface Line {
  readonly id: number
  /** Absent in answers. */
  readonly call?: string
  readonly args?: readonly unknown[]
  readonly value?: unknown
  readonly error?: string
}

export interface Peer {
  /** Calls the other side. Rejects with its error, and when it does not answer within `limitMs` milliseconds or is gone. */
  call<T>(name: string, args: readonly unknown[], limitMs?: number): Promise<T>
}

/** Silence of a node that is stopped, as its terminals see it. */
const LIMIT_MS = 3_000

export function createPeer(socket: Socket, handlers: Readonly<Record<string, Handler>>): Peer {
  const waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>()
  let calls = 0
  const send = (line: Line) => void (socket.writable && socket.write(`${JSON.stringify(line)}\n`))

  async function answer({ id, call = '', args = [] }: Line): Promise<void> {
    try {
      const handler = handlers[call]
      if (handler === undefined) throw new Error(`there is no ${call}`)
      const value = await handler(...(args as never[]))
      send({ id, ...(value === undefined ? {} : { value }) })
    } catch (error) {
      send({ id, error: String(error) })
    }
  }

  const lines = createInterface({ input: socket })
  // It passes on the errors of its input.
  lines.on('error', () => {})
  lines.on('line', text => {
    const line = JSON.parse(text) as Line
    if (line.call !== undefined) return void answer(line)
    const waiter = waiting.get(line.id)
    waiting.delete(line.id)
    if (line.error === undefined) waiter?.resolve(line.value as never)
    else waiter?.reject(new Error(line.error))
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the connection has ended'))
    waiting.clear()
  })
  return {
    call: (call, args, limitMs = LIMIT_MS) =>
      new Promise((resolve, reject) => {
        const id = ++calls
        if (socket.destroyed) return reject(new Error('the connection has ended'))
        const late = setTimeout(() => {
          waiting.delete(id)
          reject(new Error(`no answer to ${call}`))
        }, limitMs)
        const end =
          <Value>(settle: (value: Value) => void) =>
          (value: Value) => {
            clearTimeout(late)
            settle(value)
          }
        waiting.set(id, { resolve: end(resolve), reject: end(reject) })
        send({ id, call, args })
      }),
  }
}
