// src/cli/simulate-options.ts — options that the simulated programs share, and how they end.
import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import { Failure } from './failure.ts'
import type { Shell } from './shell.ts'

export function port(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (value <= 65_535) return value
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.')
}

export function textFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new InvalidArgumentError('It must be a file that can be read.')
  }
}

/** Certificate and key, PEM; null without both. @throws Failure when one is missing */
export function tlsOf({ tlsCert, tlsKey }: { readonly tlsCert?: string; readonly tlsKey?: string }) {
  if ((tlsCert === undefined) !== (tlsKey === undefined)) throw new Failure('TLS needs both --tls-cert and --tls-key.')
  return tlsCert === undefined || tlsKey === undefined ? null : { cert: tlsCert, key: tlsKey }
}

/** Waits for the end of a simulated program, and closes it. */
export async function untilStopped(
  { stdin }: Shell,
  stopping: Promise<unknown>,
  { untilStdinEnds, close }: { readonly untilStdinEnds: boolean; readonly close: () => Promise<void> },
): Promise<void> {
  const ended = new Promise<void>(resolve => {
    if (untilStdinEnds) void stdin.on('end', () => resolve()).resume()
  })
  await Promise.race([stopping, ended])
  // Reading it keeps the process alive.
  stdin.destroy()
  await close()
}
