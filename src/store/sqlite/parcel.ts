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
  values.push(claims === undefined ? null : claims.length)
  if (claims !== undefined) values.push(...claims)
  if (idempotency === null) values.push(null)
  else values.push(idempotency.key, idempotency.fingerprint, idempotency.answer, idempotency.expiresAt)
  return values
}

function unpack(values: PackedCommit): Commit {
  let at = 0
  /** What lies next. The other end of this file has put it there, so its type is known. */
  const take = <Taken extends Value>(): Taken => values[at++] as Taken
  const several = <Item>(one: () => Item): Item[] => Array.from({ length: take<number>() }, one)
  const orNone = <Item>(one: () => Item): Item[] | null => (values[at] === null ? take<null>() : several(one))
  const head = {
    account: take<string>(),
    kind: take<string>(),
    id: take<string>(),
    expectedVersion: take<number>(),
    version: take<number>(),
    body: take<string>(),
    parent: take<string>(),
    live: take<boolean>(),
    exclusive: take<string | null>(),
    at: take<number>(),
    events: several(() => ({
      version: take<number>(),
      at: take<number>(),
      type: take<string>(),
      body: take<string>(),
    })),
    effects: several(() => ({ effectId: take<string>(), type: take<string>(), body: take<string>() })),
    effectsDone: several(() => take<string>()),
    timers: orNone(() => ({ name: take<string>(), dueAt: take<number>() })),
  }
  const claims = orNone(() => take<string>())
  const key = take<string | null>()
  return {
    ...head,
    ...(claims === null ? {} : { claims }),
    idempotency:
      key === null ? null : { key, fingerprint: take<string>(), answer: take<string>(), expiresAt: take<number>() },
  }
}
