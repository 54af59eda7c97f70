// src/cli/doctor/jwt-checks.ts — looks for JWTs of web shops that expire soon.
import type { Database } from 'better-sqlite3'
import type { Store } from '../../engine/ports/store.ts'
import { comingJwtEnds } from '../../services/provisioning/jwt-ends.ts'
import { prepareReads } from '../../store/sqlite/reader.ts'
import { shortTime } from '../iso-time.ts'
import { type Finding, fine, warning } from './finding.ts'

/** The records of a database file, as the check reads them. */
export function recordsIn(database: Database): Pick<Store, 'all' | 'load'> {
  const reader = prepareReads(database)
  return {
    all: async (...args: Parameters<typeof reader.all>) => reader.all(...args),
    load: async (...args: Parameters<typeof reader.load>) => reader.load(...args),
  }
}

/** @param at now, epoch milliseconds */
export async function checkJwts(store: Pick<Store, 'all' | 'load'>, at: number): Promise<readonly Finding[]> {
  const ends = await comingJwtEnds(store, at)
  if (ends.length === 0) return [fine('JWTs', 'None that this gateway signed expires within 30 days.')]
  return ends.map(({ account, keyId, expiresAt }) =>
    warning(
      'JWTs',
      `The JWT of account ${account} that names API key ${keyId} expires at ${shortTime(expiresAt)} UTC; ` +
        `sign another with \`tollgate token ${account} --expires-in 365d\` and set it up in the web shop.`,
    ),
  )
}
