// test/upgrade/coverage.test.ts — the data directory holds every kind of record, every type of event, and unfinished work of
// each sort.
import { deepEqual, ok } from 'node:assert/strict'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { test } from 'vitest'
import { AT_KILL, aCopy, MANIFEST, opened } from './copies.ts'
import { EVENT_TYPES, KINDS } from './program/kinds.ts'

/** Kinds and types that version 0.1 does not have, each with its reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  user: 'version 0.1 has no users',
  session: 'version 0.1 has no users',
  'audit-entry': 'version 0.1 has no users',
  'vault-driver': 'no driver of version 0.1 has settings',
  'vault-chip': 'no terminal of version 0.1 sends chip data',
  'vault-acquirer': 'version 0.1 has no real acquirer',
  'vault-authentication': 'version 0.1 has the values in its records',
  'vault-payment-key': 'version 0.1 has no payment keys',
  'vault-person': 'accounts of version 0.1 have no users',
  'vault-signing': 'version 0.1 has no gateways on Postgres',
  'nexo-exchange': 'version 0.1 has no driver of real terminals',
  'nexo-report': 'version 0.1 has no driver of real terminals',
  'iso8583-order': 'version 0.1 has no real acquirer',
  'iso8583-number': 'version 0.1 has no real acquirer',
  authentication: 'version 0.1 has no real directory server',
  'device-data': 'version 0.1 has no real directory server',
  'terminal-transaction asked_too_late': 'version 0.1 did not note it',
  ...Object.fromEntries(
    ['found_successful', 'found_unsuccessful', 'found_after_closing', 'closed_as_taken', 'closed_as_not_taken'].map(
      type => [`terminal-transaction ${type}`, 'version 0.1 had no terminals that authorise by themselves'],
    ),
  ),
  'api-key jwt_signed': 'JWTs of version 0.1 last for years',
  'online-payment exempted': 'version 0.1 has no issuers that exempt',
  'online-payment link_refunded': 'version 0.1 did not note it',
}

/** Kinds and event types missing in the directory. */
function lacking(kinds: readonly string[], eventTypes: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const found = new Set(AT_KILL.records.map(({ kind }) => kind))
  const happened = new Set(AT_KILL.records.flatMap(({ kind, events }) => events.map(({ type }) => `${kind} ${type}`)))
  const types = Object.entries(eventTypes).flatMap(([kind, each]) => each.map(type => `${kind} ${type}`))
  return [...kinds.filter(kind => !found.has(kind)), ...types.filter(type => !happened.has(type))]
}

test('every kind of record and type of event that version 0.1 has is there', () => {
  deepEqual(lacking(KINDS, EVENT_TYPES), Object.keys(EXCEPTIONS))
  deepEqual(lacking([...KINDS, 'parcel'], { report: ['requested', 'lost'] }), [
    ...Object.keys(EXCEPTIONS).filter(name => KINDS.includes(name)),
    'parcel',
    'report lost',
  ])
  const known = new Set(KINDS)
  deepEqual(
    [...new Set(AT_KILL.records.map(({ kind }) => kind))].filter(kind => !known.has(kind)),
    [],
  )
})

test('every member of a transaction and of an online payment has more than one value', () => {
  const seen = new Map<string, Set<string>>()
  for (const { kind, record } of AT_KILL.records)
    for (const [name, value] of Object.entries(record as object)) {
      const key = `${kind}.${name}`
      seen.set(key, (seen.get(key) ?? new Set()).add(JSON.stringify(value)))
    }
  const always = ['terminal-transaction', 'online-payment'].flatMap(kind =>
    [...seen].filter(([key, values]) => key.startsWith(`${kind}.`) && values.size === 1).map(([key]) => key),
  )
  deepEqual(always, ['terminal-transaction.authorisedBy'])
})

test('effects are pending, timers are set, and records are unfinished', () => {
  const undone = new Set(AT_KILL.records.flatMap(({ effects }) => effects.map(({ type }) => type)))
  deepEqual([...undone].toSorted(), [
    'acquirer.authorise',
    'payment.authorise',
    'terminal.answer_authorisation',
    'terminal.cancel',
    'transaction.reconcile',
    'webhook.send',
  ])
  const timers = new Set(AT_KILL.records.flatMap(({ kind, timers }) => timers.map(({ name }) => `${kind} ${name}`)))
  deepEqual([...timers].toSorted(), [
    'online-payment challenge',
    'online-payment expiry',
    'online-payment pre_execute',
    'online-payment settle',
    'report limit',
    'table lease',
    'terminal-transaction limit',
    'terminal-transaction signature',
    'till-message kept',
    'webhook-delivery held',
    'webhook-delivery sending',
    'webhook-delivery waiting',
    'webhook-secrets overlap',
  ])
  const going = AT_KILL.records.filter(({ live }) => live)
  const states = (kind: string, ...members: readonly string[]) =>
    new Set(
      going
        .filter(each => each.kind === kind)
        .map(({ record }) => members.map(name => (record as Record<string, unknown>)[name]).join(' ')),
    )
  const transactions = states('terminal-transaction', 'progress', 'cancel', 'authorisation')
  for (const state of [
    'awaiting_card none none',
    'awaiting_card requested none',
    'accepted stopping none',
    'online none requested',
    'online none approved',
    'awaiting_signature none approved',
  ])
    ok(transactions.has(state), state)
  ok(states('report', 'progress').has('running'))
  deepEqual([...states('online-payment', 'progress')].toSorted(), ['authorizing', 'none', 'processing', 'waiting'])
  ok(going.some(({ kind, record }) => kind === 'table' && (record as { begun: unknown[] }).begun.length > 0))
  ok(Object.values(AT_KILL.idempotency as Record<string, unknown[]>).flat().length > 3)
})

test('the simulator has documents of every kind, and clocks that were moved', async () => {
  const open = await opened({ at: MANIFEST.killedAt })
  deepEqual(
    Object.entries(open.shelves()).filter(([, documents]) => documents === 0),
    [],
  )
  const ahead = (account: string) => (MANIFEST.clocks[account] ?? 0) - MANIFEST.killedAt
  ok(ahead('demo') > 3_600_000)
  ok(ahead('demo-eur') > 86_400_000)
  deepEqual(ahead('harbour'), 0)
})

test('transactions and payments are stored without their initial values, in the store and in the snapshot', () => {
  const directory = aCopy()
  const read = <Row>(file: string, sql: string) => {
    const database = new Database(join(directory, file), { readonly: true })
    try {
      return database.prepare<[], Row>(sql).all()
    } finally {
      database.close()
    }
  }
  interface Stored {
    readonly kind: string
    readonly body: string
  }
  const stored = read<Stored>('tollgate.db', 'SELECT kind, body FROM records')
  const [kept] = read<{ body: string }>('sandbox.db', "SELECT body FROM documents WHERE key = 'demo/evening'")
  const { image } = JSON.parse(kept?.body ?? '') as { readonly image: { readonly records: readonly Stored[] } }
  for (const records of [stored, image.records])
    for (const kind of ['terminal-transaction', 'online-payment']) {
      const bodies = records.filter(each => each.kind === kind).map(({ body }) => JSON.parse(body) as object)
      ok(bodies.length > 50, kind)
      ok(bodies.every(body => !Object.values(body).includes(null)))
      ok(bodies.some(body => !('authCode' in body)) && bodies.some(body => 'authCode' in body))
    }
})
