// test/upgrade/fixture.ts — reads and writes the files under v0.1: the data directory and its manifest.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Json } from './maker/gateway.ts'

/** The data directory after SIGKILL, one compressed file for each of its files. Its keys guard nothing but test data. */
const VERSION_0_1 = fileURLToPath(new URL('v0.1', import.meta.url))
const PACKED = '.br'
const FILES = 'directory'

/** An account, with what its programs show to the gateway. */
export interface Credentials {
  readonly account: string
  readonly apiKey: string
  /** Of its web shop; null: it has none. */
  readonly jwt: string | null
}

/** A request, in the name of an account. */
export interface Question {
  readonly account: string
  readonly by: 'apiKey' | 'jwt'
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: Json
  readonly headers?: Readonly<Record<string, string>>
  /** Time that passes before it is asked, milliseconds. */
  readonly afterMs?: number
}

/** What the data directory itself does not say. */
export interface Manifest {
  readonly program: string
  /** When the program was killed, epoch milliseconds. */
  readonly killedAt: number
  /** What the clock of each account showed then. */
  readonly clocks: Readonly<Record<string, number>>
  readonly credentials: readonly Credentials[]
  /** Access tokens by account: no record holds them in clear. */
  readonly tokens: Readonly<Record<string, readonly string[]>>
  /** What is asked when the directory has just been taken over: what was under way goes on. */
  readonly actions: readonly Question[]
  /** What is asked when everything has come to its end. */
  readonly questions: readonly Question[]
}

/** Compresses a data directory into the fixture, without the files that SQLite makes at each start. */
export function packDirectory(directory: string): void {
  const folder = join(VERSION_0_1, FILES)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(directory))
    if (!/-shm$|-journal$|\.lock$/.test(name))
      writeFileSync(join(folder, name + PACKED), packed(readFileSync(join(directory, name))))
}

/** Makes a copy of the data directory; the caller removes it. */
export function unpackDirectory(): string {
  const copy = mkdtempSync(join(tmpdir(), 'tollgate-upgrade-'))
  const folder = join(VERSION_0_1, FILES)
  for (const name of readdirSync(folder))
    writeFileSync(join(copy, name.slice(0, -PACKED.length)), brotliDecompressSync(readFileSync(join(folder, name))), {
      mode: 0o600,
    })
  return copy
}

/** Copies a directory while nothing writes to it: the state that SIGKILL leaves at this moment. */
export function copyDirectory(directory: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'tollgate-upgrade-'))
  for (const name of readdirSync(directory))
    if (!/-shm$|-journal$|\.lock$/.test(name)) copyFileSync(join(directory, name), join(copy, name))
  return copy
}

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(VERSION_0_1, 'manifest.json'), 'utf8')) as Manifest
}

/** A question a line. */
export function writeManifest({ questions, actions, ...made }: Manifest): void {
  const lines = (list: readonly Question[]) => `[\n${list.map(each => `    ${JSON.stringify(each)}`).join(',\n')}\n  ]`
  const head = JSON.stringify(made, null, 2).replace(/\n\}$/, '')
  const text = `${head},\n  "actions": ${lines(actions)},\n  "questions": ${lines(questions)}\n}\n`
  writeFileSync(join(VERSION_0_1, 'manifest.json'), text)
}

/** Recorded by `record-manifest.ts`. */
export type RecordedName = 'records-at-kill' | 'records-of-snapshot' | 'answers' | 'end'

export function readRecorded<T>(name: RecordedName): T {
  return JSON.parse(
    brotliDecompressSync(readFileSync(join(VERSION_0_1, `${name}.json${PACKED}`))).toString('utf8'),
  ) as T
}

export function writeRecorded(name: RecordedName, value: unknown): void {
  writeFileSync(join(VERSION_0_1, `${name}.json${PACKED}`), packed(Buffer.from(JSON.stringify(value))))
}

/** The window spans the whole file: a write-ahead log repeats its pages. */
function packed(bytes: Buffer): Buffer {
  const { BROTLI_PARAM_LGWIN, BROTLI_MAX_WINDOW_BITS, BROTLI_PARAM_SIZE_HINT } = constants
  const params = { [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS, [BROTLI_PARAM_SIZE_HINT]: bytes.length }
  return brotliCompressSync(bytes, { params })
}
