// test/nodes/running-node.ts — starts nodes as processes, each with a connection to the database that a test can cut.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { bundleServer } from '../../build.ts'
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import type { NodeOrder } from './node-process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Bundles the node's program once. Returns its file. */
export async function builtNode(): Promise<string> {
  const folder = join(ROOT, 'node_modules/.cache/tollgate-nodes', String(process.pid))
  const entries = { node: 'test/nodes/node-process.ts', writer: 'src/store/sqlite/writer.ts' }
  await bundleServer({ root: ROOT, entries, folder })
  return join(folder, 'node.js')
}

export interface RunningNode {
  readonly name: string
  /** Its address; null while it does not listen. */
  readonly url: string | null
  /** Between it and the first host of its database. */
  readonly proxy: TcpProxy
  /** Between it and each host of its database. */
  readonly proxies: readonly TcpProxy[]
  /** What its processes have written to stderr. */
  readonly said: readonly string[]
  /** Starts a process. Resolves when it listens. */
  start(clockOffsetMs?: number): Promise<void>
  kill(): Promise<void>
  /** Stops it in order. @throws Error unless it exits with 0 */
  stop(): Promise<void>
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  close(): Promise<void>
}

export interface NodeOptions extends Omit<NodeOrder, 'clockOffsetMs'> {
  readonly program: string
  readonly directory: string
  readonly databaseUrl: string
  readonly env?: Readonly<Record<string, string>>
}

export async function createNode(options: NodeOptions): Promise<RunningNode> {
  const { program, directory, databaseUrl, env = {}, ...order } = options
  const hosts = [...databaseUrl.matchAll(/127\.0\.0\.1:(\d+)/g)]
  const proxies = await Promise.all(hosts.map(([, port]) => openTcpProxy(Number(port))))
  const [proxy] = proxies
  if (proxy === undefined) throw new Error('the database must be on 127.0.0.1')
  const through = proxies.reduce(
    (url, { port }, index) => url.replace(hosts[index]?.[0] ?? '', `through:${port}`),
    databaseUrl,
  )
  const said: string[] = []
  let child: ChildProcess | null = null
  let url: string | null = null

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const ending = child
    url = null
    child = null
    if (ending === null || ending.exitCode !== null) return ending?.exitCode ?? null
    const closed = once(ending, 'close')
    ending.kill(signal)
    const [code] = (await closed) as [number | null]
    return code
  }

  return {
    name: order.name,
    proxy,
    proxies,
    said,
    get url() {
      return url
    },
    async start(clockOffsetMs = 0) {
      const started = spawn(process.execPath, [program], {
        cwd: ROOT,
        env: {
          ...{ PATH: process.env['PATH'], TZ: 'UTC', PORT: '0', TOLLGATE_LOG_FORMAT: 'json', TOLLGATE_DATA: directory },
          ...{ TOLLGATE_MODE: 'live', TOLLGATE_TRUSTED_PROXY: '127.0.0.1', TOLLGATE_PARTNER_HEADERS: 'accept' },
          ...{
            TOLLGATE_VAULT_KEY: Buffer.alloc(32, 7).toString('base64'),
            DATABASE_URL: through.replaceAll('through:', '127.0.0.1:'),
            ...env,
          },
          NODE_ORDER: JSON.stringify({ ...order, clockOffsetMs } satisfies NodeOrder),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = started
      createInterface({ input: started.stderr }).on('line', line => said.push(line))
      const ended = once(started, 'close').then(() => {
        throw new Error(`${order.name} has ended: ${said.slice(-5).join('\n')}`)
      })
      ended.catch(() => {})
      const [line] = (await Promise.race([once(createInterface({ input: started.stdout }), 'line'), ended])) as [string]
      url = (JSON.parse(line) as { readonly url: string }).url
    },
    kill: async () => void (await end('SIGKILL')),
    async stop() {
      const code = await end('SIGTERM')
      if (code !== 0) throw new Error(`${order.name} exits with ${code}: ${said.slice(-5).join('\n')}`)
    },
    signal: name => void child?.kill(name),
    async close() {
      await end('SIGKILL')
      for (const each of proxies) await each.close()
    },
  }
}
