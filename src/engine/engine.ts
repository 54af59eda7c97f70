// src/engine/engine.ts — the one loop: load → decide → apply → commit → then effects, timers and feed hear of it.
import type { Effect, Happening, Timer } from '../domain/machine.ts'
import type { Refusal } from '../domain/refusals.ts'
import { type Activity, UNCOUNTED } from './activity.ts'
import type { Entry, RecordCache } from './cache.ts'
import { Fault } from './fault.ts'
import type { Feed } from './feed.ts'
import { KeyMap } from './key-map.ts'
import type { Machine } from './machines.ts'
import type { Clocks, Commit, Idempotency, Key, Store, StoredEffect, StoredTimer } from './ports.ts'
import type { Soon } from './soon.ts'

/** How often a command is decided anew because somebody else was faster. More would mean a fault, not bad luck. */
const ATTEMPTS = 3

export type Executed<Record, Event> =
  | { readonly record: Record; readonly events: readonly Event[] }
  | { readonly refused: Refusal }
  /** The idempotency key was taken meanwhile: read what was answered then. */
  | { readonly repeated: true }

export interface ExecuteOptions<Record, Facts> {
  /** Reads what the decision needs to know of the world. Called again on each attempt; the first one has number 1. */
  readonly facts?: (record: Record | null, attempt: number) => Soon<Facts>
  /** The id was made up for this command, so the record is not looked for unless the store says that it is there. */
  readonly isNew?: true
  /** Number of the terminal's report that this is, if it is one. */
  readonly report?: number
  /** Effects that are shown to be performed by this. */
  readonly effectsDone?: readonly string[]
  readonly idempotency?: Idempotency
}

/** What is told of a durable change before its author gets an answer. */
export interface Aftermath {
  effects(effects: readonly StoredEffect[]): void
  timers(timers: readonly StoredTimer[]): void
}

export interface Engine {
  /** Someone asks. May be refused, and then nothing has changed. */
  execute<R extends { readonly version: number }, C, F, E extends { readonly type: string }>(
    machine: Machine<R, C, F, E>,
    key: Pick<Key, 'account' | 'id'>,
    command: C,
    options?: ExecuteOptions<R, F>,
  ): Promise<Executed<R, E>>
  /** The record with its serialised answers; at once when it is in memory. */
  read<R extends { readonly version: number }, C, F, E extends { readonly type: string }>(
    machine: Machine<R, C, F, E>,
    key: Pick<Key, 'account' | 'id'>,
  ): Soon<Entry<R> | null>
  /** As `read`, but only from memory and at once. */
  peek<R extends { readonly version: number }, C, F, E extends { readonly type: string }>(
    machine: Machine<R, C, F, E>,
    key: Pick<Key, 'account' | 'id'>,
  ): Entry<R> | undefined
  /** Erases records that are still at this version; returns how many went. */
  erase(records: readonly (Key & { readonly version: number })[]): Promise<number>
  /** Tells where effects and timers go. Called once, by the composition root. */
  attach(aftermath: Aftermath): void
  /**
   * Holds back what is asked of an account from now on, until the returned function is called. Copies in memory are
   * dropped then: the account may be another one.
   */
  hold(account: string): () => void
  /** Number of commands under way. */
  readonly busy: number
}

export interface EngineParts {
  readonly store: Store
  readonly clocks: Clocks
  /** What is under way is counted here. */
  readonly activity?: Activity
  readonly feed: Feed
  readonly cache: RecordCache
}

