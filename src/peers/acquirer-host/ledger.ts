// src/peers/acquirer-host/ledger.ts — the host's ledger: an entry for each message it acted on, in memory and in a journal.
import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Fields } from './codec.ts'

export type MoneyKind = 'charge' | 'hold' | 'capture' | 'refund' | 'verify'
/** `unseen`: a reversal came for it, and it did not. The words are those of the sandbox's ledger. */
export type EntryKind = MoneyKind | 'unseen' | 'reversal' | 'reconciliation' | 'upload'
export type EntryState =
  | 'charged'
  | 'held'
  | 'captured'
  | 'refunded'
  | 'verified'
  | 'undecided'
  | 'declined'
  | 'reversed'
  | 'released'
  | 'done'

export interface Entry {
  /** Class of the message, terminal, merchant, STAN, local time and date. */
  readonly key: string
  readonly kind: EntryKind
  readonly state: EntryState
  readonly mti: string
  readonly terminal: string
  readonly merchant: string
  readonly stan: string
  readonly reference: string
  readonly authCode: string
  /** First six and last four digits. */
  readonly card: string
  /** Of the request, in minor units. */
  readonly amountMinor: number
  /** What is taken, held or given back now. */
  readonly takenMinor: number
  /** ISO 4217, numeric. Empty when the message has none. */
  readonly currency: string
  /** What makes a repetition the same message. */
  readonly content: string
  /** Fields of the answer that the request does not give. */
  readonly answer: Fields
  /** Nobody gets its answers. */
  readonly isUnheard: boolean
  /** Until then (epoch milliseconds) it is not answered; 0 for at once. */
  readonly answeredFrom: number
  /** Until then its reversals are not answered; 0 for at once. */
  readonly reversibleFrom: number
  /** Key of the hold that a capture used up. */
  readonly hold: string | null
  /** Of an upload: key of the entry that it names. Missing in ledgers of older versions. */
  readonly original?: string
  /** Key of the reconciliation that closed its batch. */
  readonly batch: string | null
  /** Epoch milliseconds. */
  readonly at: number
}

export interface Ledger {
  find(key: string): Entry | null
  /** In the order of their first messages. */
  entries(): readonly Entry[]
  /** Changes so far, also those of earlier runs: a number that each change has to itself. */
  changes(): number
  /** Adds entries or replaces those with the same key. They are on disk when this returns. */
  write(entries: readonly Entry[]): void
  close(): void
}

/**
 * Opens a ledger.
 * @param path of its journal; null for memory only
 * @throws Error when the journal cannot be read
 */
export function openLedger(path: string | null): Ledger {
  const entries = new Map<string, Entry>()
  const journal = path === null ? null : openJournal(path, entries)
  const file = journal?.file ?? null
  let changes = journal?.changes ?? 0
  return {
    find: key => entries.get(key) ?? null,
    entries: () => [...entries.values()],
    changes: () => changes,
    write(changed) {
      changes += 1
      if (file !== null) {
        // One line, so that a kill leaves all of the change or nothing.
        writeSync(file, `${JSON.stringify(changed)}\n`)
        fsyncSync(file)
      }
      for (const entry of changed) entries.set(entry.key, entry)
    },
    close() {
      if (file !== null) closeSync(file)
    },
  }
}

interface Journal {
  /** Descriptor of the open file. */
  readonly file: number
  readonly changes: number
}

/** Reads the entries of a journal, cuts off a line that a kill left unfinished, and opens it for more. */
function openJournal(path: string, entries: Map<string, Entry>): Journal {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  const lines = whole.split('\n').slice(0, -1)
  for (const [index, line] of lines.entries()) {
    try {
      for (const entry of JSON.parse(line) as readonly Entry[]) entries.set(entry.key, entry)
    } catch (cause) {
      throw new Error(`Line ${index + 1} of the journal ${path} cannot be read.`, { cause })
    }
  }
  const file = openSync(path, 'a')
  ftruncateSync(file, Buffer.byteLength(whole))
  return { file, changes: lines.length }
}
