// test/support/acquirer-host.ts — starts an acquirer's host as a process, and the dialect that it speaks.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { BUILT_IN_DIALECTS } from '../../src/acquirers/iso8583/built-in.ts'
import { type Dialect, readDialect } from '../../src/acquirers/iso8583/dialect.ts'
import type { DialectDocument } from '../../src/acquirers/iso8583/dialect-schema.ts'
import { readStrictly } from '../../src/api/read/strict-document.ts'
import type { Deed, HostOrder } from '../peer/acquirer-host-ascii/server.ts'

const PROGRAM = fileURLToPath(new URL('../peer/acquirer-host-ascii/server.ts', import.meta.url))
/** For the other process, in milliseconds. */
const PATIENCE_MS = 20_000

export type HostFields = Readonly<Record<string, string>>

export interface AcquirerHost {
  /** Begins anew, and returns the port. */
  open(order?: HostOrder): Promise<number>
  /** Refuses connections from now on. */
  close(): Promise<void>
  change(order: HostOrder): Promise<void>
  /** What happens to the next messages of a type. */
  deeds(mti: string, ...deeds: readonly Deed[]): Promise<void>
  /** Closes all connections. */
  cut(): Promise<void>
  release(order?: readonly number[]): Promise<void>
  /** Sends a request of the host. */
  ask(fields: HostFields): Promise<void>
  /** Messages of a type that have come; all without one. */
  seen(mti?: string): Promise<readonly HostFields[]>
  connections(): Promise<number>
  held(): Promise<number>
  /** Money that a transaction has moved, by terminal, audit number and local time. */
  money(key: string): Promise<number>
  book(): Promise<{ readonly total: number; readonly repeats: number }>
  end(): Promise<void>
}

/** Starts the process. */
export async function startAcquirerHost(): Promise<AcquirerHost> {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [control] = (await once(createInterface(child.stdout), 'line')) as [string]
  const order = async <Result>(name: string, body: object): Promise<Result> => {
    const response = await fetch(`http://127.0.0.1:${control}/${name}`, { method: 'POST', body: JSON.stringify(body) })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as Result
  }
  const state = () => order<{ seen: HostFields[]; connections: number; held: number }>('seen', {})
  return {
    open: async (given = {}) => (await order<{ port: number }>('open', given)).port,
    close: () => order('close', {}),
    change: given => order('change', given),
    deeds: (mti, ...deeds) => order('deeds', { mti, deeds }),
    cut: () => order('cut', {}),
    release: given => order('release', given === undefined ? {} : { order: given }),
    ask: fields => order('ask', fields),
    seen: async mti => (await state()).seen.filter(fields => mti === undefined || fields['0'] === mti),
    connections: async () => (await state()).connections,
    held: async () => (await state()).held,
    money: async key => (await order<{ minor: number }>('money', { key })).minor,
    book: () => order('book', {}),
    async end() {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

/** Asks again until something is true that another process brings about. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const asked = { timeout: PATIENCE_MS, interval: 5, message: `this did not come: ${what}` }
  await expect.poll(async () => condition(), asked).toBe(true)
}

/** The dialect of the host: that of the program with the framing and the bitmap that iso_8583 has. */
export function hostDialect(changes: Partial<DialectDocument> = {}): Dialect {
  return dialectOf(hostDocument(changes))
}

/** The dialect of a document. */
export function dialectOf(document: DialectDocument): Dialect {
  const read = readDialect(document, readStrictly)
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return read.dialect
}

export function hostDocument(changes: Partial<DialectDocument> = {}): DialectDocument {
  const base = BUILT_IN_DIALECTS['plain-87-ascii'] as DialectDocument
  return {
    ...base,
    ...{ name: 'test-host', framing: { length: 'binary2', maxBytes: 4_096 }, bitmap: 'raw', alwaysSecondary: true },
    ...{ examples: [], ...changes },
  }
}
