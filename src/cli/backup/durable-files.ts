// src/cli/backup/durable-files.ts — copies and syncs files, with the SHA-256 of what was copied.
import { createHash } from 'node:crypto'
import { closeSync, createReadStream, fsyncSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'

export interface Digest {
  readonly bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** Called with the bytes done so far. What it throws ends the work. */
export type OnBytes = (bytes: number) => void

/** Bytes read at a time. */
const SLICE_BYTES = 1_048_576

/** Reads a file to its end. @throws errors of the file system; what `onBytes` throws */
export async function digestOf(file: string, onBytes: OnBytes): Promise<Digest> {
  return digesting(file, onBytes, async () => {})
}

/**
 * Copies a file to a new one that only its owner can read, and syncs it. Returns the digest of what was written.
 * @throws errors of the file system, also when `to` exists; what `onBytes` throws
 */
export async function copyDurably(from: string, to: string, onBytes: OnBytes): Promise<Digest> {
  const target = await open(to, 'wx', 0o600)
  try {
    // Each call goes on where the one before ended.
    const digest = await digesting(from, onBytes, slice => target.writeFile(slice))
    await target.sync()
    return digest
  } finally {
    await target.close()
  }
}

async function digesting(file: string, onBytes: OnBytes, use: (slice: Buffer) => Promise<void>): Promise<Digest> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const slice of createReadStream(file, { highWaterMark: SLICE_BYTES }) as AsyncIterable<Buffer>) {
    hash.update(slice)
    await use(slice)
    bytes += slice.length
    onBytes(bytes)
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Writes a new file that only its owner can read, and syncs it. */
export async function writeDurably(file: string, text: string): Promise<void> {
  const target = await open(file, 'wx', 0o600)
  try {
    await target.writeFile(text)
    await target.sync()
  } finally {
    await target.close()
  }
}

/** Makes new names in a directory durable. Windows cannot open directories and does not need it. */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
