// src/cli/run-file.ts — notes where the gateway of a data directory listens, for commands beside it.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a running gateway notes. It says nothing when no gateway holds the lock of the directory. */
export interface RunNote {
  readonly pid: number
  /** Address on this machine, for example `http://127.0.0.1:4020`. */
  readonly listening: string
  /** Key that lets the command line close payments. Null when every API key may do it. Changes with each start. */
  readonly closingKey: string | null
}

/** Writes the note, readable by its owner only. Returns a function that removes it. */
export function noteRun(directory: string, listening: string, closingKey: string | null): () => void {
  const file = fileIn(directory)
  const note: RunNote = { pid: process.pid, listening, closingKey }
  // A file that a killed gateway left keeps its mode, so it is made anew.
  rmSync(file, { force: true })
  writeFileSync(file, `${JSON.stringify(note)}\n`, { mode: 0o600 })
  return () => rmSync(file, { force: true })
}

/** Reads the note; null when there is none that can be read. */
export function readRunNote(directory: string): RunNote | null {
  try {
    const note = JSON.parse(readFileSync(fileIn(directory), 'utf8')) as Partial<RunNote>
    return typeof note.listening === 'string' && URL.canParse(note.listening)
      ? { pid: Number(note.pid), listening: note.listening, closingKey: note.closingKey ?? null }
      : null
  } catch {
    return null
  }
}

function fileIn(directory: string): string {
  return join(directory, 'running.json')
}
