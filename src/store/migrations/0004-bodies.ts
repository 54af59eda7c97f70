// src/store/migrations/0004-bodies.ts — records lack their initial values until they change or are rewritten.
import type { Migration } from './migration.ts'

/** Changes nothing in what is there. A program from before this step would misread what 0.1 writes, and refuses it. */
export const bodies: Migration = { number: 4, name: 'bodies', sql: { sqlite: '' } }
