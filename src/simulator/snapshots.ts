// src/simulator/snapshots.ts — snapshots of an account: all that gateway and simulator know of it as one value, taken and
// restored while nothing is under way.

import { searchTermsOf } from '../engine/all-machines.ts'
import { completeEventBody, completeRecordBody } from '../engine/completion.ts'
import type { Effects } from '../engine/effects.ts'
import type { Engine } from '../engine/engine.ts'
import type { Feed, Followed } from '../engine/feed.ts'
import { API_KEY, JWT_KEY, MERCHANT_ACCOUNT, TERMINAL } from '../engine/machines.ts'
import { PEOPLE_KINDS } from '../engine/people-machines.ts'
import type { AccountImage, AccountImages, ImageRecord } from '../engine/ports/account-images.ts'
import type { Lease, Store } from '../engine/ports/store.ts'
import { EXCHANGE_KINDS } from '../engine/ports/terminal.ts'
import { AUTHENTICATION_KIND, DEVICE_DATA_KIND } from '../engine/ports/three-d-secure.ts'
import { PERSON_SECRET_KIND, SECRET_KIND } from '../engine/ports/vault.ts'
import type { Timers } from '../engine/timers.ts'
import { WEBHOOK_SECRETS } from '../engine/webhook-machines.ts'
import type { AccountClock } from './clocks/account-clock.ts'
import type { AccountClocks } from './clocks/account-clocks.ts'
import type { Delays } from './clocks/delays.ts'
import type { Recorder, SandboxStates, SnapshotListing } from './controls.ts'
import { type Collection, type MemoryDocument, type SimulatedMemory, SNAPSHOT_COLLECTIONS } from './memory/memory.ts'
import type { RestorePause } from './nodes/restore-pause.ts'

/** Identity, credentials, and what real terminals and issuers were asked for: a snapshot does not hold it and a restore does not change it. */
const IDENTITY = [
  MERCHANT_ACCOUNT.kind,
  API_KEY.kind,
  JWT_KEY.kind,
  WEBHOOK_SECRETS.kind,
  SECRET_KIND,
  PERSON_SECRET_KIND,
  ...PEOPLE_KINDS,
  ...EXCHANGE_KINDS,
  AUTHENTICATION_KIND,
  DEVICE_DATA_KIND,
]

const MOST_SNAPSHOTS = 50
/** Hundreds of transactions take a megabyte. Larger snapshots are slow to restore. */
const MOST_CHARACTERS = 64_000_000
/** Higher than the number of documents in a snapshot. */
const ALL_DOCUMENTS = 1_000_000

interface Snapshot {
  readonly takenAt: number
  readonly image: AccountImage
  /** Oldest first in each collection. */
  readonly world: readonly MemoryDocument[]
}

export interface AccountStatesParts {
  readonly memory: SimulatedMemory
  readonly store: Pick<Store, 'load'>
  readonly images: AccountImages
  readonly clocks: AccountClocks
  readonly delays: Delays
  readonly engine: Pick<Engine, 'pause'>
  readonly feed: Pick<Feed, 'followersOf'>
  readonly effects: Pick<Effects, 'forget' | 'enqueue'>
  readonly timers: Pick<Timers, 'look'>
  readonly recorder: Pick<Recorder, 'forget'>
  /** Has other nodes wait. */
  readonly pause: RestorePause
  /** Reloads the terminals of an account from memory. */
  readonly reload: (account: string) => void
}

