// src/cli/store/take-along.ts — names what a gateway needs beside its database, and which a copy of the store does not bring.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { KEYS, presentIn } from '../backup/contents.ts'
import type { Place } from './places.ts'

const SANDBOX = ['sandbox.db', 'demo-shop.json'] as const
/** In live mode the vault's keys are a setting. */
const LIVE_KEYS = KEYS.filter(name => name !== 'vault.key')

/**
 * Files of a data directory: those that the source has, or else those that the target lacks. Both gateways of a copy between
 * two databases use the same directory.
 */
export function takeAlong(from: Place, to: Place, mode: Config['mode'] | null): readonly string[] {
  const names = mode === 'live' ? LIVE_KEYS : [...KEYS, ...SANDBOX]
  if (from.type === 'directory') return presentIn(from.path, names).map(name => join(from.path, name))
  if (to.type === 'directory') return names.filter(name => !existsSync(join(to.path, name)))
  return []
}
