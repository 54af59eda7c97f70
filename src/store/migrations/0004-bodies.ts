// src/store/migrations/0004-bodies.ts — records no longer say what they begin with. ADR 37.
import type { Migration } from './migration.ts'

/** Nothing is changed in what is there. A program that would misread what is written from now on finds a newer database. */
export const bodies: Migration = { number: 4, name: 'bodies', sql: { sqlite: '' } }
