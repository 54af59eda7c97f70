// src/store/sqlite/parcel.ts — work on its way to the writer's thread. A change goes over as one flat list of plain values:
// copying the objects it is made of costs three times as much, on both sides.
import type { Commit } from '../../engine/ports.ts'
import type { Work } from './group-writer.ts'

type Value = string | number | boolean | null

/** A change as plain values, in the order of `pack`; what there is several of has its number before it. */
type PackedCommit = readonly Value[]

export type Packed = PackedCommit | Exclude<Work, { readonly type: 'commit' }>

export type Parcel = readonly Packed[]

export function packed(work: Work): Packed {
  return work.type === 'commit' ? pack(work.commit) : work
}

export function unpacked(parcel: Parcel): readonly Work[] {
  return parcel.map(part => ('type' in part ? part : { type: 'commit', commit: unpack(part) }))
}

function pack(commit: Commit): PackedCommit {
  const { idempotency, timers, claims } = commit
  const values: Value[] = [
    commit.account,
    commit.kind,
    commit.id,
    commit.expectedVersion,
    commit.version,
    commit.body,
    commit.parent,
    commit.live,
    commit.exclusive,
    commit.at,
    commit.events.length,
  ]
  for (const { version, at, type, body } of commit.events) values.push(version, at, type, body)
  values.push(commit.effects.length)
  for (const { effectId, type, body } of commit.effects) values.push(effectId, type, body)
  values.push(commit.effectsDone.length, ...commit.effectsDone, timers === null ? null : timers.length)
  if (timers !== null) for (const { name, dueAt } of timers) values.push(name, dueAt)
  if (idempotency === null) values.push(null)
  else values.push(idempotency.key, idempotency.fingerprint, idempotency.answer, idempotency.expiresAt)
  values.push(claims === undefined ? null : claims.length)
  if (claims !== undefined) values.push(...claims)
  return values
}

/** Reads what lies next. The other end of this file has put it there, so its type is known. */
class Unpacking {
  readonly #values: PackedCommit
  #at = 0

  constructor(values: PackedCommit) {
    this.#values = values
  }

  take<Taken extends Value>(): Taken {
    return this.#values[this.#at++] as Taken
  }

  several<Item>(one: (from: Unpacking) => Item): Item[] {
    return this.#items(this.take<number>(), one)
  }

  orNone<Item>(one: (from: Unpacking) => Item): Item[] | null {
    const count = this.take<number | null>()
    return count === null ? null : this.#items(count, one)
  }

  #items<Item>(count: number, one: (from: Unpacking) => Item): Item[] {
    const items: Item[] = []
    for (let index = 0; index < count; index += 1) items.push(one(this))
    return items
  }
}

// Written in the order in which their members are taken.
const eventIn = (from: Unpacking): Commit['events'][number] => ({
  version: from.take(),
  at: from.take(),
  type: from.take(),
  body: from.take(),
})
const effectIn = (from: Unpacking): Commit['effects'][number] => ({
  effectId: from.take(),
  type: from.take(),
  body: from.take(),
})
const timerIn = (from: Unpacking): NonNullable<Commit['timers']>[number] => ({ name: from.take(), dueAt: from.take() })
const textIn = (from: Unpacking): string => from.take()

function unpack(values: PackedCommit): Commit {
  const from = new Unpacking(values)
  const commit = {
    account: textIn(from),
    kind: textIn(from),
    id: textIn(from),
    expectedVersion: from.take<number>(),
    version: from.take<number>(),
    body: textIn(from),
    parent: textIn(from),
    live: from.take<boolean>(),
    exclusive: from.take<string | null>(),
    at: from.take<number>(),
    events: from.several(eventIn),
    effects: from.several(effectIn),
    effectsDone: from.several(textIn),
    timers: from.orNone(timerIn),
    idempotency: idempotencyIn(from),
  }
  const claims = from.orNone(textIn)
  return claims === null ? commit : { ...commit, claims }
}

function idempotencyIn(from: Unpacking): Commit['idempotency'] {
  const key = from.take<string | null>()
  return key === null ? null : { key, fingerprint: from.take(), answer: from.take(), expiresAt: from.take() }
}
