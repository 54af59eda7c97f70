// test/recorded/recordings.ts — reads and writes the files under exchanges/, one per area.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Json, type JsonObject, printed } from './json.ts'

/** Exchanges by name of the scenario. */
export type Recording = Readonly<Record<string, readonly JsonObject[]>>

/** Reads an area; empty when nothing is recorded. */
export function readRecording(area: string): Recording {
  try {
    return JSON.parse(readFileSync(pathOf(area), 'utf8')) as Recording
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

export function writeRecording(area: string, recording: Recording): void {
  writeFileSync(pathOf(area), `${printed(recording as Json)}\n`)
}

/** Name of an exchange, as in differences and failures. */
export function nameOf(area: string, scenario: string, index: number, exchange: JsonObject): string {
  return `${area}/${scenario}/${String(index + 1).padStart(2, '0')} ${exchange['exchange']}`
}

function pathOf(area: string): string {
  return fileURLToPath(new URL(`exchanges/${area}.json`, import.meta.url))
}
