// src/three-d-secure/emv/journal.ts — durable notes on authentications: records of the store, without events. ADR 88.
import type { CardScheme } from '../../domain/card-number.ts'
import type { MerchantAccountId } from '../../domain/ids.ts'
import type { Exemption, StoredReport } from '../../domain/online/three-d-secure.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Store, StoredRecord } from '../../engine/ports/store.ts'
import { AUTHENTICATION_KIND } from '../../engine/ports/three-d-secure.ts'
import type { Version } from './versions.ts'

export type StoredResult = Exclude<StoredReport, { readonly type: 'challenge_requested' }>

/**
 * An authentication. `sent`: written before the AReq goes out, so the issuer may know it. `answered`: the ARes, or what became of
 * the AReq, is the outcome. `challenged`: the RReq decides. `done`: it has decided.
 */
export interface AuthenticationNote {
  /** Id of the challenge, and of the record: the same order has the same. */
  readonly md: string
  readonly account: MerchantAccountId
  readonly phase: 'sent' | 'answered' | 'challenged' | 'done'
  /** Of the last AReq; null when none was sent. */
  readonly threeDSServerTransID: string | null
  readonly version: Version | null
  /** Null before the ARes. */
  readonly acsTransID: string | null
  readonly dsTransID: string | null
  readonly scheme: CardScheme
  /** First six digits, asterisks, last four. */
  readonly maskedNumber: string
  readonly mustChallenge: boolean
  /** Exemption that was asked for; absent without one. */
  readonly exemption?: Exemption
  /** What the ARes said; null before it. */
  readonly report: StoredReport | null
  /** What the RReq said; null before it. */
  readonly result: StoredResult | null
  /** SHA-256 of the RReq, hexadecimal: a repetition is answered as before. */
  readonly resultDigest: string | null
}

export interface Noted {
  readonly note: AuthenticationNote
  /** Version of the record. */
  readonly at: number
}

export interface AuthenticationJournal {
  load(account: MerchantAccountId, md: string): Promise<Noted | null>
  /** The note that has, or has had, this id in an AReq. */
  sentAs(account: MerchantAccountId, threeDSServerTransID: string): Promise<Noted | null>
  /** Null when there is one already. */
  add(note: AuthenticationNote): Promise<Noted | null>
  /** Null when another process, or another call, has changed it meanwhile. */
  change(noted: Noted, changes: Partial<AuthenticationNote>): Promise<Noted | null>
}

export function createAuthenticationJournal(store: Store, clock: Clock): AuthenticationJournal {
  const kind = AUTHENTICATION_KIND
  async function write(note: AuthenticationNote, expectedVersion: number, newId: string | null): Promise<Noted | null> {
    const version = expectedVersion + 1
    const result = await store.commit({
      ...{ account: note.account, kind, id: note.md, expectedVersion, version, body: JSON.stringify(note) },
      ...{ parent: '', live: note.phase === 'sent' || note.phase === 'challenged', lockKey: null },
      uniqueKeys: newId === null ? [] : [keyOf(newId)],
      ...{ at: clock.now(), events: [], effects: [], effectsDone: [], timers: null, idempotency: null },
    })
    return result === 'written' ? { note, at: version } : null
  }
  return {
    load: async (account, md) => notedIn(await store.load({ account, kind, id: md })),
    sentAs: async (account, id) => notedIn(await store.uniqueKeyHolderOf(account, keyOf(id))),
    add: note => write(note, 0, note.threeDSServerTransID),
    change({ note, at }, changes) {
      return write({ ...note, ...changes }, at, changes.threeDSServerTransID ?? null)
    },
  }
}

function keyOf(threeDSServerTransID: string): string {
  return `authentication:${threeDSServerTransID.toLowerCase()}`
}

function notedIn(stored: StoredRecord | null): Noted | null {
  return stored === null ? null : { note: JSON.parse(stored.body) as AuthenticationNote, at: stored.version }
}
