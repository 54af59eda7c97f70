// test/support/changes.ts — commits for tests of the store. A test names only the fields that matter.
import type { Commit, Idempotency, Key } from '../../src/engine/ports/store.ts'

/** A day in 2026. The store reads no clock, so any day will do. */
export const NOON = 1_780_000_000_000

export function keyOf(id: string, account = 'shop', kind = 'transaction'): Key {
  return { account, kind, id }
}

/** First commit of a running record, unless changed. */
export function change(id: string, named: Partial<Commit> = {}): Commit {
  const version = named.version ?? (named.expectedVersion ?? 0) + 1
  return {
    ...keyOf(id),
    expectedVersion: 0,
    version,
    body: JSON.stringify({ id, version }),
    parent: '',
    live: true,
    lockKey: null,
    at: NOON,
    events: [],
    effects: [],
    effectsDone: [],
    timers: null,
    idempotency: null,
    ...named,
  }
}

export function envelope(type: string, version = 1, at = NOON): Commit['events'][number] {
  return { version, at, type, body: JSON.stringify({ type }) }
}

export function effect(effectId: string, type = 'terminal.start'): Commit['effects'][number] {
  return { effectId, type, body: JSON.stringify({ for: effectId }) }
}

export function answered(key: string, named: Partial<Idempotency> = {}): Idempotency {
  return { key, fingerprint: `hash of ${key}`, answer: '{"ok":true}', expiresAt: NOON + 1_000, ...named }
}

/** A commit that fills each part of the store when it is written. */
export function fullChange(id: string, named: Partial<Commit> = {}): Commit {
  return change(id, {
    parent: 'till 1',
    lockKey: `terminal of ${id}`,
    events: [envelope('started')],
    effects: [effect(`${id}.1.start`)],
    timers: [{ name: 'patience', dueAt: NOON + 5_000 }],
    idempotency: answered(`request of ${id}`),
    ...named,
  })
}