/** Creates the store of snapshots. They are in the simulator's memory, which outlives this process. */
export function createAccountStates(parts: AccountStatesParts): SandboxStates {
  const { memory, store, images, clocks, delays } = parts
  const keyOf = (account: string, name: string) => `${account}/${name}`
  const restores = createRestores(parts)

  function snapshotOf(account: string, name: string): Snapshot | null {
    const body = memory.read('snapshot', keyOf(account, name))
    if (body === null) return null
    const snapshot = JSON.parse(body) as Snapshot
    // An older snapshot may hold records that have become part of the identity since.
    const records = snapshot.image.records.filter(({ kind }) => !IDENTITY.includes(kind)).map(whole)
    return { ...snapshot, image: { ...snapshot.image, records }, world: snapshot.world.map(inCollection) }
  }

  /**
   * Followers of records that change with the snapshot. They would wait for ever for a record that disappears, or have seen
   * events that will not have happened.
   */
  async function leftBehind(followers: readonly Followed[], { image }: Snapshot): Promise<readonly Followed[]> {
    const versions = new Map(image.records.map(({ kind, id, version }) => [`${kind} ${id}`, version]))
    const left: Followed[] = []
    for (const follower of followers) {
      const { key } = follower
      const now = await store.load(key)
      if (now?.version !== versions.get(`${key.kind} ${key.id}`)) left.push(follower)
    }
    return left
  }

  /** Replaces the account's state while nothing is under way. */
  async function become(
    account: string,
    clock: AccountClock,
    state: Snapshot,
    lease: Lease | undefined,
  ): Promise<void> {
    const release = parts.engine.pause(account)
    // Later followers wait for something that starts in the new state.
    const followers = parts.feed.followersOf(account)
    let left: readonly Followed[] = []
    try {
      left = await leftBehind(followers, state)
      await images.putImage(account, IDENTITY, state.image, lease)
      memory.replace(account, SNAPSHOT_COLLECTIONS, state.world)
      restores.count(account)
      parts.effects.forget(account)
      parts.recorder.forget(account)
      clock.put(state.takenAt)
    } finally {
      release()
    }
    for (const { gone } of left) gone()
    parts.reload(account)
    await parts.timers.look([account])
    for (const { kind, id, effects } of state.image.records)
      parts.effects.enqueue(effects.map(effect => ({ account, kind, id, ...effect })))
  }

  /** Runs work while no other node runs commands on the account, under the lease that this node has before. */
  async function alone(account: string, work: (lease: Lease | undefined) => Promise<void>): Promise<void> {
    const lease = memory.nodes?.leaseOf(account)
    const resume = await parts.pause.begin(account)
    try {
      await work(lease)
      // By the number of restores the other nodes notice that what they have in memory may not have happened.
      await memory.written()
    } finally {
      resume()
    }
  }

  /** Ends simulated delays, which belong to the state being replaced. */
  async function awaken(account: string): Promise<void> {
    delays.wake(account)
    await clocks.atRest(account, async () => {})
  }

  return {
    list: account =>
      memory
        .list('snapshot', { parent: account, limit: MOST_SNAPSHOTS })
        .map(({ key, body }) => listing(key.slice(account.length + 1), JSON.parse(body) as Snapshot)),
    take: (account, name) =>
      clocks.atRest(account, async clock => {
        const image = await images.imageOf(account, IDENTITY)
        const world = SNAPSHOT_COLLECTIONS.flatMap(collection =>
          memory.list(collection, { parent: account, limit: ALL_DOCUMENTS }).toReversed(),
        )
        const snapshot = { takenAt: clock.now(), image, world }
        const body = JSON.stringify(snapshot)
        const taken = memory.list('snapshot', { parent: account, limit: MOST_SNAPSHOTS })
        const isNew = !taken.some(({ key }) => key === keyOf(account, name))
        if (body.length > MOST_CHARACTERS)
          return { refusal: { at: '', says: 'The account is too large for a snapshot; reset it first.' } }
        if (isNew && taken.length === MOST_SNAPSHOTS)
          return { refusal: { at: 'name', says: `An account may have at most ${MOST_SNAPSHOTS} snapshots.` } }
        memory.write([{ collection: 'snapshot', key: keyOf(account, name), parent: account, body }])
        return listing(name, snapshot)
      }),
    async restore(account, name) {
      const snapshot = snapshotOf(account, name)
      if (snapshot === null) return false
      await alone(account, async lease => {
        await awaken(account)
        await clocks.atRest(account, clock => become(account, clock, snapshot, lease))
      })
      return true
    },
    forget(account, name) {
      const known = memory.read('snapshot', keyOf(account, name)) !== null
      if (known) memory.erase('snapshot', keyOf(account, name))
      return known
    },
    async reset(account) {
      await alone(account, async lease => {
        await awaken(account)
        await clocks.atRest(account, async clock => {
          const { records } = await images.imageOf(account, IDENTITY)
          const terminals = records.filter(({ kind, live }) => kind === TERMINAL.kind && live)
          const image = { records: terminals, idempotency: [] }
          await become(account, clock, { takenAt: clock.now(), image, world: [] }, lease)
        })
      })
      await clocks.controls.reset(account)
    },
  }
}

/**
 * Counts the restores of each account, so that other nodes notice them: what they have in memory may not have happened. Their
 * followers of any record of the account are told that it is gone, and look again.
 */
function createRestores({ memory, engine, feed }: Pick<AccountStatesParts, 'memory' | 'engine' | 'feed'>) {
  const seen = new Map<string, string>()
  const read = (account: string) => memory.read('restore', account) ?? '0'
  memory.nodes?.onRead(account => {
    const number = read(account)
    const before = seen.get(account)
    seen.set(account, number)
    if (before === number || (before === undefined && number === '0')) return
    // Releasing drops what is cached.
    engine.pause(account)()
    for (const follower of feed.followersOf(account)) follower.gone()
  })
  return {
    count(account: string): void {
      if (memory.nodes === undefined) return
      const number = String(Number(read(account)) + 1)
      seen.set(account, number)
      memory.write([{ collection: 'restore', key: account, parent: account, body: number }])
    },
  }
}

/** A record in today's form with its events and search terms: a snapshot of version 0.1 lacks initial values. */
function whole(record: ImageRecord): ImageRecord {
  const { kind, body, events } = record
  const terms = searchTermsOf(record)
  return {
    ...record,
    body: completeRecordBody(kind, body),
    ...(terms === undefined ? {} : { terms }),
    events: events.map(event => ({ ...event, body: completeEventBody(kind, event.body) })),
  }
}

/** A document of a snapshot. Version 0.1 stored the name of its collection under `shelf`. */
function inCollection({ shelf, ...document }: MemoryDocument & { readonly shelf?: Collection }): MemoryDocument {
  return shelf === undefined ? document : { ...document, collection: shelf }
}

function listing(name: string, { takenAt, image }: Snapshot): SnapshotListing {
  return { name, takenAt, records: image.records.length }
}
