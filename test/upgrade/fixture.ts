// test/upgrade/fixture.ts — reads and writes the files under v0.1: the data directory and its manifest.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Json } from './maker/gateway.ts'

/** The data directory after SIGKILL, each file compressed. Its keys protect only test data. */
const VERSION_0_1 = fileURLToPath(new URL('v0.1', import.meta.url))
const PACKED = '.br'
const FILES = 'directory'

/** An account with its credentials. */
export interface Credentials {
  readonly account: string
  readonly apiKey: string
  /** JWT of its web shop; null without one. */
  readonly jwt: string | null
}

/** A request on behalf of an account. */
export interface Question {
  readonly account: string
  readonly by: 'apiKey' | 'jwt'
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: Json
  readonly headers?: Readonly<Record<string, string>>
  /** Time to advance before the request, milliseconds. */
  readonly afterMs?: number
}

/** Facts that the data directory does not contain. */
export interface Manifest {
  readonly program: string
  /** Time of the kill, epoch milliseconds. */
  readonly killedAt: number
  /** Time on each account's clock at the kill. */
  readonly clocks: Readonly<Record<string, number>>
  readonly credentials: readonly Credentials[]
  /** Access tokens by account. Records hold only their hashes. */
  readonly tokens: Readonly<Record<string, readonly string[]>>
  /** Requests right after the take-over, which continue unfinished work. */
  readonly actions: readonly Question[]
  /** Requests after all work has ended. */
  readonly questions: readonly Question[]
}

/** Compresses a data directory into the fixture, without the files that SQLite recreates at each start. */
export function packDirectory(directory: string): void {
  const folder = join(VERSION_0_1, FILES)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(directory))
    if (!/-shm$|-journal$|\.lock$/.test(name))
      writeFileSync(join(folder, name + PACKED), packed(readFileSync(join(directory, name))))
}

/** Unpacks a copy of the data directory. The caller removes it. */
export function unpackDirectory(): string {
  const copy = mkdtempSync(join(tmpdir(), 'tollgate-upgrade-'))
  const folder = join(VERSION_0_1, FILES)
  for (const name of readdirSync(folder))
    writeFileSync(join(copy, name.slice(0, -PACKED.length)), brotliDecompressSync(readFileSync(join(folder, name))), {
      mode: 0o600,
    })
  return copy
}

/** Copies a directory while nothing writes to it: the state that SIGKILL would leave now. */
export function copyDirectory(directory: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'tollgate-upgrade-'))
  for (const name of readdirSync(directory))
    if (!/-shm$|-journal$|\.lock$/.test(name)) copyFileSync(join(directory, name), join(copy, name))
  return copy
}

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(VERSION_0_1, 'manifest.json'), 'utf8')) as Manifest
}

/** Writes the manifest with one request per line. */
export function writeManifest({ questions, actions, ...made }: Manifest): void {
  const lines = (list: readonly Question[]) => `[\n${list.map(each => `    ${JSON.stringify(each)}`).join(',\n')}\n  ]`
  const head = JSON.stringify(made, null, 2).replace(/\n\}$/, '')
  const text = `${head},\n  "actions": ${lines(actions)},\n  "questions": ${lines(questions)}\n}\n`
  writeFileSync(join(VERSION_0_1, 'manifest.json'), text)
}

/** Written by `record-manifest.ts`. */
export type RecordedName = 'records-at-kill' | 'records-of-snapshot' | 'answers' | 'end'

export function readRecorded<T>(name: RecordedName): T {
  return JSON.parse(
    brotliDecompressSync(readFileSync(join(VERSION_0_1, `${name}.json${PACKED}`))).toString('utf8'),
  ) as T
}

export function writeRecorded(name: RecordedName, value: unknown): void {
  writeFileSync(join(VERSION_0_1, `${name}.json${PACKED}`), packed(Buffer.from(JSON.stringify(value))))
}

/** The window covers the whole file: a write-ahead log repeats its pages. */
function packed(bytes: Buffer): Buffer {
  const { BROTLI_PARAM_LGWIN, BROTLI_MAX_WINDOW_BITS, BROTLI_PARAM_SIZE_HINT } = constants
  const params = { [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS, [BROTLI_PARAM_SIZE_HINT]: bytes.length }
  return brotliCompressSync(bytes, { params })
}
