// test/upgrade/copies.ts — copies of the data directory, removed at the end of the test.
import { rmSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { copyDirectory, type Manifest, readManifest, readRecorded, unpackDirectory } from './fixture.ts'
import type { DecodedRecord } from './program/decoded-records.ts'
import { type OpenedDirectory, type OpenOptions, openDirectory } from './program/opened-directory.ts'
import { type Known, knownFrom } from './questions.ts'

export const MANIFEST: Manifest = readManifest()

export interface AtKill {
  readonly records: readonly DecodedRecord[]
  readonly idempotency: unknown
}

/** The records at the kill, as version 0.1 reads them. */
export const AT_KILL = readRecorded<AtKill>('records-at-kill')

export const KNOWN: Known = knownFrom(AT_KILL.records, MANIFEST.clocks, Object.values(MANIFEST.tokens).flat())

/** A copy of the directory as of the kill, or of another directory that nothing writes to. */
export function aCopy(of?: string): string {
  const directory = of === undefined ? unpackDirectory() : copyDirectory(of)
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Opens a copy, and closes it at the end of the test. */
export async function opened(options: OpenOptions, directory = aCopy()): Promise<OpenedDirectory> {
  const open = await openDirectory(directory, options)
  onTestFinished(() => open.close())
  return open
}