/** Builds the engine over its ports. */
export function createEngine({ store, clocks, feed, cache, activity = UNCOUNTED }: EngineParts): Engine {
  const turns = new KeyMap<Promise<unknown>>()
  let aftermath: Aftermath = { effects: () => {}, timers: () => {} }
  let busy = 0
  /** Accounts that are held, and when they are no more. */
  const held = new Map<string, Promise<void>>()

  function read<R extends { readonly version: number }, C, F, E extends { readonly type: string }>(
    machine: Machine<R, C, F, E>,
    key: Key,
  ): Soon<Entry<R> | null> {
    const held = cache.get(key)
    if (held !== undefined) return held as Entry<R>
    const seen = outsideOf(machine)
    return store.load(key).then(stored => {
      if (stored === null) return null
      return cache.put(key, JSON.parse(stored.body), stored.version, seen) as Entry<R>
    })
  }

  /** Asked before the record is: what others change while it is under way makes the copy an old one. */
  function outsideOf({ changedOutside }: { readonly changedOutside: boolean }): number | null {
    return changedOutside ? store.outsideChanges() : null
  }

  async function attemptOften<R extends { readonly version: number }, C, F, E extends { readonly type: string }>(
    machine: Machine<R, C, F, E>,
    key: Key,
    command: C,
    options: ExecuteOptions<R, F>,
  ): Promise<Executed<R, E>> {
    for (let number = 1; number <= ATTEMPTS; number += 1) {
      const executed = await attempt(machine, key, command, options, number)
      if (executed !== 'again') return executed
    }
    throw new Fault('contention', { detail: `${machine.kind} ${key.id}` })
  }

  async function attempt<R extends { readonly version: number }, C, F, E extends { readonly type: string }>(
    machine: Machine<R, C, F, E>,
    key: Key,
    command: C,
    options: ExecuteOptions<R, F>,
    number: number,
  ): Promise<Executed<R, E> | 'again'> {
    // Waited for only where there is something to wait for: each time costs a round of the queue.
    const found = options.isNew === true && number === 1 ? null : read(machine, key)
    const before = found instanceof Promise ? await found : found
    const known = options.facts?.(before?.record ?? null, number)
    const facts = (known instanceof Promise ? await known : known) ?? null
    const decision = machine.decide(before?.record ?? null, command, facts as F)
    if ('refused' in decision) return decision
    if (decision.events.length === 0) {
      if (options.effectsDone !== undefined) await store.effectsDone(options.effectsDone)
      if (before === null) throw new Error(`${machine.kind}: nothing happened to a record that does not exist`)
      return { record: before.record, events: [] }
    }
    const change = fold(
      machine,
      before?.record ?? null,
      decision.events,
      clocks.of(key.account).now(),
      options.report ?? 0,
    )
    const timers = changedTimers(machine, before?.record ?? null, change.record)
    const commit = commitOf(machine, key, before?.version ?? 0, change, timers, options)
    const seen = outsideOf(machine)
    const result = await store.commit(commit)
    switch (result) {
      case 'written':
        break
      case 'version_moved':
      case 'exclusive_taken':
        cache.drop(key)
        return 'again'
      case 'claim_taken':
        if (machine.refusedClaim === undefined) throw new Error(`${machine.kind}: a key is taken that cannot be`)
        return { refused: machine.refusedClaim }
      case 'idempotency_key_taken':
        return { repeated: true }
    }
    cache.put(key, change.record, change.record.version, seen)
    const { account, kind, id } = key
    if (commit.effects.length > 0)
      aftermath.effects(commit.effects.map(({ effectId, type, body }) => ({ account, kind, id, effectId, type, body })))
    if (timers !== null) aftermath.timers(timers.map(({ name, dueAt }) => ({ account, kind, id, name, dueAt })))
    const { version } = change.record
    feed.publish({ account, kind, id, version, record: change.record, events: decision.events })
    return { record: change.record, events: decision.events }
  }

  /** Commands on one record wait for each other here rather than collide in the store. */
  function inTurn<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const before = turns.get(key)
    const turn = before === undefined ? work() : before.then(work, work)
    turns.set(key, turn)
    busy += 1
    activity.begin(key.account)
    const over = (): void => {
      busy -= 1
      activity.end(key.account)
      if (turns.get(key) === turn) turns.delete(key)
    }
    // Counted off before whoever asked goes on.
    turn.then(over, over)
    return turn
  }

  return {
    execute(machine, { account, id }, command, options = {}) {
      const key: Key = { account, kind: machine.kind, id }
      const work = () => attemptOften(machine, key, command, options)
      const released = held.size === 0 ? undefined : held.get(account)
      return released === undefined ? inTurn(key, work) : released.then(() => inTurn(key, work))
    },
    read: (machine, { account, id }) => read(machine, { account, kind: machine.kind, id }),
    peek: (machine, { account, id }) => cache.get({ account, kind: machine.kind, id }) as never,
    async erase(records) {
      const gone = await store.erase(records)
      // A command that was decided on a copy finds its record moved, and then gone.
      for (const key of records) cache.drop(key)
      return gone
    },
    attach(given) {
      aftermath = given
    },
    hold(account) {
      let release = (): void => {}
      held.set(account, new Promise(resolve => (release = resolve)))
      return () => {
        cache.dropAccount(account)
        held.delete(account)
        release()
      }
    },
    get busy() {
      return busy
    },
  }
}

