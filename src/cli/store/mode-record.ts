// src/cli/store/mode-record.ts — the mode of a gateway as a record: where it is in a Postgres database.
import type { Config } from '../../config.ts'
import type { AddedRecord, CopySource } from '../../store/copy/sides.ts'
import { MODE_RECORD } from '../database-mode.ts'

/** Mode of a gateway on Postgres; null before its first start. */
export async function modeIn(source: CopySource): Promise<Config['mode'] | null> {
  const body = await source.bodyOf(MODE_RECORD)
  return body === null ? null : (JSON.parse(body) as { readonly mode: Config['mode'] }).mode
}

/** @param at now, epoch milliseconds */
export function recordOfMode(mode: Config['mode'], at: number): AddedRecord {
  return { key: MODE_RECORD, body: JSON.stringify({ mode }), at }
}
