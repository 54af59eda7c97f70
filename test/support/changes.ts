// test/support/changes.ts — commits for the tests of the store, of which only what matters is named.
import type { Commit, Idempotency, Key } from '../../src/engine/ports/store.ts'

/** A day in 2026; the store never tells the time, so any will do. */
export const NOON = 1_780_000_000_000

export function keyOf(id: string, account = 'shop', kind = 'transaction'): Key {
  return { account, kind, id }
}

/** A first commit of a running record, unless told otherwise. */
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

/** A commit that would leave a trace everywhere if it were written. */
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
