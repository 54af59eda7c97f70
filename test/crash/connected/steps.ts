// test/crash/connected/steps.ts — counts the packets between the gateway and the programs that it is connected to, and stops at one.

import { openTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'
import { deferred } from '../deferred.ts'

export interface Steps {
  /** A proxy to a port of this machine, whose packets in both directions are steps. */
  open(to: number): Promise<TcpProxy>
  /** Steps so far. */
  readonly count: number
  /** Resolves when the next step with this number, from 1, has come. It and all that follow are lost until `pass`. */
  stopAt(step: number): Promise<void>
  /** From here on everything is passed on. */
  pass(): void
  close(): Promise<void>
}

export function createSteps(): Steps {
  const proxies: TcpProxy[] = []
  let count = 0
  let stop: { readonly at: number; readonly reached: () => void } | null = null

  function passes(): boolean {
    count += 1
    if (stop === null || count < stop.at) return true
    stop.reached()
    return false
  }

  return {
    async open(to) {
      const proxy = await openTcpProxy(to)
      proxy.onClient = passes
      proxy.onServer = passes
      proxies.push(proxy)
      return proxy
    },
    get count() {
      return count
    },
    stopAt(step) {
      const reached = deferred<void>()
      stop = { at: count + step, reached: () => reached.resolve() }
      return reached.promise
    },
    pass() {
      stop = null
    },
    close: async () => void (await Promise.all(proxies.map(proxy => proxy.close()))),
  }
}
