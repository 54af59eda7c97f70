// src/store/migrations/0004-bodies.ts — marks databases whose records may lack initial values.
import type { Migration } from './migration.ts'

/** Changes no data. Older programs would misread records without initial values; the new number makes them refuse. */
export const bodies: Migration = { number: 4, name: 'bodies', sql: { sqlite: '', postgres: '' } }
