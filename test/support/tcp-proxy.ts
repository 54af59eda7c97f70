// test/support/tcp-proxy.ts — a TCP proxy that a test cuts, stalls and listens to.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { freePort } from './free-port.ts'

export interface TcpProxy {
  readonly port: number
  /** Ends all connections by a reset. */
  cut(): void
  /** From now on nothing is passed on, in either direction, and connections stay open: a half-open network. */
  stall(): void
  /** Passes on what was held, and what follows. */
  resume(): void
  /** Leaves the connections as they are, silent, and passes on those that follow. */
  forget(): void
  /** Accepts no connections until `listen`. Cuts the open ones. */
  refuse(): Promise<void>
  listen(): Promise<void>
  /** Sees the bytes of clients before the server does. Returns whether to pass them on. */
  onClient: (bytes: Buffer, cut: () => void) => boolean
  /** Sees the bytes of the server before clients do. Returns whether to pass them on. */
  onServer: (bytes: Buffer, cut: () => void) => boolean
  /** Resolves when bytes of a client with this text have arrived. */
  seen(text: string): Promise<void>
  close(): Promise<void>
}

/** Opens a proxy on any free port to a port of this machine. */
export async function openTcpProxy(to: number): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  const watchers = new Set<{ readonly text: string; readonly found: () => void }>()
  let held: (() => void)[] | null = null
  /** Grows when the connections so far are to stay silent. */
  let era = 0

  const server = createServer(client => {
    const mine = era
    const pass = (send: () => void) => {
      if (held !== null) held.push(send)
      else if (mine === era) send()
    }
    const upstream = connect(to, '127.0.0.1')
    const pair = [client, upstream] as const
    pairs.add(pair)
    const end = () => {
      if (mine !== era) return
      pairs.delete(pair)
      for (const socket of pair) socket.destroy()
    }
    const cutPair = () => {
      pairs.delete(pair)
      for (const socket of pair) socket.resetAndDestroy()
    }
    for (const socket of pair) socket.setNoDelay().on('error', end).on('close', end)
    client.on('data', bytes => {
      for (const watcher of watchers)
        if (bytes.includes(watcher.text)) {
          watchers.delete(watcher)
          watcher.found()
        }
      pass(() => proxy.onClient(bytes, cutPair) && upstream.write(bytes))
    })
    upstream.on('data', bytes => pass(() => proxy.onServer(bytes, cutPair) && client.write(bytes)))
  })

  function cut(): void {
    for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy()
    pairs.clear()
  }

  async function open(port: number): Promise<number> {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }

  // It closes and comes back, so nobody else may get the port meanwhile.
  const port = await open(await freePort())
  const proxy: TcpProxy = {
    port,
    cut,
    stall: () => {
      held ??= []
    },
    resume() {
      const sends = held ?? []
      held = null
      for (const send of sends) send()
    },
    forget() {
      era += 1
      held = null
    },
    async refuse() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
    listen: async () => void (await open(port)),
    onClient: () => true,
    onServer: () => true,
    seen: text => new Promise(found => watchers.add({ text, found })),
    async close() {
      cut()
      if (server.listening) await proxy.refuse()
    },
  }
  return proxy
}