interface Folded<R, E> {
  readonly record: R
  readonly happenings: readonly { readonly version: number; readonly happening: Happening<E> }[]
  readonly effects: readonly Effect[]
  /** Undefined where the machine takes none. */
  readonly claims: readonly string[] | undefined
}

function fold<R extends { readonly version: number }, C, F, E extends { readonly type: string }>(
  machine: Machine<R, C, F, E>,
  before: R | null,
  events: readonly E[],
  at: number,
  report: number,
): Folded<R, E> {
  const happenings: { version: number; happening: Happening<E> }[] = []
  const effects: Effect[] = []
  const claims: string[] | undefined = machine.claimsOf === undefined ? undefined : []
  let record = before
  for (const event of events) {
    const happening = { event, at, report }
    record = machine.apply(record, happening)
    happenings.push({ version: record.version, happening })
    effects.push(...machine.effectsOf(event, record))
    if (claims !== undefined) claims.push(...(machine.claimsOf?.(event, record) ?? []))
  }
  if (record === null) throw new Error(`${machine.kind}: no events to fold`)
  return { record, happenings, effects, claims }
}

/** The timers from now on, or null when they stay as they are. */
function changedTimers<R extends { readonly version: number }, C, F, E extends { readonly type: string }>(
  machine: Machine<R, C, F, E>,
  before: R | null,
  after: R,
): readonly Timer[] | null {
  const wanted = machine.timersOf(after)
  const had = before === null ? [] : machine.timersOf(before)
  const same =
    wanted.length === had.length &&
    wanted.every((timer, index) => timer.name === had[index]?.name && timer.dueAt === had[index]?.dueAt)
  return same ? null : wanted
}

function commitOf<R extends { readonly version: number }, C, F, E extends { readonly type: string }>(
  machine: Machine<R, C, F, E>,
  key: Key,
  expectedVersion: number,
  change: Folded<R, E>,
  timers: readonly Timer[] | null,
  options: ExecuteOptions<R, F>,
): Commit {
  const last = change.happenings.at(-1)
  const { parent, live, exclusive } = machine.placeOf(change.record)
  // Field by field, like what is told of it afterwards: copying with spreads costs more than all of the deciding.
  return {
    account: key.account,
    kind: key.kind,
    id: key.id,
    parent,
    live,
    exclusive,
    expectedVersion,
    version: change.record.version,
    body: JSON.stringify(change.record),
    at: last?.happening.at ?? 0,
    events: change.happenings.map(({ version, happening }) => ({
      version,
      at: happening.at,
      type: happening.event.type,
      body: JSON.stringify(happening),
    })),
    effects: change.effects.map(({ id, type, payload }) => ({ effectId: id, type, body: JSON.stringify(payload) })),
    effectsDone: options.effectsDone ?? [],
    timers,
    idempotency: options.idempotency ?? null,
    ...(change.claims === undefined || change.claims.length === 0 ? {} : { claims: change.claims }),
  }
}
